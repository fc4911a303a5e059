"""Real settings: the frequencies that transformers computes from them, and what is warned of."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from pecode import frequencies
from pecode.diagnose import Unreadable, config
from pecode.diagnose.configuration import models
from pecode.diagnose.configuration.layers import UNSEEN

MODELS = models()
CASES = json.loads(Path(__file__).with_name("configs.json").read_text())
SETTINGS = {name: (MODELS.get(name) or case)["settings"] for name, case in CASES.items()}
ROTARY = {
    name: case["expected"]["rope"] for name, case in CASES.items() if "rope" in case["expected"]
}


def of_kind(report, kind):
    """The layers that turn, of a kind as transformers names it."""
    turned = [layer for layer in report.layers if layer.rotary_dim]
    names = {"main": "sliding_attention", "compress": "compressed_attention"}
    return turned if kind == "all" else [x for x in turned if x.kind == names.get(kind, kind)]


@pytest.mark.parametrize(
    ("name", "kind"), [(name, kind) for name, kinds in ROTARY.items() for kind in kinds]
)
def test_frequencies_are_those_of_transformers(name, kind):
    expected = ROTARY[name][kind]
    layers = of_kind(config(SETTINGS[name]), kind)
    assert layers
    for layer in layers:
        np.testing.assert_allclose(layer.frequencies, expected["inv_freq"], rtol=1e-6, atol=0)
        assert f"{layer.attention_scaling:.9g}" == f"{expected['attention_scaling']:.9g}"


LONGER = [
    (name, kind, int(key.rsplit("_", 1)[1]) if key[-1].isdigit() else 4097, key)
    for name, kinds in ROTARY.items()
    for kind, expected in kinds.items()
    for key in expected
    if key.startswith("inv_freq_")
]


@pytest.mark.parametrize(("name", "kind", "length", "key"), LONGER)
def test_frequencies_of_a_longer_text_are_those_of_transformers(name, kind, length, key):
    for layer in of_kind(config(SETTINGS[name], length), kind):
        np.testing.assert_allclose(layer.frequencies, ROTARY[name][kind][key], rtol=1e-6)


@pytest.mark.parametrize("name", [n for n, c in CASES.items() if "kinds" in c["expected"]])
def test_every_layer_has_the_kind_that_transformers_gives_it(name):
    short = {"compressed_sparse_attention": "compressed_attention"}
    short["heavily_compressed_attention"] = "compressed_attention"
    short["indexed_attention"] = "full_attention"  # which keys it picks is no matter of positions
    kinds = {i: layer.kind for layer in config(SETTINGS[name]).layers for i in layer.indices}
    expected = [short.get(kind, kind) for kind in CASES[name]["expected"]["kinds"]]
    assert [kinds[i] for i in range(len(kinds))] == expected


@pytest.mark.parametrize("name", [n for n, c in CASES.items() if "unrotated" in c["expected"]])
def test_layers_without_positions_are_those_of_transformers(name):
    report, expected = config(SETTINGS[name]), CASES[name]["expected"]["unrotated"]
    without = [x for x in report.layers if x.scheme == "none" and x.kind not in UNSEEN]
    if expected == "all":
        assert not any(layer.rotary_dim for layer in report.layers)
    else:
        assert sorted(i for layer in without for i in layer.indices) == expected


def test_tables_slopes_buckets_and_the_scale_of_scores_are_those_of_transformers():
    seen = set()
    for name, case in CASES.items():
        expected, layer = case["expected"], config(SETTINGS[name]).layers[0]
        seen |= expected.keys()
        if "table" in expected:
            assert [layer.rows, layer.offset] == expected["table"], name
        if "alibi_slopes" in expected:
            np.testing.assert_allclose(layer.slopes, expected["alibi_slopes"], rtol=1e-6)
        if "buckets" in expected:
            assert [layer.buckets, layer.max_distance] == expected["buckets"]
        if "score_scaling" in expected:
            assert layer.score_scaling == pytest.approx(expected["score_scaling"], abs=1e-8)
        for key, row in expected.get("sinusoidal", {}).items():  # "row2_first4_sin": position 2
            values = getattr(np, key[-3:])(int(key[3]) * layer.frequencies[:4])
            np.testing.assert_allclose(values, row, atol=1e-6)
    assert seen >= {"table", "alibi_slopes", "buckets", "score_scaling", "sinusoidal"}


LLAMA = {
    "model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "rope_theta": 500000.0,
    "num_hidden_layers": 32, "max_position_embeddings": 4096,
}  # fmt: skip
WITHOUT_BASE = {name: value for name, value in LLAMA.items() if name != "rope_theta"}
YARN = {"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 4096}
GEMMA = SETTINGS["gemma-3-1b-it"]
OSS = SETTINGS["gpt-oss-20b"]


def ids(settings, length=None):
    return {warning.id for warning in config(settings, length).warnings}


@pytest.mark.parametrize(
    "name",
    ["codellama-7b", "llama-2-7b", "mistral-7b-v0.1", "qwen3-8b", "gemma-2-2b", "gemma-3-1b-it",
     "llama-3.1-8b", "gpt2", "bert-base-uncased", "bloom-3b", "t5-small", "falcon-11b", "esm2-8m"],
)  # fmt: skip
def test_a_config_without_a_trap_has_no_warnings(name):
    assert config(SETTINGS[name]).warnings == ()


# What makes each warning appear, and a change that makes it go: a key, its value, another value.
LINES = {
    "no-rope-layers-means-on": ({**LLAMA, "no_rope_layers": [1, 1, 1, 0] * 8}, {}),
    "layers-without-positions": (SETTINGS["command-r7b"], {"model_type": "cohere"}),
    "base-inside-rope-parameters": (
        {**LLAMA, "rope_theta": None, "rope_parameters": {"rope_theta": 5e5}},
        {"rope_parameters": {"rope_theta": 10000.0}},
    ),
    "two-dicts": (
        {**LLAMA, "rope_scaling": YARN, "rope_parameters": {"rope_theta": 1e4}},
        {"rope_parameters": None},
    ),
    "two-bases": ({**LLAMA, "rope_scaling": {**YARN, "rope_theta": 1e6}}, {"rope_theta": 1e6}),
    "two-original-lengths": (
        {**LLAMA, "rope_scaling": YARN, "original_max_position_embeddings": 8192},
        {"original_max_position_embeddings": 4096},
    ),
    "two-types": (
        {**LLAMA, "rope_scaling": {**YARN, "rope_type": "linear"}}, {"rope_scaling": YARN},
    ),
    "base-outside-the-text-part": (
        {"rope_theta": 1e6, "text_config": WITHOUT_BASE},
        {"rope_theta": 10000.0},
    ),
    "unknown-rule": ({**LLAMA, "rope_scaling": {"type": "magic"}}, {"rope_scaling": YARN}),
    "unknown-keys": (
        {**LLAMA, "rope_scaling": {**YARN, "attn_factor": 1.0}}, {"rope_scaling": YARN},
    ),
    "rule-without-effect": ({**LLAMA, "rope_scaling": {"factor": 4.0}}, {"rope_scaling": YARN}),
    "factor-or-ratio": (
        {**LLAMA, "rope_scaling": YARN, "max_position_embeddings": 5120},
        {"max_position_embeddings": 16384},
    ),
    "length-means-two-things": (
        {**LLAMA, "rope_scaling": {"type": "linear", "factor": 4.0}}, {"rope_scaling": YARN},
    ),
    "factor-twice": (
        {**LLAMA, "rope_scaling": {**YARN, "type": "deepseek_yarn"},
         "max_position_embeddings": 16384},
        {"max_position_embeddings": 4096},
    ),
    "server-caps": ({**LLAMA, "rope_scaling": YARN}, {"max_position_embeddings": 16384}),
    "rows-before-position-zero": (SETTINGS["opt-350m"], {"model_type": "gpt2"}),
    "yarn-at-every-length": ({**LLAMA, "rope_scaling": YARN}, {"rope_scaling": None}),
    "truncate-ignored": (OSS, {"rope_scaling": {**OSS["rope_scaling"], "truncate": True}}),
    "short-texts-hide-it": (OSS, {"sliding_window": None, "layer_types": None}),
    "scale-in-no-key": (
        {**LLAMA, "rope_scaling": YARN},
        {"rope_scaling": {**YARN, "attention_factor": 0.1 * math.log(4) + 1}},
    ),
    "attention-factor-ignored": (
        {**LLAMA, "rope_scaling": {**YARN, "attention_factor": 1.0}}, {"rope_scaling": YARN},
    ),
    "half-of-mscale": ({**LLAMA, "rope_scaling": {**YARN, "mscale": 1.0}}, {"rope_scaling": YARN}),
    "long-factors-for-short-texts": (SETTINGS["phi-3.5-mini"], {"rope_scaling": None}),
    "scaled-for-some-layers": (
        {**GEMMA, "rope_scaling": {"rope_type": "linear", "factor": 8.0}}, {"rope_scaling": None},
    ),
    "proportional-pairs": (
        SETTINGS["gemma-4-e2b"]["text_config"], {"rope_parameters": {"rope_theta": 1e6}},
    ),
    "width-in-the-exponent": (SETTINGS["phi-2"], {"partial_rotary_factor": 1.0}),
    "sections-and-part": (SETTINGS["qwen3.5-27b"]["text_config"], {"rope_parameters": {}}),
    "sections-in-turn": (
        SETTINGS["qwen3.5-27b"]["text_config"], {"model_type": "qwen2_vl", "rope_parameters": {
            "rope_theta": 1e7, "mrope_section": [11, 11, 10], "partial_rotary_factor": 0.25}},
    ),
    "part-not-read": ({**LLAMA, "rotary_dim": 64}, {"rotary_dim": 128}),
    "two-parts": (
        {**SETTINGS["pythia-14m"], "partial_rotary_factor": 0.5}, {"partial_rotary_factor": 0.25},
    ),
    "head-width-means-two-things": (SETTINGS["glm-5"], {"head_dim": 256}),
    "table-beside-slopes": (SETTINGS["mpt-7b-instruct"], {"learned_pos_emb": False}),
    "absolute-beside-rotation": ({**LLAMA, "position_embedding_type": "absolute"}, {}),
    "window-switched-off": (SETTINGS["qwen2.5-7b"], {"use_sliding_window": True}),
    "window-without-size": (
        {**LLAMA, "layer_types": ["sliding_attention"] * 32}, {"sliding_window": 128},
    ),
    "clip-starts-over": (
        {"_class_name": "HunyuanVideoTransformer3DModel", "attention_head_dim": 128,
         "num_layers": 20},
        {"_class_name": "QwenImageTransformer2DModel"},
    ),
    "key-twice": (json.dumps(LLAMA)[:-1] + ', "rope_theta": 10000}', None),
}  # fmt: skip
AT_LENGTH = {
    "beyond-the-promise": (LLAMA, 8192, 4096),
    "no-row": (SETTINGS["opt-350m"], 2049, 2048),
}


@pytest.mark.parametrize("name", LINES)
def test_a_warning_comes_and_goes_with_its_reason(name):
    settings, change = LINES[name]
    assert name in ids(settings)
    if change is not None:
        calm = {**settings, **change} if change else LLAMA
        assert name not in ids(calm)


@pytest.mark.parametrize("name", AT_LENGTH)
def test_a_warning_comes_with_a_length(name):
    settings, longer, short = AT_LENGTH[name]
    assert name in ids(settings, longer)
    assert name not in ids(settings, short)


def test_every_warning_has_a_case_a_chapter_and_a_report():
    from book import CHAPTERS
    from pecode.diagnose.configuration.warnings import CHECKS

    assert {check[0] for check in CHECKS} == {*LINES, *AT_LENGTH}
    assert {check[1] for check in CHECKS} <= CHAPTERS.keys()
    assert all(check[2].startswith("https://github.com/") for check in CHECKS)


COGVIDEO = {
    "_class_name": "CogVideoXTransformer3DModel", "attention_head_dim": 64, "num_layers": 42,
    "num_attention_heads": 48, "sample_frames": 49, "sample_height": 60, "sample_width": 90,
    "patch_size": 2, "temporal_compression_ratio": 4, "use_rotary_positional_embeddings": True,
}  # fmt: skip


def message(settings, name, length=None):
    return next(w.message for w in config(settings, length).warnings if w.id == name)


def test_messages_carry_the_numbers_that_were_reported():
    assert "8.0928 to 17.3980" in message(OSS, "truncate-ignored")  # vLLM's pull request 28244
    assert "188 tokens" in message(SETTINGS["gemma-4-e2b"], "proportional-pairs")
    assert "5,063,256" in message(SETTINGS["gemma-4-e2b"], "proportional-pairs")
    assert "1.8739" in message(SETTINGS["deepseek-v3"], "scale-in-no-key")
    assert "1.3466" in message(OSS, "scale-in-no-key")
    # the columns of Qwen3.5: pair 2 of 32 in turn, pair 22 in blocks
    turns, blocks = (2 * np.pi / frequencies(64, 1e7)[pair] for pair in (2, 22))
    said = f"needs {blocks:,.0f} steps for a turn instead of {turns:,.0f}."
    assert said in message(SETTINGS["qwen3.5-27b"], "sections-in-turn")
    twice = {**LLAMA, "rope_scaling": {**YARN, "factor": 40.0, "type": "deepseek_yarn"}}
    twice["max_position_embeddings"] = 4096 * 40
    assert f"{4096 * 40 * 40:,}" in message(twice, "factor-twice")
    # HunyuanVideo's issue 222 and RIFLEx (arXiv 2502.15894): the loops that people saw
    video = LINES["clip-starts-over"][0]
    assert "pair 3 is the fastest" in message(video, "clip-starts-over")
    assert "frame 201" in message(video, "clip-starts-over")
    assert "after 19.9 of them" in message(COGVIDEO, "clip-starts-over")


# At a length


def test_new_angles_are_those_that_training_did_not_reach():
    layer = config(LLAMA, 8192).layers[0]
    omega = frequencies(128, 500000.0)
    reached = omega * 4095
    assert layer.at_length.new_pairs == tuple(np.flatnonzero(reached < 2 * np.pi))
    assert config(LLAMA, 4096).layers[0].at_length.new_pairs == ()
    # One token more is one offset more, and every pair short of a whole turn meets it.
    assert config(LLAMA, 4097).layers[0].at_length.new_pairs == layer.at_length.new_pairs
    # A pair that stands still meets none.
    for still in config(SETTINGS["gemma-4-e2b"], 2**20).layers:
        assert all(still.frequencies[list(still.at_length.new_pairs)] > 0)
    # A window keeps every offset within what was trained.
    window = {**LLAMA, "model_type": "mistral", "sliding_window": 1024}
    assert config(window, 8192).layers[0].at_length.new_pairs == ()


def test_interpolation_meets_no_new_angle_up_to_its_length():
    stretched = {**LLAMA, "rope_scaling": YARN, "max_position_embeddings": 16384}
    then = config(stretched, 4096 * 4 - 3).layers[0].at_length
    assert then.new_pairs == ()
    assert max(then.slowed) == pytest.approx(4)
    assert min(then.slowed) == 1
    assert then.temperature == pytest.approx((0.1 * math.log(4) + 1) ** 2)


def test_the_temperature_of_llama_4_grows_in_layers_without_rotation():
    scout = SETTINGS["llama-4-scout-first-revision"]
    off = next(x for x in config(scout, 8192 * 3).layers if x.scheme == "none")
    assert off.at_length.temperature == pytest.approx(1 + 0.1 * math.log(4))
    small = config(SETTINGS["mistral-small-4"], 8193).layers[0]
    assert small.at_length.temperature / small.score_scaling == pytest.approx(1 + 0.1 * math.log(2))


def test_turns_and_wavelengths_belong_to_the_frequencies():
    layer = config(LLAMA).layers[0]
    np.testing.assert_allclose(layer.wavelengths * layer.frequencies, 2 * np.pi)
    np.testing.assert_allclose(layer.turns * layer.wavelengths, 4096)
    still = next(x for x in config(SETTINGS["gemma-4-e2b"]).layers if x.rule == "proportional")
    assert np.isinf(still.wavelengths[64:]).all()


# Several axes


@pytest.mark.parametrize(
    ("settings", "widths", "base", "axes", "grid"),
    [
        ({"_class_name": "FluxTransformer2DModel", "attention_head_dim": 128, "num_layers": 19,
          "num_single_layers": 38, "patch_size": 1}, (16, 56, 56), 10000.0,
         ("index", "row", "column"), (None, None, None)),
        ({"_class_name": "Flux2Transformer2DModel", "attention_head_dim": 128, "num_layers": 8,
          "num_single_layers": 48, "axes_dims_rope": [32, 32, 32, 32]}, (32,) * 4, 2000.0,
         ("frame", "row", "column", "token"), (None,) * 4),
        ({"_class_name": "WanTransformer3DModel", "attention_head_dim": 128, "num_layers": 40,
          "patch_size": [1, 2, 2]}, (44, 42, 42), 10000.0,
         ("frame", "row", "column"), (21, None, None)),
        (COGVIDEO, (16, 24, 24), 10000.0, ("frame", "row", "column"), (13, 30, 45)),
        # the first frame is a latent frame of its own, and then every four are one
        ({**COGVIDEO, "sample_frames": 52}, (16, 24, 24), 10000.0,
         ("frame", "row", "column"), (13, 30, 45)),
        ({"_class_name": "HunyuanVideoTransformer3DModel", "attention_head_dim": 128,
          "num_layers": 20, "num_single_layers": 40, "rope_axes_dim": [16, 56, 56]},
         (16, 56, 56), 256.0, ("frame", "row", "column"), (33, None, None)),
        ({"_class_name": "Lumina2Transformer2DModel", "hidden_size": 2304, "num_layers": 26,
          "num_attention_heads": 24, "axes_dim_rope": [32, 32, 32]}, (32,) * 3, 10000.0,
         ("token", "row", "column"), (None,) * 3),
        ({"_class_name": "NewTransformer", "attention_head_dim": 96, "num_layers": 2,
          "axes_dims_rope": [32, 64], "rope_theta": 500.0}, (32, 64), 500.0,
         ("axis-0", "axis-1"), (None, None)),
    ],
    ids=lambda value: value.get("_class_name") if isinstance(value, dict) else None,
)  # fmt: skip
def test_a_model_of_images_has_a_ladder_for_each_axis(settings, widths, base, axes, grid):
    (layer,) = config(settings).layers
    expected = [base ** (-2 * k / n) for n in widths for k in range(n // 2)]
    np.testing.assert_allclose(layer.frequencies, expected, rtol=1e-12)
    assert (layer.axes, layer.grid) == (axes, grid)
    assert layer.sections == tuple(n // 2 for n in widths)
    assert layer.layout == "interleaved"
    blocks = settings["num_layers"] + settings.get("num_single_layers", 0)
    assert layer.indices == tuple(range(blocks))


def test_a_rotation_across_all_heads_counts_seconds_and_pixels():
    """LTX-Video; diffusers 0.42.1's `LTXVideoRotaryPosEmbed` turns by the same angles."""
    video = {"_class_name": "LTXVideoTransformer3DModel", "attention_head_dim": 64,
             "num_attention_heads": 32, "num_layers": 28}  # fmt: skip
    report = config(video)
    (layer,) = report.layers
    rising = 10000.0 ** (np.arange(341) / 340) * np.pi
    steps = np.repeat([0.016, 1 / 64, 1 / 64], 341)
    np.testing.assert_allclose(layer.frequencies, steps * np.tile(rising, 3), rtol=1e-12)
    assert (layer.rotary_dim, layer.sections) == (2046, (341,) * 3)
    assert "before they are told apart" in report.notes[0]


