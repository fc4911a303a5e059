"""The tests for running models on the page "In your framework" pass sound models and no others."""

import inspect
import re
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

import pecode.formulas
from publishing.home import ROOT
from tests import data
from tests.conformance.case import defined_in, load

PAGE = (ROOT / "appendices" / "frameworks.md").read_text("utf-8")
GLOSSARY = (ROOT / "appendices" / "glossary.md").read_text("utf-8")
DATA = data("book/models.yml")
# The functions of the file, and what the page calls Rotary
code = defined_in("pytorch_running.py", "pytorch_positions.py", packages=("torch", "transformers"))
torch, transformers = load("torch"), load("transformers")
attend = torch.nn.functional.scaled_dot_product_attention


def made(name, **more):
    """A small model of the list with random weights, and with more said in its file."""
    kind = name.split()[0]
    torch.manual_seed(0)
    config = getattr(transformers, f"{kind}Config")(**DATA["models"][name] | more)
    model = getattr(transformers, DATA["heads"].get(kind, f"{kind}ForCausalLM"))
    model = model(config).eval().requires_grad_(False)
    for parameter in model.parameters():  # as they come, weights are too small to matter
        parameter.mul_(5 if parameter.ndim > 1 else 1)
    return model


def text(length, seed=1):
    return torch.randint(1, 32, (1, length), generator=torch.Generator().manual_seed(seed))


# Two texts in a row
TEXTS, BOUNDARIES = (text(5), text(7, seed=2)), torch.tensor([0, 5, 12])
IDS, OF = code.from_cu_seqlens(BOUNDARIES)  # their position IDs, and which each token is of


def additive(seen):
    return torch.where(seen, 0.0, -torch.inf)[None, None]


def second_is_as_alone(model, **options):
    row = model(torch.cat(TEXTS, dim=1), position_ids=IDS[None], **options).logits
    return torch.allclose(row[:, 5:], model(TEXTS[1]).logits, atol=1e-4)


# Programs that give a model IDs which count something else


def counted(model, ids, attention_mask=None, **options):
    (line,) = re.findall(r"`(\(attention_mask\.cumsum.*?)`", PAGE)
    at = None if attention_mask is None else eval(line, {"attention_mask": attention_mask})
    return model(ids, attention_mask=attention_mask, position_ids=at, **options)


def mixed(model, ids, attention_mask=None, cache=None, **options):
    if cache is None and attention_mask is not None:
        options["position_ids"] = (attention_mask.cumsum(-1) - 1).clamp(min=0)
    elif cache is not None:
        options["position_ids"] = torch.tensor([[cache.get_seq_length()]])
    return model(ids, attention_mask=attention_mask, cache=cache, **options)


def restarting(model, ids, attention_mask=None, cache=None, **options):
    at = attention_mask.cumsum(-1) - 1 if attention_mask is not None else None
    if ids.shape[1] > 1 and cache is not None:
        at = torch.arange(ids.shape[1])[None]
    at = at if at is None else at[:, -ids.shape[1] :].clamp(min=0)
    return model(ids, attention_mask=attention_mask, cache=cache, position_ids=at, **options)


def late(model, ids, cache=None, **options):
    if cache is not None:
        options["position_ids"] = torch.tensor([[cache.get_seq_length() + 1]])
    return model(ids, cache=cache, **options)


PROGRAMS = {each.__name__: each for each in (counted, mixed, restarting, late)}


@pytest.mark.parametrize("row", DATA["steps"], ids=str)
def test_steps_are_one_pass_where_no_program_counts_otherwise(row):
    model = made(row["model"], **row.get("file", {}))
    read = partial(PROGRAMS[row["program"]], model) if "program" in row else model
    options = {key: row[key] for key in ("prompt", "padding", "chunk") if key in row}
    assert code.steps_are_one_pass(read, text(row.get("length", 12)), **options) is row["sound"]


@pytest.mark.parametrize("row", DATA["reach"], ids=str)
def test_a_window_reaches_as_far_as_it_says(row):
    assert code.reach(made(row["model"], **row["file"]), text(16)) == row["reach"]


@pytest.mark.parametrize("row", DATA["packed"], ids=str)
def test_a_packed_text_is_as_alone_where_ids_or_masks_end_the_one_before(row):
    options = {key: row[key] for key in ("masked", "blocks", "rows") if key in row}
    first, second = row.get("lengths", (5, 7))
    texts = text(first), text(second, seed=2)
    assert code.packed_is_as_alone(made(row["model"]), *texts, **options) is row["sound"]


