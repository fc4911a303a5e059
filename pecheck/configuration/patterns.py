"""Which layers see everything, which only a window or nothing, and which have no positions."""

from collections.abc import Mapping

from pecheck.configuration.settings import Unreadable, integer, printable

WINDOWED = ("sliding_attention", "chunked_attention")
NO_ATTENTION = ("linear_attention", "mamba", "conv", "recurrent", "mlp")  # mlp: no order at all
KINDS = {  # that are known
    "full_attention", "compressed_attention", "compressed_sparse_attention", "indexed_attention",
    "heavily_compressed_attention", "hybrid", *WINDOWED, *NO_ATTENTION,
}  # fmt: skip


def kinds_of(settings):
    """The kind of every layer, and the numbers of those that go without positions."""
    family = settings.family
    listed = settings.own.get("layer_types") or settings.own.get("layers_block_type")
    n = len(listed) if isinstance(listed, list) else None  # Nemotron-H's says no number
    n = settings.needed("layers", family.n_layers or family.size("layers") or n)
    kinds = _listed(settings, listed, n) or ATTENTION[family.attention](settings, n)
    return kinds, _unrotated(settings, kinds)


def _listed(settings, listed, n):
    """The kinds as a list, a string or numbers in the file say them, or None."""
    own = settings.own
    if isinstance(listed, list):
        if strange := [kind for kind in listed if not isinstance(kind, str)]:
            raise Unreadable(f"layer_types: expected names of kinds, got {strange[0]!r:.60}")
        if len(listed) != n:
            settings.note(f"layer_types names {len(listed)} layers, the model has {n}.")
        names = {"attention": "full_attention", "mamba": "linear_attention"}
        kinds = [names.get(kind, kind) for kind in listed[:n]]
        if unknown := sorted({kind for kind in kinds if kind not in KINDS}):
            settings.note(f"layer_types: {', '.join(map(printable, unknown))}: not known, and read "
                          "as if the layer turned like the others.")  # fmt: skip
        return kinds + kinds[-1:] * (n - len(kinds))
    flags = own.get("attn_type_list")  # MiniMax: 1 is softmax
    if isinstance(flags, list) and flags:
        return [_attends(bool(flag)) for flag in (flags * n)[:n]]
    linear = own.get("linear_attn_config")  # Kimi: numbers from 1
    if isinstance(linear, Mapping) and isinstance(linear.get("full_attn_layers"), list):
        return [_attends(i + 1 in linear["full_attn_layers"]) for i in range(n)]
    marks = own.get("hybrid_override_pattern")
    if isinstance(marks, str):
        names = {"*": "full_attention", "-": "mlp", "E": "mlp"}
        return [names.get(mark, "linear_attention") for mark in marks[:n]]
    letters = own.get("sliding_window_pattern", own.get("_sliding_window_pattern"))
    if isinstance(letters, str) and letters:  # "LLLG": G is global
        return [_sliding(letter != "G") for letter in (letters * n)[:n].upper()]
    blocks = own.get("block_types", own.get("_block_types"))
    if isinstance(blocks, list) and blocks:
        names = {"recurrent": "linear_attention", "attention": "sliding_attention"}
        return [names.get(str(kind), str(kind)) for kind in (blocks * n)[:n]]
    ratios = own.get("compress_ratios")
    if isinstance(ratios, list):
        return ["compressed_attention" if r else "sliding_attention" for r in ratios[:n]]
    return None


def _sliding(yes):
    return "sliding_attention" if yes else "full_attention"


def _attends(yes):
    return "full_attention" if yes else "linear_attention"


def _period(settings):
    for name in ("sliding_window_pattern", "_sliding_window_pattern", "global_attn_every_n_layers",
                 "full_attention_interval", "no_rope_layer_interval"):  # fmt: skip
        if settings.own.get(name) is not None:
            return integer(name, settings.own[name])
    return settings.family.period


def _every_layer_sliding(settings, n):
    on = settings.own.get("use_sliding_window") is not False
    usual = settings.family.window is not None and "sliding_window" not in settings.own
    return [_sliding(on and (usual or settings.key("window") is not None))] * n