def test_trained_frequencies_are_in_no_config():
    report = config({"_class_name": "MochiTransformer3DModel", "attention_head_dim": 128})
    assert report.layers[0].frequencies is None
    assert "pos_frequencies" in " ".join(report.notes)
    assert json.loads(report.json())["layers"][0]["frequencies"] is None


def test_coordinates_across_a_picture_make_a_step_depend_on_its_patches():
    """DINOv3; transformers 5.23's `DINOv3ViTRopePositionEmbedding` turns by the same angles."""
    dino = {"model_type": "dinov3_vit", "hidden_size": 384, "num_attention_heads": 6,
            "num_hidden_layers": 12, "image_size": 224, "patch_size": 16}  # fmt: skip
    (layer,) = config(dino).layers
    ladder = 4 * np.pi / 14 * 100.0 ** (-np.arange(16) / 16)
    np.testing.assert_allclose(layer.frequencies, np.tile(ladder, 2), rtol=1e-12)
    assert (layer.layout, layer.axes, layer.grid) == ("half", ("row", "column"), (14, 14))
    with pytest.raises(Unreadable, match=r"^patch_size: missing\. Read: .*image_size"):
        config({k: v for k, v in dino.items() if k != "patch_size"})


def test_blocks_that_no_key_counts_are_those_of_the_class_and_it_is_said():
    report = config({"_class_name": "FluxTransformer2DModel", "attention_head_dim": 128})
    assert report.layers[0].indices == tuple(range(19 + 38))
    assert "num_single_layers is absent: 38 is the default of this class." in report.notes