@pytest.mark.parametrize("kind", ["Bert", "ModernBert"])
def test_an_encoder_needs_a_mask_of_blocks(kind):
    model = made(kind)
    if kind == "Bert":  # it takes no dictionary of masks
        with pytest.raises(AttributeError, match="'dict' object has no attribute"):
            model(text(5), attention_mask={"full_attention": None})
    assert not second_is_as_alone(model, attention_mask=None)
    assert second_is_as_alone(model, attention_mask=additive(OF[:, None] == OF))


@pytest.mark.parametrize("kind", ["GptOss", "Gemma3Text", "ModernBert"])
def test_longer_than_a_window_each_kind_of_layer_needs_a_mask_of_its_own(kind):
    window, encoder = 4, kind == "ModernBert"
    more = {"local_attention": 2 * window} if encoder else {"sliding_window": window}
    model = made(f"{kind} with a window", **more)
    offset, same = IDS[:, None] - IDS, OF[:, None] == OF
    seen = same if encoder else same.tril()
    near = seen & (offset.abs() <= window if encoder else offset < window)
    names = {"mask": additive(seen), "windowed": additive(near)}
    (line,) = re.findall(r"`(\{\"full_attention\".*?\})`", PAGE)
    assert second_is_as_alone(model, attention_mask=eval(line, names))


@pytest.mark.parametrize("kind", ["Qwen3_5Text", "GraniteMoeHybrid with mamba"])
def test_layers_that_recur_need_the_boundaries_as_arguments(kind, monkeypatch):
    model = made(kind)
    (line,) = re.findall(r"`(DataCollatorWithFlattening\(.*?\))`", PAGE)
    collator = eval(line, {"DataCollatorWithFlattening": transformers.DataCollatorWithFlattening})
    row = collator([{"input_ids": each[0].tolist()} for each in TEXTS], return_tensors="pt")
    assert (row.pop("labels") == -100).nonzero()[:, 1].tolist() == [0, 5]
    (said,) = re.findall("(can't keep packed .*?)”", PAGE)
    with pytest.raises(ValueError, match=said):
        model(**row, use_cache=False)
    if kind.startswith("Granite"):
        return
    modeling = load("transformers.models.qwen3_5.modeling_qwen3_5")
    names = "causal_conv1d_fn", "torch_chunk_gated_delta_rule"
    convolve, recur = (inspect.unwrap(getattr(modeling, name)) for name in names)

    def convolved(x, *rest, seq_idx, activation, **_):
        texts = x.split(seq_idx[0].bincount().tolist(), dim=-1)
        return torch.cat([convolve(each, *rest, activation=activation) for each in texts], dim=-1)

    def recurred(*qkv, g, beta, cu_seqlens, **options):
        lengths = cu_seqlens.diff().tolist()
        texts = zip(*(x.split(lengths, dim=1) for x in (*qkv, g, beta)), strict=True)
        each = [recur(*x[:3], g=x[3], beta=x[4], **options)[0] for x in texts]
        return torch.cat(each, dim=1), None

    for name, kernel in zip(names, (convolved, recurred), strict=True):
        monkeypatch.setattr(modeling, name, kernel)
    row = model(**row, use_cache=False).logits[:, 5:]
    monkeypatch.undo()
    assert torch.allclose(row, model(TEXTS[1]).logits, atol=1e-4)


def test_boundaries_of_a_kernel_and_its_call_are_those_of_the_page():

    def kernel(q, k, v, *rest, causal):  # as flash-attn documents it
        assert [each.dtype for each in rest[:2]] == [torch.int32] * 2
        assert rest[2:] == (7, 7)
        texts = [[x[a:b].swapaxes(0, 1) for x in (q, k, v)] for a, b in rest[0].unfold(0, 2, 1)]
        return torch.cat([attend(*each, is_causal=causal).swapaxes(0, 1) for each in texts])

    (block,) = re.findall(r"(?ms)^```python\n(cu_seqlens = .*?)^```", PAGE)
    q, k, v = torch.randn(3, 12, 2, 8)
    rotary = code.Rotary(8, "half")
    names = vars(code) | {"torch": torch, "rotary": rotary, "flash_attn_varlen_func": kernel}
    exec(block, names | (found := {"q": q, "k": k, "v": v}), found)
    alone = [x[5:].swapaxes(0, 1) for x in (q, k, v)]
    alone = [*(rotary(x, torch.arange(7)) for x in alone[:2]), alone[2]]
    expected = attend(*alone, is_causal=True)
    assert torch.allclose(found["out"][5:], expected.swapaxes(0, 1), atol=1e-5)


