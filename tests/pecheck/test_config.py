"""Real settings: the frequencies that transformers computes from them, what each layer is."""

import math

import numpy as np
import pytest

from pecheck import Unreadable, config
from pecheck.configuration import models
from pecheck.configuration.patterns import NO_ATTENTION
from pecode import frequencies
from tests.pecheck import CASES, KIMI, LLAMA, NEW, RECORDS, SETTINGS, YARN

MODELS = models()
EXPECTED = {name: case["expected"] for name, case in RECORDS.items()}
ROTARY = [name for name in RECORDS if "rope" in EXPECTED[name]]


def of_kind(report, kind):
    """The layers that turn, of a kind as transformers names it."""
    turned = [layer for layer in report.layers if layer.rotary_dim]
    names = {"main": "sliding_attention", "compress": "compressed_attention"}
    return turned if kind == "all" else [x for x in turned if x.kind == names.get(kind, kind)]


@pytest.mark.parametrize("name", ROTARY)
def test_frequencies_are_those_of_transformers(name):
    for kind, expected in EXPECTED[name]["rope"].items():
        layers = of_kind(config(SETTINGS[name]), kind)
        assert layers
        for layer in layers:
            np.testing.assert_allclose(layer.frequencies, expected["inv_freq"], rtol=1e-6, atol=0)
            assert f"{layer.attention_scaling:.9g}" == f"{expected['attention_scaling']:.9g}"
        for key in (key for key in expected if key.startswith("inv_freq_")):
            length = int(key.rsplit("_", 1)[1]) if key[-1].isdigit() else 4097
            for layer in of_kind(config(SETTINGS[name], length), kind):
                np.testing.assert_allclose(layer.frequencies, expected[key], rtol=1e-6)


@pytest.mark.parametrize("name", [name for name in RECORDS if "kinds" in EXPECTED[name]])
def test_every_layer_has_the_kind_that_transformers_gives_it(name):
    short = {"compressed_sparse_attention": "compressed_attention"}
    short["heavily_compressed_attention"] = "compressed_attention"
    kinds = {i: layer.kind for layer in config(SETTINGS[name]).layers for i in layer.indices}
    expected = [short.get(kind, kind) for kind in EXPECTED[name]["kinds"]]
    assert [kinds[i] for i in range(len(kinds))] == expected


@pytest.mark.parametrize("name", [name for name in RECORDS if "unrotated" in EXPECTED[name]])
def test_layers_without_positions_are_those_of_transformers(name):
    report, expected = config(SETTINGS[name]), EXPECTED[name]["unrotated"]
    without = [x for x in report.layers if x.scheme == "none" and x.kind not in NO_ATTENTION]
    if expected == "all":
        assert not any(layer.rotary_dim for layer in report.layers)
    else:
        assert sorted(i for layer in without for i in layer.indices) == expected


def test_tables_slopes_buckets_and_scales_are_those_of_transformers():
    seen = set()
    for name, expected in EXPECTED.items():
        layer = config(SETTINGS[name]).layers[0]
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


# Patterns of layers and windows


@pytest.mark.parametrize("case", CASES["patterns"])
def test_which_layers_see_everything_follows_the_pattern(case):
    layers = config({**NEW, "num_hidden_layers": 6, **case["given"]}).layers
    kinds = {i: layer.kind.removesuffix("_attention") for layer in layers for i in layer.indices}
    assert " ".join(kinds[i] for i in range(len(kinds))) == case["kinds"]


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


# At a length


def test_new_angles_are_those_that_training_did_not_reach():
    layer = config(LLAMA, 8192).layers[0]
    reached = frequencies(128, 500000.0) * 4095
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
    then = config(stretched, 4096 * 4).layers[0].at_length
    assert then.new_pairs == ()
    assert config(stretched, 4096 * 4 + 1).layers[0].at_length.new_pairs
    assert (min(then.slowed), max(then.slowed)) == (1, pytest.approx(4))
    assert then.temperature == pytest.approx((0.1 * math.log(4) + 1) ** 2)