def test_single_layers_may_have_heads_of_another_width():
    """As transformers 5.23 writes Gemma 4: global_head_dim has become per_layer_config."""
    old = SETTINGS["gemma-4-e2b"]["text_config"]
    new = {k: v for k, v in old.items() if k != "global_head_dim"}
    full = [i for i, kind in enumerate(old["layer_types"]) if kind == "full_attention"]
    new["per_layer_config"] = {f"{i:02}": {"head_dim": 512} for i in full}
    for one, other in zip(config(old).layers, config(new).layers, strict=True):
        assert (one.indices, one.head_dim) == (other.indices, other.head_dim)
        np.testing.assert_array_equal(one.frequencies, other.frequencies)
    for strange in ([1], {"all": {}}, {"0": 3}, {"0": {"head_dim": "512"}}):
        with pytest.raises(Unreadable, match=r"^(per_layer_config|head_dim): expected"):
            config({**new, "per_layer_config": strange})


GEMMA = {"model_type": "gemma3_text", "hidden_size": 1152, "num_attention_heads": 4,
         "num_hidden_layers": 26, "head_dim": 256}  # fmt: skip


def test_what_transformers_leaves_out_for_a_family_is_said():
    flat = config({**GEMMA, "rope_parameters": {"rope_type": "linear", "factor": 8.0}})
    assert {layer.rule for layer in flat.layers} == {"default"}
    assert "no object for each kind of layer" in " ".join(flat.notes)
    by_type = config({**GEMMA, "rope_scaling": {"type": "linear", "factor": 8.0}})
    assert "looks at rope_type only" in " ".join(by_type.notes)
    by_rope_type = config({**GEMMA, "rope_scaling": {"rope_type": "linear", "factor": 8.0}})
    assert "rope_type only" not in " ".join(by_rope_type.notes)