@pytest.mark.filterwarnings("ignore:flex_attention called without torch.compile")
@pytest.mark.parametrize("bidirectional", [True, False])
def test_the_bias_of_t5_is_looked_up_in_a_kernel(bidirectional):
    length, longest, decoder = 40, 50, not bidirectional  # beyond the nearest offsets
    config = transformers.T5Config(d_model=16, d_kv=8, num_heads=2, is_decoder=decoder)
    attention = load("transformers.models.t5.modeling_t5").T5Attention
    layer = attention(config, has_relative_attention_bias=True, layer_idx=0).requires_grad_(False)
    q, k, v = torch.randn(3, 1, 2, length, 8)
    scores = q @ k.mT + layer.compute_bias(length, length)
    (line,) = re.findall(r"`(weight\[t5_buckets.*?)`", PAGE)
    names = {"np": np, "longest": longest, "weight": layer.relative_attention_bias.weight}
    buckets = partial(pecode.formulas.t5_buckets, bidirectional=bidirectional)
    by_offset = eval(line, names | {"t5_buckets": buckets})
    expected = scores.softmax(-1) @ v
    for new in (length, 5, 1):  # queries; the other keys are in a cache
        found = code.t5_attention(q[:, :, -new:], k, v, by_offset)
        assert torch.allclose(found, expected[:, :, -new:], atol=1e-5)


@pytest.mark.filterwarnings("ignore:flex_attention called without torch.compile")
@pytest.mark.filterwarnings("ignore:The .grad attribute of a Tensor that is not a leaf")
def test_the_bias_of_t5_learns_when_it_is_made_in_every_step():
    n = 6
    weight = torch.randn(32, 2, requires_grad=True)
    (line,) = re.findall(r"`(weight\[t5_buckets.*?)`", PAGE)
    names = {"np": np, "longest": n, "weight": weight, "t5_buckets": pecode.formulas.t5_buckets}
    q, k, v = torch.randn(3, 1, 2, n, 16)

    def gradient(attention, by_offset):
        weight.grad = None
        attention(by_offset).square().sum().backward()
        return weight.grad

    def sdpa(by_offset, **more):
        bias = by_offset[:, torch.arange(n) - torch.arange(n)[:, None] + n - 1]
        return attend(q, k, v, attn_mask=bias[None], scale=1.0, **more)

    flex = partial(code.t5_attention, q, k, v)
    kept = eval(line, names)
    right = gradient(sdpa, eval(line, names))
    assert torch.allclose(gradient(flex, kept), right, atol=1e-4)
    assert right.abs().max() > 0.1
    with pytest.raises(RuntimeError, match="backward through the graph a second time"):
        gradient(flex, kept)
    with torch.no_grad():
        fixed = eval(line, names)
    assert not flex(fixed).requires_grad
    with pytest.raises(RuntimeError, match="is_causal"):
        sdpa(fixed, is_causal=True)


@pytest.mark.parametrize("block", [1, 4])
@pytest.mark.parametrize("named_by", ["all", "tokens", "parents"])
def test_a_block_that_is_not_named_by_all_that_shaped_it_is_found(block, named_by):
    models = [made("Llama"), made("Llama")]
    models[1].lm_head.weight.mul_(2)  # as an adapter does

    def alone(request):
        adapter, ids = request
        return models[adapter](ids).logits

    blocks = {}

    def serve(request):
        adapter, ids = request
        rows, kept = alone(request)[0].split(block), []
        for i, (piece, row) in enumerate(zip(ids[0].split(block), rows, strict=True)):
            name = (i, *piece.tolist()) if named_by == "tokens" else ids[0, : block * (i + 1)]
            name = (adapter * (named_by == "all"), *map(int, name))
            kept.append(blocks.setdefault(name, row))
        return torch.cat(kept)[None]

    other = text(12)
    other[0, 0] = (other[0, 0] + 1) % 32
    request = (0, text(12))
    for before, right in (((0, other), ("all", "parents")), ((1, text(12)), ("all",))):
        blocks.clear()
        found = code.blocks_know_what_shaped_them(serve, alone, before, request)
        assert found is (named_by in right)


