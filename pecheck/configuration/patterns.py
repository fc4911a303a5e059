"""Which layers see everything, which only a window or nothing, and which have no positions."""

from collections.abc import Mapping
from typing import Any

from pecheck.configuration.families import KEYS, TRANSFORMERS
from pecheck.configuration.settings import Settings, Unreadable, integer, printable, real

WINDOWED = ("sliding_attention", "chunked_attention")
NO_ATTENTION = ("linear_attention", "mamba", "conv", "recurrent", "mlp")  # mlp: no order at all
KINDS = {  # that are known
    "full_attention", "compressed_attention", "compressed_sparse_attention", "indexed_attention",
    "heavily_compressed_attention", "hybrid", *WINDOWED, *NO_ATTENTION,
}  # fmt: skip


def kinds_of(settings: Settings) -> tuple[list[str], set[int]]:
    """The kind of every layer, and the numbers of those that go without positions."""
    listed = settings.own.get("layer_types") or settings.own.get("layers_block_type")
    n = settings.usual("layers")
    if n is None and isinstance(listed, list):  # Nemotron-H's says no number
        n = len(listed)
    n = n or settings.needed("layers")
    kinds = _listed(settings, listed, n) or _of_family(settings, n)
    first = settings.integer("max_window_layers", 0) or settings.family.default("max_window_layers")
    if listed and "late" in settings.family.attention and "sliding_attention" in kinds[:first]:
        settings.note(f"layer_types gives windows to layers below max_window_layers {first}: a "
                      "program that knows only that key gives them none.")  # fmt: skip
    return kinds, _unrotated(settings, kinds)


def _of_family(settings, n):
    """The kinds where a file names none: the pattern that its class has."""
    pattern = settings.family.attention
    if not pattern:
        return ["full_attention"] * n
    if len(pattern) == 1:  # letters, for the number of layers of the class
        letters = pattern[0]
        if n != len(letters):
            settings.guess = True
            settings.note(f"The class has a pattern for {len(letters)} layers: repeated for {n}.")
        return [LETTERS[letter] for letter in (letters * n)[:n]]
    most, other, name, *numbers = pattern
    null = [k for k in ("sliding_window", *settings.family.defaults)
            if k in KEYS["window"].split() and settings.own.get(k, 0) is None]  # fmt: skip
    if null and name.startswith("all but") and settings.family.default("window"):
        raise Unreadable(
            f"{null[0]}: expected an integer, got null: {settings.model_type} has "
            f"layers with a window, and transformers {TRANSFORMERS} stops at it"
        )
    if name in ("late", "early even"):
        numbers = [settings.needed("max_window_layers", minimum=0) if has_window(settings) else 0]
    elif numbers:
        period, number = _period(settings) or numbers[0], numbers[1]
        numbers = [period, period - 1 if number == numbers[0] - 1 else number]
    first = _dense_prefix(settings, range(n))  # of Cohere 2 MoE
    kinds = [other] * len(first)
    kinds += [most if ATTENTION[name](i, n, *numbers) else other for i in range(n - len(first))]
    if not has_window(settings):
        kinds = ["full_attention" if kind == "sliding_attention" else kind for kind in kinds]
    if name == "late" and "sliding_attention" not in kinds and has_window(settings):
        settings.note(f"max_window_layers {numbers[0]}: layers below it see everything, so none of "
                      f"these {n} has a window.")  # fmt: skip
    return kinds


def says_window(settings: Settings) -> bool:
    """Whether a file has a key for the window: a null under MiMo's makers' own is none."""
    keys = [each for each in KEYS["window"].split() if each in settings.own]
    return any(each != "sliding_window_size" or settings.own[each] is not None for each in keys)


def has_window(settings: Settings) -> bool:
    """Whether a window is given, or the class has one, and no switch turns it off."""
    name = "use_sliding_window"
    on = settings.own.get(name, settings.family.defaults.get(name, True))
    given = settings.key("window")
    if not says_window(settings):
        return bool(on) and settings.family.default("window") is not None
    if given is not None and not on:
        value = settings.own[given]
        why = f"{name} is {'false' if name in settings.own else 'absent, and false by default'}"
        settings.note(f"{given} {value} is not used: {why}.")
    return bool(on) and given is not None


