"""Which layers see everything, which only a window or nothing, and which have no positions."""

from collections.abc import Mapping, Sequence
from typing import Any

from pecheck.configuration.families import WRITTEN, names_of
from pecheck.configuration.settings import Settings, Unreadable, integer, printable, real, refusal

WINDOWED = ("sliding_attention", "chunked_attention")
ORDERED = ("linear_attention", "mamba", "conv", "recurrent")  # they carry order themselves
NO_ATTENTION = (*ORDERED, "mlp", "cross_attention")  # of the tokens of a text to each other
LETTERS: dict[str, str] = WRITTEN["letters"]  # of the kinds in a recorded pattern
PERIODS = WRITTEN["periods"]  # names of the key that says how often a pattern comes back
KINDS = {*LETTERS.values(), *WINDOWED, *NO_ATTENTION, "compressed_attention"}  # that are known


def kinds_of(settings: Settings) -> tuple[list[str], set[int]]:
    """The kind of every layer, and the numbers of those that go without positions."""
    key, listed = _listed(settings)
    n = settings.usual("layers")
    if key in WRITTEN["of each layer"].split():  # in the other lists they go round
        listed = of_each_layer(settings, key, listed, n)
        n = len(listed)
    n = n or settings.needed("layers")
    if unknown := sorted({kind for kind in listed[:n] if kind not in KINDS}):
        settings.says("unknown kinds", key, ", ".join(map(printable, unknown)))
    kinds = (listed * n)[:n] or _attending(settings, n) or _of_family(settings, n)
    for name, (kind, usual) in settings.family.numbered.items():
        for i in _numbers(settings, name, settings.own.get(name) or usual, n):
            kinds[i] = kind
    kinds = _with_windows(settings, key, kinds)
    first = settings.integer("max_window_layers", 0) or settings.family.default("max_window_layers")
    late = key == "layer_types" and "late" in settings.family.attention
    if late and "sliding_attention" in kinds[:first]:
        settings.says("early windows", first)
    return kinds, _unrotated(settings, kinds)


def of_each_layer(settings: Settings, key: str, marks: Sequence[Any], n: int | None) -> list[Any]:
    """A mark for each of n layers, from a list that has as many, as most classes want it."""
    lists = settings.family.lists.get(key, "longer" if settings.family.reads is None else "")
    if n not in (None, len(marks)):
        if not lists or (len(marks) < n and lists != "count"):
            raise Unreadable(f"{key}: expected an entry for each of {n} layers, got {len(marks)}")
        settings.says(f"other number of layers, {lists}", key, len(marks), n)
    return [*marks] if lists == "count" else [*marks[:n]]


def _numbers(settings, name, given, n, first=0):
    """Numbers of layers, from 0, which a key counts from `first`; those that are not there."""
    numbers = [integer(name, i, first) - first for i in given]
    if beyond := [i + first for i in numbers if i >= n]:
        settings.says("no such layers", name, ", ".join(map(str, beyond)), n)
    return {i for i in numbers if i < n}


def _with_windows(settings, key, kinds):
    """The kinds, where layers see everything whose window, or chunk, a key turns off."""
    family, own = settings.family, settings.own
    off = {"chunked_attention"} if own.get("attention_chunk_size", 0) is None else set()
    off |= set() if has_window(settings) else {"sliding_attention"}
    if key and family.reads is None:
        return kinds
    # A list, or a pattern of the class, has windows whether their width is known or not.
    stops = key or (family.key("window") and "all but" in str(family.attention[2:3]))
    if stops and (off := sorted(off.intersection(kinds))):
        name = next((name for name in names_of("window") if name in own), "sliding_window")
        name = "attention_chunk_size" if "chunked_attention" in off else name
        raise refusal("no window", name, settings.model_type, off[0])
    return ["full_attention" if kind in off else kind for kind in kinds]


def _listed(settings):
    """The key that gives a mark for each layer, or for the first ones, in turn; and their kinds."""
    for key, names in WRITTEN["marks"].items():
        marks, form = settings.own.get(key), str if key.endswith("pattern") else list
        if isinstance(marks, form) and (marks or key == "layer_types"):
            if key == "attention_types":  # GPT-Neo's: how often some marks come
                marks = [x for each, times in marks for x in each * min(integer(key, times), 10**4)]
            kinds = [names.get(str(mark), names.get("other", mark)) for mark in marks]
            if strange := [kind for kind in kinds if not isinstance(kind, str)]:
                raise Unreadable(f"{key}: expected names of kinds, got {strange[0]!r:.60}")
            return key, kinds
    return "", []