def test_a_draft_that_leaves_its_keys_or_its_ids_is_found(monkeypatch):
    model = made("Llama")
    assert code.a_draft_leaves_no_trace(model, text(12), text(3, seed=2))

    def behind_the_draft(ids, **options):  # the IDs of the draft are not given back
        if ids.shape[1] == 8:
            options["position_ids"] = torch.arange(7, 15)[None]
        return model(ids, **options)

    assert not code.a_draft_leaves_no_trace(behind_the_draft, text(12), text(3, seed=2))
    cache = type(model(text(4), use_cache=True).cache)
    monkeypatch.setattr(cache, "crop", lambda self, length: None)
    assert not code.a_draft_leaves_no_trace(model, text(12), text(3, seed=2))


@pytest.mark.filterwarnings("ignore:flex_attention called without torch.compile")
def test_packed_texts_in_one_kernel_have_the_bias_and_the_mask():
    slopes, seen = torch.tensor([0.5, 0.25]), (OF[:, None] == OF).tril()
    q, k, v = torch.randn(3, 1, 2, 12, 16)
    scores = q @ k.mT / 4 + code.alibi_bias(8, IDS, IDS)[:2]
    expected = torch.where(seen, scores, -torch.inf).softmax(-1) @ v
    assert torch.allclose(code.packed_alibi(q, k, v, slopes, BOUNDARIES), expected, atol=1e-5)
    last, (keys, values) = q[..., -1:, :], (x[..., 5:, :] for x in (k, v))  # of the second text
    decoded = attend(last, keys, values, attn_mask=code.alibi_bias(8, IDS[-1:], IDS[5:])[:2])
    assert torch.allclose(decoded, expected[..., -1:, :], atol=1e-5)


def test_a_long_packed_row_needs_no_square_mask():
    for each in code.from_cu_seqlens(torch.tensor([0, 60_000, 10**6])):
        assert each.shape == (10**6,)


def test_between_passes_a_window_keeps_one_key_less():
    cache = made("Gemma3Text with a window", sliding_window=4)(text(12), use_cache=True).cache
    assert [layer.keys.shape[-2] for layer in cache.layers] == [3, 12]


@pytest.mark.parametrize("kind", ["Gemma3Text", "GptOss"])
def test_a_draft_can_be_taken_back_from_a_full_window(kind, monkeypatch):
    model = made(f"{kind} with a window", sliding_window=4)
    assert code.a_draft_leaves_no_trace(model, text(12), text(3, seed=2), prompt=6)
    cache = type(model(text(4), use_cache=True).cache)
    monkeypatch.setattr(cache, "activate_past_recording", lambda self: None)
    with pytest.raises(RuntimeError, match="sliding window size was already reached"):
        code.a_draft_leaves_no_trace(model, text(12), text(3, seed=2), prompt=6)


def test_rows_that_accept_different_numbers_have_ids_of_their_own():
    model, rest = made("Llama"), (text(12), text(3, seed=2), [0, 1, 3])
    assert code.rows_accept_their_own_numbers(model, *rest)

    def as_many_as_columns(ids, position_ids=None, **options):
        return model(ids, **options, position_ids=position_ids * 0 + position_ids.max())

    def counting(ids, **options):
        return (as_many_as_columns if "position_ids" in options else model)(ids, **options)

    assert not code.rows_accept_their_own_numbers(counting, *rest)


@pytest.mark.parametrize("length", [7, 8, 9, 12])
@pytest.mark.parametrize("name", ["Llama", "Gemma3Text with a window"])
def test_siblings_that_see_each_other_are_found(name, length):
    model = made(name)
    assert code.a_tree_is_its_paths(model, text(length), text(1, seed=2))
    assert not code.a_tree_is_its_paths(model, text(length), text(1, seed=2), masked=False)


@pytest.mark.parametrize("row", DATA["angles"], ids=str)
def test_each_kind_of_layer_is_compared_with_its_own_base(row):
    model = made(row["model"], **row.get("file", {})).to(getattr(torch, row.get("type", "float32")))
    least, most = row["error"]
    assert least <= code.angle_error(model, **row["bases"]) < most


def test_an_angle_without_its_base_is_refused():
    with pytest.raises(KeyError, match="sliding_attention_inv_freq"):
        code.angle_error(made("Gemma3Text with a window"), full_attention_inv_freq=1e6)


@pytest.mark.parametrize("name", ["sliding_attention_inv_freq", "full_attention_inv_freq"])
def test_memory_that_was_never_filled_is_found_and_computed_again(name):
    bases = DATA["angles"][-1]["bases"]
    model = made("Gemma3Text with a window")
    model.model.rotary_emb.get_buffer(name).fill_(float("nan"))
    assert not code.angle_error(model, **bases) < 1e-3
    model.model.rotary_emb.__init__(model.config)  # as the page says
    assert code.angle_error(model, **bases) < 1e-3