def test_the_length_before_stretching_of_phi_3_goes_before_that_of_the_rule():
    long = SETTINGS["phi-3.5-mini"]
    del_top = {k: v for k, v in long.items() if k != "original_max_position_embeddings"}
    rule = {**long["rope_scaling"], "original_max_position_embeddings": 8192}
    report = config({**del_top, "rope_scaling": rule})
    assert report.layers[0].trained_length == 4096
    assert report.layers[0].attention_scaling == config(long).layers[0].attention_scaling
    assert "absent at the top" in " ".join(report.notes)


@pytest.mark.parametrize(("name", "in_turn"), [("qwen3-vl-4b", True), ("qwen2-vl-7b", False)])
def test_axes_take_pairs_in_turn_or_in_blocks(name, in_turn):
    (layer,) = config(MODELS[name]["settings"]).layers
    assert layer.sections_in_turn is in_turn
    assert ("in turn" in str(config(MODELS[name]["settings"]))) is in_turn
    assert config(MODELS["qwen3-8b"]["settings"]).layers[0].sections_in_turn is None


def test_sines_that_are_added_have_a_share_of_the_width_for_each_axis():
    added = {**COGVIDEO, "use_rotary_positional_embeddings": False}
    (layer,) = config(added).layers
    assert (layer.scheme, layer.sections, layer.rotary_dim) == ("sinusoidal", (384, 576, 576), None)
    sd3 = {"_class_name": "SD3Transformer2DModel", "attention_head_dim": 64, "num_layers": 24,
           "num_attention_heads": 24, "pos_embed_max_size": 192, "patch_size": 2}  # fmt: skip
    (layer,) = config(sd3).layers
    assert (layer.scheme, layer.rows) == ("sinusoidal", 192**2)
    np.testing.assert_allclose(layer.frequencies[:3], 10000.0 ** (-np.arange(3) / 384))