def _attending(settings, n):
    """The kinds where a file gives the numbers of the layers that attend, or their period."""
    own, period = settings.own, settings.integer("attn_layer_period")
    linear, name = own.get("linear_attn_config"), "full_attn_layers"
    if isinstance(linear, Mapping) and isinstance(linear.get(name), list):
        attend = _numbers(settings, name, linear[name], n, 1)  # Kimi counts from 1
    elif period:
        attend = range(settings.integer("attn_layer_offset", 0) or 0, n, period)
    elif key := settings.key("attn_layer_indices full_attn_idxs"):
        attend = _numbers(settings, key, own[key], n)
    else:
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
    if name == "turns":
        still = _unrotated(settings, [most] * n)
        return [other if i in still else most for i in range(n)]
    if name in ("late", "early even"):
        numbers = [settings.needed("max_window_layers", minimum=0) if has_window(settings) else 0]
    elif numbers:
        period, number = settings.integer(PERIODS) or numbers[0], numbers[1]
        if null := [key for key in names_of(PERIODS) if settings.own.get(key, 0) is None]:
            raise Unreadable(f"{null[0]}: expected an integer, got null: leave the key out")
        numbers = [period, period - 1 if number == numbers[0] - 1 else number]
    first = _dense_prefix(settings, range(n))  # of Cohere 2 MoE
    kinds = [other] * len(first)
    kinds += [most if ATTENTION[name](i, n, *numbers) else other for i in range(n - len(first))]
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
    on = on or (settings.model_type == "smollm3" and settings.own.get("layer_types"))
    if name in settings.own and not on:
        value = "false" if switch in settings.own else "absent, and false by default"
        settings.says("window off", name, settings.own[name], switch, value)
    return bool(on and name)


def _dense_prefix(settings, numbers):
    """The first layers of Cohere 2 MoE, without experts: they see everything, and turn."""
    own = settings.own
    if not settings.family.dense_prefix or own.get("prefix_dense_sliding_window_pattern", 1) != 1:
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
    for name in ("no_rope_layers", "layer_rope_theta"):
        # A 0 is for a layer without positions; of Llama 4 an empty list is none.
        if own.get(name) or (own.get(name) == [] and name in family.lists):
            marks = of_each_layer(settings, name, own[name], len(kinds))
            return {i for i, mark in enumerate(marks) if not mark}
    name = "no_rope_layer_interval"
    if own.get(name) or name in (family.reads or ()):
        every = integer(name, own.get(name, family.defaults.get(name, 4)))
        return {i for i in range(len(kinds)) if (i + 1) % every == 0}
    if family.full_unrotated and "sliding_attention" in kinds:
        turn = _dense_prefix(settings, range(len(kinds)))
        return {i for i, kind in enumerate(kinds) if kind == "full_attention" and i not in turn}
    return set()


def changed_layers(settings: Settings, kinds: list[str]) -> dict[int, dict[str, Any]]:
    """What differs in single layers, {number: {key: value}}: of keys that say it."""
    own = settings.own
    given = own.get("per_layer_config") or {}
    if not (isinstance(given, Mapping) and all(map(str.isdecimal, map(str, given)))
            and all(isinstance(v, Mapping) for v in given.values())):  # fmt: skip
        raise Unreadable(f"per_layer_config: expected an object for each layer, got {given!r:.60}")
    changed = {int(i): {k: each[k] for k in sorted(each, key=str)} for i, each in given.items()}
    for i, base in enumerate((own.get("layer_rope_theta") or [])[: len(kinds)]):
        if base:
            rule = own.get(settings.rules[0]) or {}
            rule = {**rule, "rope_theta": real("layer_rope_theta", base, 1)}
            changed.setdefault(i, {}).update(rope_parameters=rule, rope_scaling=None)
    names = ["rope_theta", "partial_rotary_factors"] * settings.reads("partial_rotary_factors")
    for name in (settings.key("window"), *names):  # a width may be a list, and those of Step 3.5
        marks = own.get(name) if isinstance(own.get(name), list) else []
        if marks and name in WRITTEN["of each layer"].split():  # the others go round
            marks = of_each_layer(settings, name, marks, len(kinds))
        for i in range(len(kinds)) if marks else ():
            changed.setdefault(i, {})[name.removesuffix("s")] = marks[i % len(marks)]
    return changed