def pictured(ids, pixels, grids):
    """What a model is given with pictures, in whose places the text has 33."""
    return {"input_ids": ids, "pixel_values": pixels, "image_grid_thw": grids,
            "mm_token_type_ids": (ids == 33).int()}  # fmt: skip


@pytest.mark.parametrize("family", ["Qwen2_5_VL", "Qwen3VL"])
def test_a_text_behind_an_image_needs_its_deltas_taken_away(family):
    model = made(family)
    picture = torch.tensor([[1] * 3 + [33] * 16 + [2] * 3])  # 4 x 4 tokens of four patches each
    model(**pictured(picture, torch.randn(64, 3 * 2 * 4 * 4), torch.tensor([[1, 8, 8]])))
    said = r"After (\d+) tokens, of which an image takes 4 × 4, it is −(\d+), .*? ID is (\d+)\."
    tokens, less, following = map(int, re.search(said, GLOSSARY).groups())
    assert tokens == picture.shape[1]
    assert model.model.rope_deltas.tolist() == [[-less]]
    assert tokens - less == following
    cached = model(text(8), use_cache=True).cache
    token = model(text(1), cache=cached, use_cache=True).logits
    alone = model(torch.cat((text(8), text(1)), dim=1)).logits[:, -1:]
    assert not torch.allclose(token, alone, atol=1e-4)
    (line,) = set(re.findall(r"`(model\.model\.rope_deltas = None)`", PAGE + GLOSSARY))
    exec(line)
    assert code.steps_are_one_pass(model, text(12))
    assert code.a_draft_leaves_no_trace(model, text(12), text(3, seed=2))


@pytest.mark.parametrize("family", ["Qwen2_5_VL", "Qwen3VL"])
@pytest.mark.parametrize("padding", [0, 3])
def test_a_picture_in_a_later_turn_needs_ids_of_all_turns(family, padding):
    model = made(family)
    turns = [torch.tensor([[1] * 2 + [33] * n + [2] * 3]) for n in (16, 4)]
    turns[0] = torch.nn.functional.pad(turns[0], (padding, 0))
    mask = (torch.arange(sum(each.shape[1] for each in turns) + 1) >= padding).long()[None]
    pixels = torch.randn(64, 96), torch.randn(16, 96)
    grids = torch.tensor([[1, 8, 8]]), torch.tensor([[1, 4, 4]])
    whole, start, token = torch.cat((*turns, text(1)), dim=1), turns[0].shape[1], text(1)
    numbered, stored = re.findall(
        r"`(ids, delta = model.*?\)|model\.model\.rope_deltas = delta)`", GLOSSARY
    )

    def read(by_hand):
        """The logits of the second turn and of one written token."""
        model.model.rope_deltas = None
        cache, more = None, {}
        for turn, pixel, grid in zip(turns, pixels, grids, strict=True):
            if cache is not None and by_hand:
                names = pictured(whole[:, :-1], pixels, torch.cat(grids))
                names |= {"model": model, "mask": mask[:, :-1]}
                exec(numbered, names)
                more = {"position_ids": names["ids"][..., start:], "attention_mask": mask[:, :-1]}
            elif by_hand:
                more = {"attention_mask": mask[:, :start]}
            seen = model(**pictured(turn, pixel, grid), cache=cache, use_cache=True, **more)
            cache, more = seen.cache, {}
        if by_hand:
            exec(stored, names)
            at = mask.sum() - 1 + model.model.rope_deltas
            more = {"attention_mask": mask, "position_ids": at.expand(3, 1, 1)}
        last = model(token, cache=cache, use_cache=True, **more).logits
        return torch.cat((seen.logits, last), dim=1)

    found = {by_hand: read(by_hand) for by_hand in (False, True)}
    model.model.rope_deltas = None
    both = pictured(whole, torch.cat(pixels), torch.cat(grids))
    right = model(**both, attention_mask=mask).logits[:, start:]
    assert torch.allclose(found[True], right, atol=1e-3)
    assert not torch.allclose(found[False], right, atol=0.1)


def rope_index(family, kinds, **of_pictures):
    """The IDs and the delta that a model gives tokens of these kinds; no weights are needed."""
    model = SimpleNamespace(config=getattr(transformers, f"{family}Config")())
    kind = getattr(transformers, f"{family}Model")
    model.get_vision_position_ids = partial(kind.get_vision_position_ids, model)
    return kind.get_rope_index(model, kinds + 5, kinds, **of_pictures)