# The first and the last frequency that transformers 5.23.0 computes for each axis
VISION = {
    "mistral-small-4": (16, [1.0, 0.000177827940], [0.749894202, 0.000133352149]),
    "gemma-4-e2b": (16, [1.0, 0.0133352149], [1.0, 0.0133352149]),
    "qwen2-vl-7b": (20, [1.0, 0.000158489333], [1.0, 0.000158489333]),
}


@pytest.mark.parametrize("name", VISION)
def test_the_part_for_images_is_read_too(name):
    report = config(SETTINGS[name], 8192)
    (vision,) = report.vision
    pairs, *ends = VISION[name]
    assert vision.kind == "full_attention"
    assert vision.sections == (pairs, pairs)
    np.testing.assert_allclose(vision.frequencies.reshape(2, pairs)[:, [0, -1]], ends, rtol=1e-6)
    assert not any("vision_config" in note for note in report.notes)


@pytest.mark.parametrize(
    ("name", "layout", "axes"),
    [("qwen3_vl_vision", "half", "row"), ("step3p5_vision", "half", "column"),
     ("inkling2_vision", "interleaved", "column"), ("sam3_vit_model", "interleaved", "row")],
)  # fmt: skip
def test_the_rule_axial_has_one_ladder_for_rows_and_columns(name, layout, axes):
    """As transformers 5.23 writes the parts for images; its modules compute the same ladder."""
    eyes = {"model_type": name, "hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 2,
            "rope_parameters": {"rope_type": "axial", "rope_theta": 1e4}}  # fmt: skip
    report = config(eyes)
    (layer,) = report.layers
    np.testing.assert_allclose(layer.frequencies, [1, 0.1, 0.01, 0.001] * 2)
    assert (layer.layout, layer.axes[0], report.warnings) == (layout, axes, ())
    with pytest.raises(Unreadable, match="'eyes' is a model of images that is not in the table"):
        config({**eyes, "model_type": "eyes"})


