"""Which layers see everything, which only a window or nothing, and which have no positions."""

from collections.abc import Mapping
from typing import Any

from pecheck.configuration.families import TRANSFORMERS, WRITTEN, names_of
from pecheck.configuration.settings import Settings, Unreadable, integer, printable, real

WINDOWED = ("sliding_attention", "chunked_attention")
NO_ATTENTION = ("linear_attention", "mamba", "conv", "recurrent", "mlp")  # mlp: no order at all
LETTERS: dict[str, str] = WRITTEN["letters"]  # of the kinds in a recorded pattern
PERIODS = WRITTEN["periods"]  # names of the key that says how often a pattern comes back
KINDS = {*LETTERS.values(), *WINDOWED, *NO_ATTENTION, "compressed_attention"}  # that are known


def kinds_of(settings: Settings) -> tuple[list[str], set[int]]:
    """The kind of every layer, and the numbers of those that go without positions."""
    key, listed = _listed(settings)
    n = settings.usual("layers")
    if key.startswith("layer"):  # a kind for each; in the other lists they go round
        n = n or len(listed)  # Nemotron-H's file gives no number
        if len(listed) != n:
            settings.says("other number of layers", len(listed), n)
        listed = listed + listed[-1:] * (n - len(listed))
    n = n or settings.needed("layers")
    if unknown := sorted({kind for kind in listed[:n] if kind not in KINDS}):
        settings.says("unknown kinds", key, ", ".join(map(printable, unknown)))
    kinds = (listed * n)[:n] or _attending(settings, n) or _of_family(settings, n)
    first = settings.integer("max_window_layers", 0) or settings.family.default("max_window_layers")
    late = key == "layer_types" and "late" in settings.family.attention
    if late and "sliding_attention" in kinds[:first]:
        settings.says("early windows", first)
    return kinds, _unrotated(settings, kinds)


def _listed(settings):
    """The key that gives a mark for each layer, or for the first ones, in turn; and their kinds."""
    for key, names in WRITTEN["marks"].items():
        marks, form = settings.own.get(key), str if key.endswith("pattern") else list
        if marks and isinstance(marks, form):
            kinds = [names.get(str(mark), names.get("other", mark)) for mark in marks]
            if strange := [kind for kind in kinds if not isinstance(kind, str)]:
                raise Unreadable(f"{key}: expected names of kinds, got {strange[0]!r:.60}")
            return key, kinds
    return "", []


def _attending(settings, n):
    """The kinds where a file gives the numbers of the layers that attend, or their period."""
    own, period = settings.own, settings.integer("attn_layer_period")
    linear = own.get("linear_attn_config")
    attend = own.get("attn_layer_indices", own.get("full_attn_idxs"))
    if isinstance(linear, Mapping) and isinstance(linear.get("full_attn_layers"), list):
        attend = [i - 1 for i in linear["full_attn_layers"]]  # Kimi counts from 1
    elif period:
        attend = range(settings.integer("attn_layer_offset", 0) or 0, n, period)
    if attend is None:
        return None
    return ["full_attention" if i in attend else "linear_attention" for i in range(n)]


def _of_family(settings, n):
    """The kinds where a file names none: the pattern that its class has."""
    pattern = settings.family.attention
    if not pattern:
        return ["full_attention"] * n
    if len(pattern) == 1:  # letters, for the number of layers of the class
        letters = pattern[0]
        if n != len(letters):
            settings.guess = True
            settings.says("pattern repeated", len(letters), n)
        return [LETTERS[letter] for letter in (letters * n)[:n]]
    most, other, name, *numbers = pattern
    if name.startswith("all but") and settings.family.key("window") and not window_key(settings):
        null = next(key for key in names_of("window") if settings.own.get(key, 0) is None)
        raise Unreadable(f"{null}: expected an integer, got null: {settings.model_type} has layers "
                         f"with a window, and transformers {TRANSFORMERS} stops at it")  # fmt: skip
    if name in ("late", "early even"):
        numbers = [settings.needed("max_window_layers", minimum=0) if has_window(settings) else 0]
    elif numbers:
        period, number = settings.integer(PERIODS) or numbers[0], numbers[1]
        numbers = [period, period - 1 if number == numbers[0] - 1 else number]
    first = _dense_prefix(settings, range(n))  # of Cohere 2 MoE
    kinds = [other] * len(first)
    kinds += [most if ATTENTION[name](i, n, *numbers) else other for i in range(n - len(first))]
    if not has_window(settings):
        kinds = ["full_attention" if kind == "sliding_attention" else kind for kind in kinds]
    if name == "late" and "sliding_attention" not in kinds and has_window(settings):
        settings.says("no late window", numbers[0], n)
    return kinds


def window_key(settings: Settings) -> str | None:
    """The key of the window: in the file, or in the class where the file has none at all."""
    nulls = {name for name in names_of("window") if settings.own.get(name, 0) is None}
    nulls -= {"sliding_window_size"}  # a null turns windows off, but not under MiMo's makers' key
    return settings.key("window") or (None if nulls else settings.family.key("window"))


def has_window(settings: Settings) -> bool:
    """Whether a window is given, or the class has one, and no switch turns it off."""
    name, switch = window_key(settings), "use_sliding_window"
    on = settings.own.get(switch, settings.family.defaults.get(switch, True))
    if name in settings.own and not on:
        value = "false" if switch in settings.own else "absent, and false by default"
        settings.says("window off", name, settings.own[name], switch, value)
    return bool(on and name)


def _dense_prefix(settings, numbers):
    """The first layers of Cohere 2 MoE, without experts: they see everything, and turn."""
    own = settings.own
    turn = own.get("prefix_dense_sliding_window_pattern", 1) == 1
    if not (settings.family.dense_prefix and turn):
        return []
    marks = own.get("mlp_layer_types") or ["dense"] * own.get("first_k_dense_replace", 0)
    return [i for i, mark in zip(numbers, marks, strict=False) if mark == "dense"]


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
    marks = own.get("no_rope_layers") or own.get("layer_rope_theta")
    if isinstance(marks, list) and marks:  # a 0 for a layer without positions
        return {i for i, mark in zip(numbers, marks, strict=False) if not mark}
    name = "no_rope_layer_interval"
    if own.get(name) is not None or name in family.defaults:
        every = integer(name, own.get(name) or family.default(name) or 4)
        return {i for i in numbers if (i + 1) % every == 0}
    if family.full_unrotated and "sliding_attention" in kinds:
        turn = _dense_prefix(settings, numbers)
        return {i for i in numbers if kinds[i] == "full_attention" and i not in turn}
    return set()


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
            rule = own.get(settings.rules[0]) or {}
            rule = {**rule, "rope_theta": real("layer_rope_theta", base, 1)}
            changed.setdefault(i, {}).update(rope_parameters=rule, rope_scaling=None)
    for i in range(len(kinds)) if isinstance(window, list) and window else ():
        changed.setdefault(i, {})[settings.key("window")] = window[i % len(window)]
    return changed