@pytest.mark.parametrize("family", ["Qwen2VL", "Qwen2_5_VL"])
def test_behind_a_video_the_prompt_goes_on_inside_of_its_time(family):
    kinds = torch.tensor([[0] * 2 + [2] * 80 + [0] * 3])  # 20 steps of 2 x 2 tokens
    film = {"video_grid_thw": torch.tensor([[20, 4, 4]]), "second_per_grid_ts": torch.tensor([1.0])}
    ids, delta = rope_index(family, kinds, **film)
    assert ids[:, 0, -3:].tolist() == [[4, 5, 6]] * 3
    assert kinds.shape[1] + delta == ids.max() + 1 > 20


@pytest.mark.parametrize("family", ["Qwen2_5_VL", "Qwen3VL"])
@pytest.mark.parametrize("padding", [0, 3])
@pytest.mark.parametrize("turns", [1, 2])
def test_the_line_of_the_glossary_counts_pictures_and_no_padding(family, padding, turns):
    (line,) = re.findall(r"`(position_ids\[.*?)`", GLOSSARY)
    kinds = torch.tensor([[0] * padding + ([0] * 3 + [1] * 6 + [0] * 4) * turns])
    mask = (torch.arange(kinds.shape[1]) >= padding).long()[None]
    grid = torch.tensor([[1, 4, 6]] * turns)  # in patches, of which four make a token
    options = {"image_grid_thw": grid, "attention_mask": mask}
    position_ids, rope_deltas = rope_index(family, kinds, **options)
    names = {"position_ids": position_ids, "mask": mask, "rope_deltas": rope_deltas}
    assert eval(line, names).all()
    counted = torch.cat(((mask.cumsum(-1) - 1)[None], position_ids))  # as `generate` has them
    assert eval(line, names | {"position_ids": counted}).all()
    assert not eval(line, names | {"rope_deltas": 0 * rope_deltas}).any()
    columns = names | {"mask": torch.ones_like(mask)}
    assert eval(line, columns).all().item() is (padding == 0)


def test_what_the_glossary_says_of_boundaries_and_of_seconds():
    flash = load("transformers.modeling_flash_attention_utils")
    ids = torch.tensor([20, 21, 22, 0, 1, 2, 3])
    (boundaries, _), _ = flash.prepare_fa_kwargs_from_position_ids(ids[None])
    assert boundaries.tolist() == [3, 7]
    assert [0, *(ids.diff() != 1).nonzero()[:, 0] + 1, len(ids)] == [0, 3, 7]
    split, joined = re.findall(r"`(?:p = )?(np\.(?:split|concatenate).*?)`", GLOSSARY)
    names = {"np": np, "n": 12, "P": 3, "r": 1}
    assert eval(joined, names | {"p": eval(split, names)}).tolist() == [2, 3, 8, 9]
    vision, interval = transformers.Qwen2_5_VLModel.get_vision_position_ids, 2 * 0.4
    times = vision(None, 7, torch.tensor([5, 2, 2]), 1, 2, interval)[0]
    assert times.tolist() == [7, 7, 8, 9, 10]
    assert vision(None, 7, torch.tensor([5, 2, 2]), 1, 2, int(interval))[0].unique() == 7