def test_the_temperature_of_llama_4_grows_in_layers_without_rotation():
    scout = SETTINGS["llama-4-scout-first-revision"]
    off = next(x for x in config(scout, 8192 * 3).layers if x.scheme == "none")
    assert off.at_length.temperature == pytest.approx(1 + 0.1 * math.log(4))
    for length, factor in ((8192, 1), (8193, 1 + 0.1 * math.log(2))):  # of the last token's index
        (makers,) = config(CASES["bases"]["grown"], length).layers
        assert makers.at_length.temperature == pytest.approx(factor)
        (small,) = config(SETTINGS["mistral-small-4"], length).layers
        assert small.at_length.temperature / small.score_scaling == pytest.approx(factor)


# Several axes


@pytest.mark.parametrize("case", CASES["axes"])
def test_a_model_of_images_has_frequencies_for_each_axis(case):
    settings, widths = case["given"], case["widths"]
    (layer,) = config(settings).layers
    expected = [case["base"] ** (-2 * k / n) for n in widths for k in range(n // 2)]
    np.testing.assert_allclose(layer.frequencies, expected, rtol=1e-12)
    assert layer.axes == tuple(case["axes"].split())
    assert layer.grid == tuple(case.get("grid", [None] * len(widths)))
    assert layer.sections == tuple(n // 2 for n in widths)
    assert layer.layout == "interleaved"
    blocks = settings["num_layers"] + settings.get("num_single_layers", 0)
    assert layer.indices == tuple(range(blocks))


def test_coordinates_across_a_picture_make_a_step_depend_on_its_patches():
    """DINOv3; transformers 5.23's `DINOv3ViTRopePositionEmbedding` turns by the same angles."""
    dino = {"model_type": "dinov3_vit", "hidden_size": 384, "num_attention_heads": 6,
            "num_hidden_layers": 12, "image_size": 224, "patch_size": 16}  # fmt: skip
    (layer,) = config(dino).layers
    omega = 4 * np.pi / 14 * 100.0 ** (-np.arange(16) / 16)
    np.testing.assert_allclose(layer.frequencies, np.tile(omega, 2), rtol=1e-12)
    assert (layer.layout, layer.axes, layer.grid) == ("half", ("row", "column"), (14, 14))
    silent = config({k: v for k, v in dino.items() if k != "patch_size"})
    assert "patch_size is absent: 16 is the default of dinov3_vit." in silent.notes


@pytest.mark.parametrize(("name", "in_turn"), [("qwen3-vl-4b", True), ("qwen2-vl-7b", False)])
def test_axes_take_pairs_in_turn_or_in_blocks(name, in_turn):
    (layer,) = config(MODELS[name]["settings"]).layers
    assert layer.sections_in_turn is in_turn
    assert ("in turn" in str(config(MODELS[name]["settings"]))) is in_turn
    assert config(MODELS["qwen3-8b"]["settings"]).layers[0].sections_in_turn is None


@pytest.mark.parametrize(("name", "pairs", "ends"), CASES["vision"])
def test_the_part_for_images_is_read_too(name, pairs, ends):
    report = config(SETTINGS[name], 8192)
    (vision,) = report.vision
    assert vision.sections == (pairs, pairs)
    np.testing.assert_allclose(vision.frequencies.reshape(2, pairs)[:, [0, -1]], ends, rtol=1e-6)
    assert not any("vision_config was not read" in note for note in report.notes)


@pytest.mark.parametrize(("name", "layout", "axes"), CASES["axial"])
def test_the_rule_axial_has_the_same_frequencies_for_rows_and_columns(name, layout, axes):
    """As transformers 5.23 writes the parts for images; its modules compute the same ladder."""
    eyes = {"model_type": name, "hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 2,
            "rope_parameters": {"rope_type": "axial", "rope_theta": 1e4}}  # fmt: skip
    report = config(eyes)
    (layer,) = report.layers
    np.testing.assert_allclose(layer.frequencies, [1, 0.1, 0.01, 0.001] * 2)
    assert (layer.layout, layer.axes[0], report.warnings) == (layout, axes, ())
    with pytest.raises(Unreadable, match="'eyes' is a model of images that is not in the table"):
        config({**eyes, "model_type": "eyes"})


# Settings that were not among the published ones


def test_a_ramp_may_be_a_step_and_two_weights_are_a_ratio():
    (layer,) = config(KIMI).layers
    last = math.ceil(64 * math.log(4096 / (2 * math.pi)) / (2 * math.log(50000)))
    omega = frequencies(64, 50000.0)
    omega[last:] /= 32.0
    np.testing.assert_allclose(layer.frequencies, omega, rtol=1e-12)
    grown = 0.1 * math.log(32)
    assert (layer.layout, layer.attention_scaling) == ("interleaved", 1.0)
    assert layer.score_scaling == pytest.approx((grown + 1) ** 2)
    (layer,) = config({**KIMI, "rope_scaling": {**KIMI["rope_scaling"], "mscale": 0.707}}).layers
    assert layer.attention_scaling == pytest.approx((0.707 * grown + 1) / (grown + 1))
    assert layer.score_scaling == pytest.approx((grown + 1) ** 2)


def test_hunyuan_s_alpha_is_one_larger_base_at_every_length():
    own = {**LLAMA, "model_type": "hunyuan_v1_dense", "rope_theta": 10000.0,
           "rope_scaling": {"type": "dynamic", "alpha": 1000.0, "factor": 1.0}}  # fmt: skip
    expected = frequencies(128, 10000.0 * 1000.0 ** (128 / 126))
    for length in (None, 100_000):
        layer = config(own, length).layers[0]
        np.testing.assert_allclose(layer.frequencies, expected, rtol=1e-12)


# What people met in public threads: the smallest settings, and the answer that was right


def listed(value):
    return list(value) if isinstance(value, tuple) else value


@pytest.mark.parametrize("case", CASES["fields"])
def test_settings_of_a_report_are_read_as_their_code_reads_them(case):
    layer = config(case["given"]).layers[-1]
    assert {name: listed(getattr(layer, name)) for name in case["layer"]} == case["layer"]


def test_two_rules_of_makers_files_have_the_reported_wavelengths():
    nomic = {**CASES["bases"]["nomic"], "rotary_scaling_factor": 2, "max_trained_positions": 2048}
    assert config(nomic, 8192).layers[0].wavelengths.max() == pytest.approx(35443, abs=1)
    step = config({**LLAMA, "rope_scaling": CASES["bases"]["step"]}).layers[0]
    slower = np.where(2 * math.pi / step.plain > 8192, 16, 1)
    np.testing.assert_array_equal((step.plain / step.frequencies).round(9), slower)


@pytest.mark.parametrize("case", CASES["waves"])
def test_makers_files_without_a_rule_turn_as_their_code_does(case):
    layer = config(case["given"]).layers[0]
    np.testing.assert_allclose(layer.wavelengths[case["pairs"]], case["waves"], rtol=1e-9)


@pytest.mark.parametrize("case", CASES["said"])
def test_the_answer_has_the_words_that_a_report_needed(case):
    said = str(config(case["given"]))
    assert case["says"] in said
    assert case["lacks"] not in said
    assert case["lacks"] != "!" or case["says"] not in str(config(LLAMA))


FACTORS = [[], [1.0], "1.0", [None] * 64, ["a"] * 64, [0.0] * 64, [math.nan] * 64]


@pytest.mark.parametrize("factors", [*FACTORS, None])
@pytest.mark.parametrize("inside", [False, True])
def test_strange_lists_of_factors_are_refused_in_a_sentence(factors, inside):
    for name in ("short_factor", "long_factor"):
        rule = {"rope_type": "longrope", "short_factor": [1.0] * 64, "long_factor": [2.0] * 64,
                "original_max_position_embeddings": 1024, name: factors}  # fmt: skip
        own = {**NEW, "rope_scaling": {"full_attention": rule} if inside else rule}
        with pytest.raises(Unreadable, match=r"factors?: "):
            config(own, 4096 if name == "long_factor" else None)
        if factors is None:  # of the list that a text of this length does not need
            assert str(config(own, None if name == "long_factor" else 4096))