def _listed(settings, listed, n):
    """The kinds as a list, a string or numbers in the file say them, or None."""
    own = settings.own
    if isinstance(listed, list):
        if strange := [kind for kind in listed if not isinstance(kind, str)]:
            raise Unreadable(f"layer_types: expected names of kinds, got {strange[0]!r:.60}")
        if len(listed) != n:
            settings.note(f"layer_types names {len(listed)} layers, the model has {n}.")
        names = {"attention": "full_attention", "mamba": "linear_attention", "moe": "mlp"}
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
    period = settings.integer("attn_layer_period")
    if period:
        offset = settings.integer("attn_layer_offset", 0) or 0
        return [_attends(i % period == offset) for i in range(n)]
    chosen = own.get("attn_layer_indices", own.get("full_attn_idxs"))
    if isinstance(chosen, list):
        return [_attends(i in chosen) for i in range(n)]
    windows = settings.raw("window")
    if isinstance(windows, list) and windows:  # Mistral's: in turn
        return [_sliding(windows[i % len(windows)]) for i in range(n)]
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
    return None


def _dense_prefix(settings, numbers):
    """The first layers of Cohere 2 MoE, without experts: they see everything, and turn."""
    own = settings.own
    turn = own.get("prefix_dense_sliding_window_pattern", 1) == 1
    if settings.model_type != "cohere2_moe" or not turn:
        return []
    marks = own.get("mlp_layer_types") or ["dense"] * own.get("first_k_dense_replace", 0)
    return [i for i, mark in zip(numbers, marks, strict=False) if mark == "dense"]


LETTERS = {
    "f": "full_attention", "s": "sliding_attention", "l": "linear_attention", "v": "conv",
    "y": "hybrid", "m": "mlp", "i": "indexed_attention", "c": "compressed_sparse_attention",
    "h": "heavily_compressed_attention",
}  # fmt: skip
ATTENTION: dict[str, Any] = {  # is layer i of n of the first kind?
    "all": lambda i, n: True,
    "late": lambda i, n, p: i >= p,
    "early even": lambda i, n, p: i < p and i % 2 == 0,
    "all but": lambda i, n, p, r: i % p != r,
    "all but first and": lambda i, n, p, r: i and i % p != r,
    "all but last and": lambda i, n, p, r: i < n - 1 and i % p != r,
}


def _unrotated(settings, kinds):
    """The layers without positions. In `no_rope_layers` a 1 means that the rotation is on."""
    own, family = settings.own, settings.family
    numbers = range(len(kinds))
    marks, bases = own.get("no_rope_layers"), own.get("layer_rope_theta")
    if isinstance(marks, list) and marks:
        return {i for i in numbers if i < len(marks) and not marks[i]}
    if isinstance(bases, list):  # 0: no positions
        return {i for i in numbers if i < len(bases) and not bases[i]}
    name = "no_rope_layer_interval"
    if own.get(name) is not None or name in family.defaults:
        every = integer(name, own.get(name) or family.default(name) or 4)
        return {i for i in numbers if (i + 1) % every == 0}
    if family.full_unrotated and "sliding_attention" in kinds:
        turn = _dense_prefix(settings, numbers)
        return {i for i in numbers if kinds[i] == "full_attention" and i not in turn}
    given = own.get("position_embedding_type")
    all_of_them = given == "nope"
    all_of_them |= settings.model_type == "granitemoehybrid" and given != "rope"
    all_of_them |= own.get("qk_rope_head_dim") == 0  # GLM 5 Next: no column of a head turns
    return set(numbers) if all_of_them else set()


def changed_layers(settings: Settings, kinds: list[str]) -> dict[int, dict[str, Any]]:
    """What differs in single layers, {number: {key: value}}: of three keys that say it."""
    own = settings.own
    given = own.get("per_layer_config") or {}
    if not (isinstance(given, Mapping) and all(map(str.isdecimal, map(str, given)))
            and all(isinstance(v, Mapping) for v in given.values())):  # fmt: skip
        raise Unreadable(f"per_layer_config: expected an object for each layer, got {given!r:.60}")
    changed = {int(i): {k: each[k] for k in sorted(each, key=str)} for i, each in given.items()}
    bases, window = own.get("layer_rope_theta"), settings.raw("window")
    for i, base in enumerate(bases[: len(kinds)] if isinstance(bases, list) else []):
        if base:
            rule = own.get("rope_scaling") or own.get("rope_parameters") or {}
            rule = {**rule, "rope_theta": real("layer_rope_theta", base, 1)}
            changed.setdefault(i, {}).update(rope_parameters=rule, rope_scaling=None)
    for i in range(len(kinds)) if isinstance(window, list) and window else ():
        changed.setdefault(i, {})[settings.key("window")] = window[i % len(window)]
    return changed