@pytest.mark.filterwarnings("ignore")  # of the tracer
@pytest.mark.parametrize(("start", "by_export", "right"), DATA["exports"])
def test_the_line_of_the_page_finds_positions_that_an_export_froze(start, by_export, right):

    class Module(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.encoding, self.seen = code.SinusoidalEncoding(8), 12

        def forward(self, x, keys):
            n = {"seen": lambda: self.seen, "int": lambda: int(keys.shape[0]),
                 "len": lambda: len(keys), "tensor": lambda: torch.tensor([keys.shape[0]]),
                 "shape": lambda: keys.shape[0]}[start]()  # fmt: skip
            self.seen += 1
            return self.encoding(x, n + torch.arange(1))

    module, example, later = Module(), *((torch.ones(1, 8), torch.ones(n, 8)) for n in (12, 13))
    if by_export:
        lengths = (None, {0: torch.export.Dim.DYNAMIC})
        exported = torch.export.export(module, example, dynamic_shapes=lengths).module()
    else:
        exported = torch.jit.trace(module, example)
    assert torch.equal(exported(*example), Module()(*example))
    module.seen = 13  # it has read the example
    (line,) = re.findall(r"`assert (torch\.allclose\(exported.*?)`", PAGE)
    names = {"torch": torch, "exported": exported, "module": module, "later": later}
    assert eval(line, names) is right


@pytest.mark.filterwarnings("ignore")  # of the tracer
@pytest.mark.parametrize("rope_type", ["default", "dynamic"])
def test_a_trace_keeps_the_branch_that_a_dynamic_rule_took(rope_type):
    rule = {"rope_type": rope_type, "factor": 4.0, "rope_theta": 10_000.0}
    rotary = made("Llama", rope_parameters=rule, max_position_embeddings=8).model.rotary_emb
    x, short, long = torch.ones(1, 1, 32), torch.arange(4)[None], torch.arange(12)[None]
    traced = torch.jit.trace(rotary, (x, short))
    assert torch.equal(traced(x, long)[0], rotary(x, long)[0]) is (rope_type == "default")


def test_the_errors_of_the_page_are_those_of_the_library():
    rules = load("transformers.modeling_rope_utils").ROPE_INIT_FUNCTIONS
    config = transformers.LlamaConfig(**DATA["decoder"], rope_theta=500_000.0)
    with pytest.raises(AttributeError, match="object has no attribute 'rope_theta'"):
        _ = config.rope_theta
    assert config.rope_parameters["rope_theta"] == 500_000
    assert "default" not in rules
    (name,) = re.findall(r'`ROPE_INIT_FUNCTIONS\["default"\] = (\w+)\.compute_default', PAGE)
    rotary = getattr(load("transformers.models.llama.modeling_llama"), name)
    frequencies, _ = rotary.compute_default_rope_parameters(config)
    assert torch.allclose(frequencies, 500_000 ** -(torch.arange(8) / 8))
    part = transformers.GPTNeoXConfig(hidden_size=32, num_attention_heads=2, rotary_pct=0.5)
    rotary = load("transformers.models.gpt_neox.modeling_gpt_neox").GPTNeoXRotaryEmbedding
    assert rotary.compute_default_rope_parameters(part)[0].shape == (4,)
    rule = {"rope_type": "yarn", "factor": 4.0}
    config = transformers.LlamaConfig(rope_parameters=rule, max_position_embeddings=64)
    assert config.rope_parameters["original_max_position_embeddings"] == 64
    (said,) = re.findall(r"in BERT, `(.*?) \(600\)", PAGE)
    sizes = DATA["sizes"]
    with pytest.raises(RuntimeError, match=rf"{said} \(600\) must match the existing size \(512\)"):
        transformers.BertModel(transformers.BertConfig(**sizes))(torch.full((1, 600), 5))
    with pytest.raises(IndexError, match="index out of range in self"):
        made("GPT2", n_positions=8)(text(9))
    config = transformers.RobertaConfig(**sizes, max_position_embeddings=514)
    model = transformers.RobertaModel(config).eval()
    model(torch.full((1, 512), 5))
    with pytest.raises(RuntimeError, match="out of bounds"):
        model(torch.full((1, 513), 5))


def test_generate_counts_tokens_and_a_plain_call_columns(monkeypatch):
    model, ids, said = made("Llama"), text(4), []
    mask = torch.tensor([[0, 0, 1, 1]])
    rotary = model.model.rotary_emb
    turn, seen = rotary.forward, []

    def noting(x, position_ids):
        seen.append(position_ids.tolist()[0])
        return turn(x, position_ids)

    monkeypatch.setattr(rotary, "forward", noting)
    model(ids, attention_mask=mask)
    model.generate(ids, attention_mask=mask, max_new_tokens=2, min_new_tokens=2)
    assert seen == [[0, 1, 2, 3], [0, 0, 0, 1], [2]]
    warned = "transformers.generation.utils.logger.warning"
    monkeypatch.setattr(warned, said.append)
    two = ids.repeat(2, 1), mask.flip(1).repeat(2, 1)
    model.generate(two[0], attention_mask=two[1], max_new_tokens=1, pad_token_id=0)
    assert "right-padding was detected" in said[0]


def test_keys_that_move_need_one_turn():
    keys, positions = torch.randn(2, 6, 8), torch.arange(6)
    rotary = code.Rotary(8, "half")
    assert code.turned_again(rotary, keys, positions, 5)

    def wrong(x, at):  # counts from 1, so that every turn is one too far
        return rotary(x, at + 1)

    assert not code.turned_again(wrong, keys, positions, 5)


def test_each_position_has_its_own_share():
    targets = torch.tensor([[0, 1, 1], [0, 0, 1]])
    logits = torch.nn.functional.one_hot(torch.tensor([[0, 1, 0], [0, 1, 0]]), 2)
    assert code.by_position(logits, targets).tolist() == [1.0, 0.5, 0.0]


def test_loading_in_bfloat16_keeps_frequencies_and_a_move_rounds_them(tmp_path):
    model = made("Llama")
    model.save_pretrained(tmp_path)
    loaded = type(model).from_pretrained(tmp_path, dtype=torch.bfloat16)
    assert loaded.lm_head.weight.dtype == torch.bfloat16
    assert loaded.model.rotary_emb.inv_freq.dtype == torch.float32
    (said,) = re.findall(r"After a later (.*), compute it again", PAGE)
    for move in re.findall("`(.*?)`", said):
        moved = eval(f"model{move}", {"model": made("Llama"), "torch": torch})
        assert moved.model.rotary_emb.inv_freq.dtype in (torch.bfloat16, torch.float16)


def test_nomic_stretches_itself_by_the_rule_of_the_page_alone():
    rule = {"rope_type": "dynamic", "factor": 2.0, "rope_theta": 1000.0}
    card, page = {"rotary_scaling_factor": 2}, {"rope_parameters": rule}
    sizes = {"vocab_size": 32, "hidden_size": 16, "num_hidden_layers": 1,
             "num_attention_heads": 1, "intermediate_size": 16}  # fmt: skip
    for keys, table, stretched in ((card, 2048, False), (page, 8192, False), (page, 2048, True)):
        config = transformers.NomicBertConfig(**sizes, **keys, max_position_embeddings=table)
        model = transformers.NomicBertModel(config).eval()
        before = model.rotary_emb.inv_freq[-1].item()
        model(torch.ones(1, 4096, dtype=torch.long))
        assert (model.rotary_emb.inv_freq[-1] < before).item() is stretched


def test_the_error_of_angles_in_float32_at_a_million_tokens():
    rotary = load("transformers.models.llama.modeling_llama")
    (said,) = re.findall(r"is off by up to ([\d.]+) radians", GLOSSARY)
    rule = {"rope_type": "default", "rope_theta": 1e6}
    config = transformers.LlamaConfig(**DATA["decoder"], head_dim=128, rope_parameters=rule)
    angles = rotary.LlamaRotaryEmbedding(config).inv_freq * 1e6
    right = 1e6 * 1e6 ** (-np.arange(64) / 64)
    assert abs(angles.numpy() - right).max() == pytest.approx(float(said), abs=0.01)


@pytest.mark.parametrize("layout", ["half", "interleaved"])
def test_the_operator_of_onnx_takes_half_as_many_columns_as_turn(layout):
    x, t = torch.randn(1, 2, 6, 16), torch.tensor([[3, 4, 5, 9, 10, 11]])
    angles = torch.arange(12)[:, None] * torch.tensor(1e4 ** (-np.arange(4) / 4)).float()
    keys = {"interleaved": layout == "interleaved", "rotary_embedding_dim": 8}
    turned = load("torch.onnx.ops").rotary_embedding(x, angles.cos(), angles.sin(), t, **keys)
    expected = torch.cat([code.Rotary(8, layout)(x[..., :8], t[:, None]), x[..., 8:]], dim=-1)
    assert torch.allclose(turned, expected, atol=1e-5)


@pytest.mark.parametrize("masked", [True, False])
def test_a_padded_prompt_of_qwen_image_needs_its_mask(masked):
    diffusers = pytest.importorskip("diffusers")
    torch.manual_seed(0)
    sizes = {"num_layers": 2, "attention_head_dim": 16, "num_attention_heads": 2}
    sizes |= {"in_channels": 16, "out_channels": 4, "joint_attention_dim": 16}
    model = diffusers.QwenImageTransformer2DModel(**sizes, axes_dims_rope=(8, 4, 4)).eval()
    picture, prompt = torch.randn(1, 16, 16), torch.randn(1, 12, 16)

    def answer(length, mask=None):
        shapes = {"timestep": torch.tensor([0.5]), "img_shapes": [[(1, 4, 4)]]}
        return model(picture, prompt[:, :length], encoder_hidden_states_mask=mask, **shapes).sample

    mask = (torch.arange(12) < 5)[None] if masked else None
    assert torch.allclose(answer(12, mask), answer(5), atol=1e-5) is masked