def _late_layers_sliding(settings, n):
    on = settings.own.get("use_sliding_window") and settings.key("window") is not None
    first = settings.integer("max_window_layers", 0) or 0
    return [_sliding(on and i >= first) for i in range(n)]


def _nth_layer_full(settings, n):
    on = "sliding_window" not in settings.own or settings.key("window") is not None
    period, first = _period(settings), len(_dense_prefix(settings, range(n)))
    kinds = [_sliding(on and (i + 1) % period != 0) for i in range(n - first)]
    return [_sliding(False)] * first + kinds


def _dense_prefix(settings, numbers):
    """The first layers of Cohere 2 MoE, without experts: they see everything, and turn."""
    own = settings.own
    turn = own.get("prefix_dense_sliding_window_pattern", 1) == 1
    if settings.model_type != "cohere2_moe" or not turn:
        return []
    marks = own.get("mlp_layer_types") or ["dense"] * own.get("first_k_dense_replace", 0)
    return [i for i, mark in zip(numbers, marks, strict=False) if mark == "dense"]


def _chunked(settings, n):
    full = _unrotated(settings, ["chunked_attention"] * n)
    return ["full_attention" if i in full else "chunked_attention" for i in range(n)]


def _hybrid(settings, n):
    period = settings.integer("attn_layer_period")
    if period:
        offset = settings.integer("attn_layer_offset", 0) or 0
        return [_attends(i % period == offset) for i in range(n)]
    chosen = settings.own.get("attn_layer_indices", settings.own.get("full_attn_idxs"))
    if not isinstance(chosen, list):
        settings.guess = True
        settings.note("No key says which layers attend: shown as if all did.")
        return [_attends(True)] * n
    return [_attends(i in chosen) for i in range(n)]


ATTENTION = {
    "full": lambda settings, n: ["full_attention"] * n,
    "none": lambda settings, n: ["linear_attention"] * n,
    "compressed": lambda settings, n: ["compressed_attention"] * n,
    "sliding": _every_layer_sliding,
    "late sliding": _late_layers_sliding,
    "nth full": _nth_layer_full,
    "first of n full": lambda settings, n: [_sliding(i % _period(settings)) for i in range(n)],
    "nth attends": lambda settings, n: [
        _attends((i + 1) % _period(settings) == 0) for i in range(n)
    ],
    "chunked": _chunked,
    "hybrid": _hybrid,
}


def _unrotated(settings, kinds):
    """The layers without positions. In `no_rope_layers` a 1 means that the rotation is on."""
    own, family = settings.own, settings.family
    numbers = range(len(kinds))
    marks = own.get("no_rope_layers")
    if isinstance(marks, list) and marks:
        return {i for i in numbers if i < len(marks) and not marks[i]}
    if family.unrotated == "interval" or own.get("no_rope_layer_interval") is not None:
        every = integer("no_rope_layer_interval", own.get("no_rope_layer_interval", family.period))
        return {i for i in numbers if (i + 1) % every == 0}
    if family.unrotated == "full" and "sliding_attention" in kinds:
        turn = _dense_prefix(settings, numbers)
        return {i for i in numbers if kinds[i] == "full_attention" and i not in turn}
    said = own.get("position_embedding_type")
    all_of_them = family.unrotated == "all" or said == "nope"
    all_of_them |= settings.model_type == "granitemoehybrid" and said != "rope"
    all_of_them |= own.get("qk_rope_head_dim") == 0  # GLM 5 Next: no column of a head turns
    return set(numbers) if all_of_them else set()


def changed_layers(own):
    """What per_layer_config (transformers 5.23) says of single layers: {number: {key: value}}."""
    said = own.get("per_layer_config") or {}
    if not (isinstance(said, Mapping) and all(map(str.isdecimal, map(str, said)))
            and all(isinstance(v, Mapping) for v in said.values())):  # fmt: skip
        raise Unreadable(f"per_layer_config: expected an object for each layer, got {said!r:.60}")
    return {int(i): {k: each[k] for k in sorted(each, key=str)} for i, each in said.items()}