def test_a_part_for_images_that_is_not_known_is_said():
    own = {"text_config": LLAMA, "vision_config": {"model_type": "eyes"}, "audio_config": {}}
    assert "Not read: audio_config, vision_config." in config(own).notes
    assert len(config(own).layers) == 1
    own["vision_config"] = {"model_type": "pixtral"}
    assert any(note.startswith("vision_config was not read: ") for note in config(own).notes)


def test_a_table_of_patches_beside_a_text_model():
    own = {"text_config": LLAMA, "vision_config": SETTINGS["siglip-base-patch16-224"]}
    own["vision_config"] = {**own["vision_config"].get("vision_config", own["vision_config"]),
                            "model_type": "siglip_vision_model", "image_size": 224,
                            "patch_size": 16, "num_hidden_layers": 12, "hidden_size": 768,
                            "num_attention_heads": 12}  # fmt: skip
    (vision,) = config(own).vision
    assert (vision.scheme, vision.rows) == ("learned", 196)


# Settings that were not in the folder of examples


def written_out_yarn(d, base, factor, trained, fast, slow):
    """YaRN in plain loops."""

    def pair(turns):
        return d * math.log(trained / (turns * 2 * math.pi)) / (2 * math.log(base))

    low, high = max(math.floor(pair(fast)), 0), min(math.ceil(pair(slow)), d - 1)
    omegas = []
    for i in range(d // 2):
        omega, share = base ** (-2 * i / d), min(max((i - low) / max(high - low, 0.001), 0), 1)
        omegas.append(omega / factor * share + omega * (1 - share))
    return omegas


KIMI = {
    "model_type": "kimi_k2", "hidden_size": 7168, "num_attention_heads": 64,
    "num_hidden_layers": 61, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64,
    "max_position_embeddings": 131072, "rope_theta": 50000.0,
    "rope_scaling": {"beta_fast": 1.0, "beta_slow": 1.0, "factor": 32.0, "mscale": 1.0,
                     "mscale_all_dim": 1.0, "original_max_position_embeddings": 4096,
                     "type": "yarn"},
}  # fmt: skip


# The columns that turn, and all of them, in heads that no key gives: transformers 5.23's defaults
@pytest.mark.parametrize(
    ("name", "turned", "head"),
    [
        ("deepseek_v3", 64, 192),
        ("glm_moe_dsa", 64, 256),
        ("mistral4", 64, 128),
        ("minicpm3", 32, 96),
    ],
)
def test_parts_of_a_head_that_no_key_says_are_those_of_the_family(name, turned, head):
    bare = {k: v for k, v in KIMI.items() if not k.startswith("qk_")} | {"model_type": name}
    report = config(bare)
    assert (report.layers[0].rotary_dim, report.layers[0].head_dim) == (turned, head)
    assert f"qk_rope_head_dim is absent: {turned} is the default of {name}." in report.notes
    with pytest.raises(Unreadable, match=r"^qk_rope_head_dim: missing\. Read: "):
        config({**bare, "model_type": "kimi_k2"})


def test_latent_attention_of_a_family_that_is_not_known_turns_neighbors():
    report = config({**KIMI, "model_type": "brandnew", "head_dim": 256})
    layer = report.layers[0]
    assert (layer.head_dim, layer.rotary_dim, layer.layout) == (192, 64, "interleaved")
    assert "neighboring columns turn" in report.notes[0]


def test_an_encoder_beside_the_decoder_that_was_read_is_said():
    own = {"model_type": "moonshine", "hidden_size": 288, "encoder_num_hidden_layers": 5,
           "decoder_num_hidden_layers": 6, "decoder_num_attention_heads": 8}  # fmt: skip
    report = config(own)
    assert report.layers[0].indices == tuple(range(6))
    assert "The decoder was read; its encoder, of 5 layers, was not." in report.notes


def test_no_column_that_turns_is_no_position():
    """As transformers 5.23 writes GLM 5 Next."""
    report = config({**KIMI, "model_type": "glm5_next_text", "qk_rope_head_dim": 0})
    assert [(x.scheme, x.head_dim) for x in report.layers] == [("none", 128)]


def test_a_list_of_bases_is_one_for_each_layer_and_a_0_turns_it_off():
    """As transformers 5.23 writes Granite with windows, and Muse."""
    rule = {"rope_type": "default", "rope_theta": 1e4}
    own = {**LLAMA, "model_type": "granite_swa", "num_hidden_layers": 4, "rope_parameters": rule}
    report = config({**own, "layer_rope_theta": [1e4, 0, 5e5, None]})
    found = {x.indices: (x.scheme, x.base) for x in report.layers}
    assert found == {(0,): ("rotary", 1e4), (1, 3): ("none", None), (2,): ("rotary", 5e5)}
    assert "a 0 in layer_rope_theta" in message(
        {**own, "layer_rope_theta": [1e4, 0, 1e4, 0]}, "layers-without-positions"
    )
    for strange in (3, ["a"], [1e4, True], [0.5]):
        with pytest.raises(Unreadable, match=r"^(layer_rope_theta|rope_theta): expected"):
            config({**own, "layer_rope_theta": strange})


def test_dense_layers_before_the_others_may_turn_although_they_see_everything():
    kinds = ["full_attention", "sliding_attention", "full_attention"]
    own = {**LLAMA, "model_type": "cohere2_moe", "num_hidden_layers": 3, "layer_types": kinds,
           "sliding_window": 64, "mlp_layer_types": ["dense", "sparse", "sparse"],
           "prefix_dense_sliding_window_pattern": 1}  # fmt: skip
    for pattern, unrotated in ((1, {2}), (2, {0, 2})):
        report = config({**own, "prefix_dense_sliding_window_pattern": pattern})
        off = {i for x in report.layers if x.scheme == "none" for i in x.indices}
        assert off == unrotated
        assert {x.layout for x in report.layers} == {"interleaved", None}


def test_a_ramp_may_be_a_step():
    (layer,) = config(KIMI).layers
    expected = written_out_yarn(64, 50000.0, 32.0, 4096, 1.0, 1.0)
    np.testing.assert_allclose(layer.frequencies, expected, rtol=1e-12)
    assert (layer.head_dim, layer.layout, layer.attention_scaling) == (192, "interleaved", 1.0)
    assert layer.score_scaling == pytest.approx((0.1 * math.log(32) + 1) ** 2)


def test_the_two_weights_of_the_temperature_are_a_ratio():
    rule = {**KIMI["rope_scaling"], "mscale": 0.707, "mscale_all_dim": 1.0}
    (layer,) = config({**KIMI, "rope_scaling": rule}).layers
    grown = 0.1 * math.log(32)
    assert layer.attention_scaling == pytest.approx((0.707 * grown + 1) / (grown + 1))
    assert layer.score_scaling == pytest.approx((grown + 1) ** 2)


def test_hunyuan_s_alpha_is_one_larger_base_at_every_length():
    own = {**LLAMA, "model_type": "hunyuan_v1_dense", "rope_theta": 10000.0,
           "rope_scaling": {"type": "dynamic", "alpha": 1000.0, "factor": 1.0}}  # fmt: skip
    base = 10000.0 * 1000.0 ** (128 / 126)
    for length in (None, 4096, 100_000):
        np.testing.assert_allclose(
            config(own, length).layers[0].frequencies, base ** (-np.arange(64) / 64), rtol=1e-12
        )
    assert "unknown-keys" not in ids(own)


@pytest.mark.parametrize(
    ("said", "scheme"), [("alibi", "ALiBi"), ("rotary", "rotary"), ("absolute", "learned")]
)
def test_a_key_may_choose_another_scheme_than_a_table(said, scheme):
    bert = {**SETTINGS["bert-base-uncased"], "position_embedding_type": said}
    assert {layer.scheme for layer in config(bert).layers} == {scheme}


def test_an_empty_list_of_layers_without_rotation_is_warned_of_once():
    scout = SETTINGS["llama-4-scout-first-revision"]
    assert "no-rope-layers-means-on" in ids(scout)
    assert "layers-without-positions" not in ids(scout)


def test_keys_that_are_not_understood_are_said():
    own = {**LLAMA, "dual_chunk_attention_config": {"chunk_size": 262144}, "use_logn_attn": False}
    (note,) = config(own).notes
    assert note.startswith("Not read: dual_chunk_attention_config, which")
