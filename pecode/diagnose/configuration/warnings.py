"""What somebody should know before this config is run: one function a warning.

A function looks at a `Case` and returns a message with numbers of this very config, or None. Each
names the chapter that explains it and, as its `report`, the public thread of somebody who met it
or, where we found none, the source file that decides. Engines are named with the version that the
thread names; newer ones may have fixed it.
"""

import math
from dataclasses import dataclass

import numpy as np

from pecode import scaling
from pecode.diagnose.configuration.axial import compression
from pecode.diagnose.configuration.layers import HAS_ORIGINAL, RULES, TYPES, UNSEEN, Layer
from pecode.diagnose.configuration.reading import Settings, shortened

GITHUB = "https://github.com"
TF, VLLM = f"{GITHUB}/huggingface/transformers", f"{GITHUB}/vllm-project/vllm"
LLAMA_CPP = f"{GITHUB}/ggml-org/llama.cpp"
CODE = f"{TF}/blob/main/src/transformers"
KNOWN = """
rope_theta rope_type type partial_rotary_factor factor original_max_position_embeddings
attention_factor beta_fast beta_slow short_factor long_factor low_freq_factor high_freq_factor
alpha mscale mscale_all_dim truncate mrope_section mrope_interleaved short_mscale long_mscale
llama_4_scaling_beta max_position_embeddings finetuned interleaved
"""  # the keys of a rule that some code reads, or that say nothing wrong


@dataclass(frozen=True)
class Notice:
    """One thing to know: what, why here, where the book explains it, and a link to its source."""

    id: str
    message: str
    chapter: str
    report: str


@dataclass(frozen=True)
class Case:
    """What a warning looks at."""

    settings: Settings
    layers: tuple[Layer, ...]
    length: int | None

    @property
    def own(self):
        """The part for text."""
        return self.settings.own

    @property
    def rope(self):
        """The keys of the rule, without those for single kinds of layers."""
        given = self.own.get("rope_scaling") or self.own.get("rope_parameters") or {}
        return {k: v for k, v in given.items() if not isinstance(v, dict)}

    @property
    def ropes(self):
        """The same, and those for single kinds."""
        given = self.own.get("rope_scaling") or self.own.get("rope_parameters") or {}
        return [self.rope, *(v for v in given.values() if isinstance(v, dict))]

    @property
    def promised(self):
        """max_position_embeddings, under whatever name."""
        return self.settings.integer("length")

    def turned(self, *rules):
        """The kinds of layers that turn, under one of these rules."""
        rotary = [each for each in self.layers if each.rotary_dim and each.frequencies is not None]
        return [each for each in rotary if not rules or each.rule in rules]

    def still(self):
        """The kinds of layers that attend without positions."""
        return [each for each in self.layers if each.scheme == "none" and each.kind not in UNSEEN]


CHECKS = []


def warning(chapter, report):
    """Put a function into the list; its name, with hyphens, is the id."""

    def listed(check):
        CHECKS.append((check.__name__.replace("_", "-"), chapter, report, check))
        return check

    return listed


def warnings_of(case):
    """All warnings of a config, in the order of this file."""
    found = ((name, check(case), chapter, report) for name, chapter, report, check in CHECKS)
    return [Notice(*each) for each in found if each[1]]


def slowest(omega):
    """The longest wavelength of the pairs that turn."""
    return 2 * math.pi / omega[omega > 0].min()


# --- which layers turn


@warning("skipping", f"{TF}/issues/43756")
def no_rope_layers_means_on(case):
    """In this list a 1 turns the rotation on, although its name says the opposite."""
    marks = case.own.get("no_rope_layers")
    if not isinstance(marks, list) or not case.turned():
        return None
    if not marks:
        return (
            "no_rope_layers is an empty list, which Llama 4's code takes for “every fourth layer "
            f"without rotation” ({off_layers(case)}); taken at its word, no layer would be."
        )
    return (
        f"In no_rope_layers a 1 means that rotation is on: {sum(map(bool, marks))} of {len(marks)} "
        f"layers turn, and without positions are {off_layers(case)}; by its name it reads the "
        "other way round."
    )


@warning("skipping", f"{GITHUB}/pytorch/executorch/issues/22043")
def layers_without_positions(case):
    """Some layers are not rotated, and only an interval, or no key at all, says so."""
    if not case.still() or not case.turned() or isinstance(case.own.get("no_rope_layers"), list):
        return None
    said = case.own.get("no_rope_layer_interval")
    key = f"only no_rope_layer_interval, {said}, says so" if said else "no key says so"
    if case.own.get("layer_rope_theta"):
        key = "only a 0 in layer_rope_theta says so"
    return (
        f"{off_layers(case)} attend without positions, and {key}: an engine that does not know "
        "this family rotates them."
    )


def counted(n, noun):
    """3 pairs, 1 pair."""
    return f"{n} {noun}{'' if n == 1 else 's'}"


def off_layers(case):
    """The layers without positions, in words."""
    numbers = sorted(i for each in case.still() for i in each.indices)
    shown = ", ".join(map(str, numbers[:4])) + (" …" if len(numbers) > 4 else "")
    return f"{counted(len(numbers), 'layer')} ({shown})" if numbers else "no layers"


# --- two generations of keys


@warning("rotary", f"{VLLM}/pull/42624")
def base_inside_rope_parameters(case):
    """A reader of version 4 misses the keys of transformers 5: another base, no rule."""
    if not case.own.get("rope_parameters") or case.own.get("rope_scaling"):
        return None
    lost = [each for each in case.turned() if each.base != 10000.0 or each.rule != "default"]
    if not lost or case.own.get("rope_theta") is not None:
        return None
    layer = max(lost, key=lambda each: slowest(each.frequencies))
    plain = scaling.interpolated(layer.rotary_dim, 1, 10000.0)
    return (
        "The base is inside rope_parameters, as transformers 5 writes it. A reader of "
        "transformers 4's rope_theta and rope_scaling (vLLM with transformers 4) takes base 10,000 "
        f"and no rule: the slowest pair would turn in {slowest(plain):,.0f} tokens instead of "
        f"{slowest(layer.frequencies):,.0f}."
    )


@warning("rotary", f"{VLLM}/pull/28542")
def two_dicts(case):
    """The rule is given twice, with different values, and programs read one or the other."""
    both = [case.own.get(name) for name in ("rope_scaling", "rope_parameters")]
    if not all(both) or both[0] == both[1]:
        return None
    return (
        "rope_scaling and rope_parameters are both there and differ: transformers 5.23 takes "
        "rope_scaling whole, its base included, and readers of rope_parameters take the other."
    )


@warning("rotary", f"{VLLM}/pull/28542")
def two_bases(case):
    """The base is given twice, with different values: all frequencies are in doubt."""
    inside, outside = case.rope.get("rope_theta"), case.own.get("rope_theta")
    if inside is None or outside is None or inside == outside:
        return None
    return (
        f"rope_theta is {outside:,} outside and {inside:,} inside the dict of the rule: "
        f"transformers 5.23 takes {inside:,}, transformers 4 the one outside."
    )


@warning("rotary", f"{TF}/pull/42513")
def two_original_lengths(case):
    """The trained length is given twice, with different values, and the rule depends on it."""
    name = "original_max_position_embeddings"
    outside, inside = case.own.get(name), case.rope.get(name)
    if outside is None or inside is None or outside == inside:
        return None
    return (
        f"{name} is {outside:,} at the top and {inside:,} in the rule: the one at the top counts."
    )


@warning("rotary", f"{VLLM}/pull/28542")
def two_types(case):
    """The rule has two names, and programs go by one or the other."""
    for rope in case.ropes:
        both = [rope.get(name) for name in ("rope_type", "type")]
        if all(both) and TYPES.get(both[0], both[0]) != TYPES.get(both[1], both[1]):
            return f"rope_type says {both[0]!r} and type says {both[1]!r}: rope_type wins."
    return None


@warning("rotary", f"{LLAMA_CPP}/pull/18061")
def base_outside_the_text_part(case):
    """The base is outside the part for text, where some programs do not look."""
    outside = case.settings.whole.get("rope_theta")
    outside = outside if isinstance(outside, (int, float)) else None
    if not case.settings.part or outside is None or not case.turned():
        return None
    used = case.turned()[-1].base
    if outside == used:
        return None
    return (
        f"rope_theta {outside:,} stands outside {case.settings.part}, where transformers 5.23 does "
        f"not look: it computes with {used:,.0f}."
    )


@warning("debugging", f"{GITHUB}/lightseekorg/TorchSpec/issues/101")
def unknown_rule(case):
    """No program knows this rule; some stop, others stretch nothing."""
    for layer in case.layers:
        if layer.rule and layer.rule not in RULES:
            return (
                f"The rule {layer.rule!r} is none of {', '.join(RULES)}: its frequencies are not "
                "computed here, and transformers 5.23 warns and then fails."
            )
    return None


@warning("debugging", f"{GITHUB}/deepseek-ai/DeepSeek-R1/issues/684")
def unknown_keys(case):
    """Nobody reads this key of the rule: it may be misspelled."""
    unknown = sorted({k for rope in case.ropes for k in rope} - set(KNOWN.split()))
    if not unknown:
        return None
    names = ", ".join(map(shortened, unknown))
    return f"No rule reads {names}: a misspelled key has no effect, and the model runs."


@warning("debugging", f"{GITHUB}/meta-models/meta-oss-cookbook/issues/37")
def rule_without_effect(case):
    """The rule changes nothing, although it looks as if it did."""
    rope = case.rope
    asked = rope.get("rope_type") or rope.get("type")
    if rope.get("factor") is not None and asked in (None, "default"):
        return (
            f"There is a factor, {rope['factor']}, but no rope_type other than “default”, which "
            "ignores it: the output is that of a config without the factor."
        )
    if asked not in (None, "default", "mrope") and not any(each.rotary_dim for each in case.layers):
        return f"A rule of type {asked!r}, but no layer of this model turns: it has no effect."
    for layer in case.turned("yarn", "linear", "llama3", "proportional"):
        if layer.factor == 1.0 and layer.rule != "proportional":
            return f"The rule {layer.rule!r} with factor 1 leaves all frequencies as they are."
    return None


# --- lengths and factors


@warning("rotary", f"{TF}/issues/38224")
def factor_or_ratio(case):
    """The factor contradicts the two lengths, and programs use one or the other."""
    for layer in case.turned(*HAS_ORIGINAL):
        if not layer.factor or not case.promised or layer.rule == "llama3":
            continue
        ratio = case.promised / layer.trained_length
        if ratio not in (1.0, layer.factor):
            return (
                f"factor is {layer.factor:g}, but {case.promised:,} / {layer.trained_length:,} is "
                f"{ratio:g}. transformers uses the factor since the fix of the linked report; "
                "earlier versions of 2025 used the ratio."
            )
    return None


@warning("reach", f"{GITHUB}/NVIDIA/Megatron-LM/issues/1418")
def length_means_two_things(case):
    """The length may be meant before or after stretching, and the rule depends on it."""
    for layer in case.turned("linear", "dynamic", "yarn", "llama3"):
        if any("original_max_position_embeddings" in rope for rope in (case.own, *case.ropes)):
            return None
        if layer.factor and layer.factor > 1 and case.promised:
            return (
                f"max_position_embeddings {case.promised:,} may be the length before stretching "
                f"(then the text may have {case.promised * layer.factor:,.0f}) or after it (then "
                f"training had {case.promised / layer.factor:,.0f}): no "
                "original_max_position_embeddings says which."
            )
    return None


@warning("reach", f"{VLLM}/pull/56446")
def factor_twice(case):
    """The length includes the factor already, and some programs multiply once more."""
    for layer in case.turned("yarn"):
        rope = next((rope for rope in case.ropes if rope.get("rope_type", rope.get("type"))), {})
        alias = rope.get("rope_type") or rope.get("type")
        stretched = layer.factor and case.promised == layer.trained_length * layer.factor
        if stretched and (alias != "yarn" or not case.settings.family.stretched):
            return (
                f"max_position_embeddings {case.promised:,} already holds the factor: "
                f"{layer.trained_length:,} · {layer.factor:g}. An engine that multiplies again "
                f"(vLLM before September 2026, for rules named otherwise than “yarn”) allows "
                f"{case.promised * layer.factor:,.0f}."
            )
    return None


@warning("reach", f"{LLAMA_CPP}/issues/22140")
def server_caps(case):
    """The rule reaches farther than the length at which servers stop."""
    for layer in case.turned("yarn", "linear", "dynamic"):
        trained = layer.trained_length if layer.rule == "yarn" else case.promised
        if not layer.factor or not case.promised or not trained:
            continue
        reach = trained * layer.factor
        if reach > case.promised and layer.rule == "yarn":
            return (
                f"The rule reaches {reach:,.0f} tokens, but max_position_embeddings is "
                f"{case.promised:,}: a server that caps there (llama.cpp of April 2026) cuts the "
                "text although the frequencies would bear it."
            )
    return None


@warning("reach", f"{VLLM}/issues/8793")
def beyond_the_promise(case):
    """The asked length is beyond the one that the file promises."""
    rotary = [each for each in case.layers if each.rotary_dim]
    limits = [each.promised_length for each in rotary if each.promised_length]
    if case.length is None or not limits or case.length <= min(limits):
        return None
    new = max(len(each.at_length.new_pairs) for each in rotary)
    return (
        f"{case.length:,} tokens are more than max_position_embeddings, {min(limits):,}: "
        f"{counted(new, 'pair')} of a layer would meet angles that training did not have."
    )


@warning("learned", f"{TF}/issues/14243")
def no_row(case):
    """The table has no row for the last positions of the asked length."""
    for layer in case.layers:
        if layer.at_length and layer.at_length.has_row is False:
            usable = layer.rows - layer.offset
            spare = f", of which {usable:,} are for positions" if layer.offset else ""
            return (
                f"The table of the {layer.kind} layers has {layer.rows:,} rows{spare}: a text of "
                f"{case.length:,} has none from position {usable:,} on, and the look-up fails."
            )
    return None


@warning("learned", f"{GITHUB}/facebookresearch/fairseq/issues/1187")
def rows_before_position_zero(case):
    """The first rows of the table are not for positions: the first token needs a later one."""
    for layer in case.layers:
        if not layer.offset:
            continue
        held = (
            ""
            if layer.rows is None
            else (f"{layer.rows:,} rows hold {layer.rows - layer.offset:,} positions, and ")
        )
        return (
            f"Position 0 is row {layer.offset} of the table, and no key says so: {held}a reader "
            "that starts at row 0 shifts every position."
        )
    return None


# --- what a rule does


@warning("rotary", f"{VLLM}/issues/18728")
def yarn_at_every_length(case):
    """The rule is on for short texts, too, which need no stretching."""
    for layer in case.turned("yarn"):
        if case.settings.family.stretched or layer.factor == 1.0:
            continue
        slowed = int(np.sum(layer.frequencies < layer.plain * (1 - 1e-9)))
        return (
            f"YaRN is on at every length: it slows {slowed} of {len(layer.plain)} pairs also in "
            f"texts within the {layer.trained_length:,} tokens of the training, and multiplies "
            f"their scores by {layer.attention_scaling**2:.3f}. Where the model was not trained "
            "with it, short texts get worse (vLLM 0.8.5); leave it out for them."
        )
    return None


@warning("rotary", f"{VLLM}/pull/28244")
def truncate_ignored(case):
    """YaRN's ramp begins and ends between whole pairs, and some programs round it."""
    for inside, rope in enumerate(case.ropes):
        layers = case.turned("yarn")
        if rope.get("truncate", True) or not layers:
            continue
        layer = layers[-1]
        low, high = ramp(layer, rope)
        nested = " Inside the dict of one kind of layer transformers 5.23 does not read it either."
        return (
            f"truncate is false: the ramp goes from pair {low:.4f} to {high:.4f}. Engines that "
            f"round the ends (vLLM 0.11.0) have it from {math.floor(low)} to {math.ceil(high)}."
            + (nested if inside else "")
        )
    return None


def ramp(layer, rope):
    """The pairs at which YaRN's ramp begins and ends, as fractions."""
    turns = np.array([rope.get("beta_fast") or 32, rope.get("beta_slow") or 1])
    pairs = layer.rotary_dim / 2 * np.log(layer.trained_length / (2 * np.pi * turns))
    return tuple(pairs / math.log(layer.base))


@warning("rotary", f"{GITHUB}/NVIDIA/TensorRT-Model-Connect/issues/399")
def short_texts_hide_it(case):
    """Short texts do not show that a program drops the window or the rule."""
    windows = [each.window for each in case.layers if each.window]
    windows = [w for w in windows if w < (case.promised or math.inf)]
    ruled = case.turned("yarn", "longrope", "llama3", "linear")
    if not windows or not ruled or case.own.get("use_sliding_window") is False:
        return None
    return (
        f"A window of {min(windows):,} tokens and the rule {ruled[-1].rule!r}: an engine that "
        f"drops the window is right up to {min(windows):,} tokens, and what a dropped rule spoils "
        "grows with the distance. Test both with a longer text."
    )


@warning("rotary", f"{GITHUB}/onnxruntime/mobius/pull/548")
def scale_in_no_key(case):
    """Cosines or scores carry a factor that no key gives, only a formula."""
    for layer in case.turned("yarn", "longrope"):
        said = any(rope.get("attention_factor") is not None for rope in case.ropes)
        if layer.score_scaling != 1:
            return (
                f"mscale_all_dim multiplies the scores by {layer.score_scaling:.4f}, while cosines "
                f"and sines carry {layer.attention_scaling:.4f}: a reader that leaves the first "
                "out is right at position 0 alone, where one key takes all the weight."
            )
        if layer.attention_scaling != 1 and not said:
            return (
                f"Cosines and sines carry {layer.attention_scaling:.4f}, which no key says: it "
                "follows from the factor. Without it scores are too small by a factor of "
                f"{layer.attention_scaling**2:.3f}."
            )
    return None


@warning("rotary", f"{VLLM}/pull/46280")
def attention_factor_ignored(case):
    """The file gives the factor of the cosines, and some engines compute another."""
    for layer in case.turned("yarn"):
        said = next((r["attention_factor"] for r in case.ropes if "attention_factor" in r), None)
        if said is None or not layer.factor:
            continue
        computed = scaling.yarn_temperature(layer.factor)
        if abs(said - computed) > 1e-6:
            return (
                f"attention_factor is {said:g}, the formula gives {computed:.4f}. Engines that "
                "compute it (vLLM before its pull request 46280, mlx-lm in July 2026) take that."
            )
    return None


@warning("rotary", f"{GITHUB}/turboderp-org/exllamav3/issues/259")
def half_of_mscale(case):
    """Two keys count only together, and one of them is missing or 0."""
    for rope in case.ropes:
        both = [rope.get("mscale"), rope.get("mscale_all_dim")]
        if (rope.get("mscale") or rope.get("mscale_all_dim")) and not all(both):
            return (
                f"mscale is {both[0]} and mscale_all_dim {both[1]}: transformers 5.23 reads them "
                "together or not at all, so the one that is there has no effect on cosines."
            )
    return None


@warning("rotary", f"{GITHUB}/lablup/mlxcel/issues/1358")
def long_factors_for_short_texts(case):
    """Short and long texts have factors of their own: one table cannot serve both."""
    for layer in case.turned("longrope"):
        short, long = (np.array(case.rope[name]) for name in ("short_factor", "long_factor"))
        return (
            f"Two lists of factors: up to {layer.trained_length:,} tokens the short one (at most "
            f"{short.max():.2f}), beyond it the long one (up to {long.max():.2f}). An engine with "
            f"one table turns short texts up to {(long / short).max():.1f} times too slowly, and "
            "keys that were cached before the switch have the other turn."
        )
    return None


@warning("rotary", f"{GITHUB}/Blaizzy/mlx-vlm/pull/1709")
def scaled_for_some_layers(case):
    """The rule is for some kinds of layers only, and some programs apply it to all."""
    ruled = [each for each in case.turned() if each.rule not in ("default", "proportional")]
    plain = [each for each in case.turned() if each.rule == "default"]
    if not ruled or not plain:
        return None
    counts = [sum(len(each.indices) for each in group) for group in (ruled, plain)]
    return (
        f"The rule {ruled[0].rule!r} (factor {ruled[0].factor or 1:g}) is for the {counts[0]} "
        f"{ruled[0].kind} layers; the {counts[1]} {plain[0].kind} layers turn without it. Engines "
        "have left it out of both, and put it into both (mlx-vlm in July 2026; ferrox, issue 39)."
    )


# --- widths and pairs


@warning("rotary", f"{GITHUB}/NVIDIA-NeMo/Megatron-Bridge/issues/4195")
def proportional_pairs(case):
    """Proportional rotary reads like partial rotary, but has the whole head's ladder."""
    for layer in case.turned("proportional"):
        wrong = scaling.interpolated(layer.rotary_dim, 1, layer.base)
        half = layer.head_dim // 2
        return (
            f"Proportional: column i is paired with i + {half}, and the slowest pair that turns "
            f"has a wavelength of {slowest(layer.frequencies):,.0f} tokens. Read as partial rotary "
            f"it would be {slowest(wrong):,.0f}, and i paired with i + {layer.rotary_dim // 2}."
        )
    return None


@warning("rotary", f"{GITHUB}/pie-project/pie/pull/603")
def width_in_the_exponent(case):
    """In partial rotary the exponents run over the turned columns only, not over the whole head."""
    for layer in case.turned():
        if layer.scheme != "partial rotary" or case.settings.family.decoupled:
            continue
        wrong = scaling.interpolated(layer.head_dim, 1, layer.base)[: layer.rotary_dim // 2]
        return (
            f"{layer.rotary_dim} of {layer.head_dim} columns turn, and the exponent is over "
            f"{layer.rotary_dim}: the slowest pair takes {slowest(layer.plain):,.0f} tokens. With "
            f"the whole head in the exponent it would be {slowest(wrong):,.0f}."
        )
    return None


@warning("rotary", f"{GITHUB}/AI-Hypercomputer/maxtext/issues/4616")
def sections_and_part(case):
    """The sections of the axes must fit the part of the head that turns."""
    for layer in case.turned():
        if layer.sections is None:
            continue
        pairs = layer.rotary_dim // 2
        if sum(layer.sections) != pairs:
            return (
                f"The sections {list(layer.sections)} share out {sum(layer.sections)} pairs, but "
                f"{pairs} pairs turn."
            )
        if layer.scheme == "partial rotary" and case.own.get("axes_dims_rope") is None:
            return (
                f"Sections {list(layer.sections)} and a part of the head: {pairs} of "
                f"{layer.head_dim // 2} pairs turn. A path for sections that drops the part "
                f"(maxtext in July 2026) turns all {layer.head_dim // 2}."
            )
    return None


@warning("axes", f"{GITHUB}/alibaba/MNN/pull/4133")
def sections_in_turn(case):
    """The axes take pairs in turn: code that hands them out in blocks is right on text alone."""
    layer = next((each for each in case.turned() if each.sections_in_turn), None)
    if layer is None or len(layer.sections) != 3 or sum(layer.sections) != len(layer.wavelengths):
        return None
    *before, columns = layer.sections
    if not columns:
        return None
    return (
        f"The axes of sections {list(layer.sections)} take pairs in turn. In blocks (MNN in "
        f"January 2026) every text comes out the same, but the fastest pair of the columns needs "
        f"{layer.wavelengths[sum(before)]:,.0f} steps for a turn instead of "
        f"{layer.wavelengths[2]:,.0f}. Test with a picture."
    )


@warning("rotary", f"{TF}/pull/48486")
def part_not_read(case):
    """The file gives a share of the head that this family's code does not read."""
    family = case.settings.family
    key = next((k for k in ("partial_rotary_factor", "rotary_dim", "rotary_pct")
                if case.own.get(k) is not None or case.rope.get(k) is not None), None)  # fmt: skip
    reads = family.reads_partial and key != family.unread
    if key is None or reads or not case.turned("default"):
        return None
    value = case.own.get(key, case.rope.get(key))
    if value in (1, 1.0) or value == case.turned()[0].rotary_dim:
        return None
    return (
        f"{key} is {value}, and the code of {case.settings.model_type} does not read it: all "
        f"{case.turned()[0].rotary_dim} columns turn. Other engines read it."
    )


@warning("rotary", f"{TF}/pull/48486")
def two_parts(case):
    """The share of the head that turns is given twice, with different values."""
    said = {k: case.own[k] for k in ("partial_rotary_factor", "rotary_pct")
            if isinstance(case.own.get(k), (int, float))}  # fmt: skip
    if len(set(said.values())) < 2:
        return None
    return f"{' and '.join(f'{k} {v}' for k, v in said.items())}: two keys for one share differ."


@warning("rotary", f"{GITHUB}/deepseek-ai/FlashMLA/issues/49")
def head_width_means_two_things(case):
    """The key for the head's width holds only its turned part."""
    said, whole = case.own.get("head_dim"), case.own.get("qk_head_dim")
    if said is None or whole is None or said == whole:
        return None
    return (
        f"head_dim is {said} and qk_head_dim {whole}: the first is the part that turns, and scores "
        f"are divided by the root of the second."
    )


# --- several axes


@warning("axes", f"{GITHUB}/Tencent-Hunyuan/HunyuanVideo/issues/222")
def clip_starts_over(case):
    """A video longer than the trained clips comes back to the angles of its beginning."""
    for layer in case.turned():
        if layer.grid is None or "frame" not in layer.axes:
            continue
        axis = layer.axes.index("frame")
        frames, before = layer.grid[axis], sum(layer.sections[:axis])
        turns = 2 * math.pi / layer.frequencies[before : before + layer.sections[axis]]
        if frames is None or turns.max() <= frames:
            continue
        pair = int(np.argmax(turns > frames))
        back = compression(case.settings) * round(turns[pair]) + 1
        return (
            f"Of the {counted(len(turns), 'pair')} for the time, pair {pair} is the fastest that "
            f"does not finish a turn within the {frames} latent frames of the training. It is back "
            f"after {turns[pair]:.1f} of them: a longer video may start over at frame {back}."
        )
    return None


# --- what contradicts itself


@warning("relative", f"{VLLM}/pull/37411")
def table_beside_slopes(case):
    """A trained table of positions is in the file beside ALiBi."""
    slopes = any(each.scheme == "ALiBi" for each in case.layers)
    if not slopes or not case.own.get("learned_pos_emb"):
        return None
    return "learned_pos_emb is true beside alibi: the code of MPT has no table where alibi is on."


@warning("rotary", f"{CODE}/modeling_rope_utils.py")
def absolute_beside_rotation(case):
    """The file says “absolute,” and the model rotates."""
    said = case.own.get("position_embedding_type")
    if said != "absolute" or not case.turned():
        return None
    return "position_embedding_type says “absolute”, and the code of this family rotates."


@warning("reach", f"{TF}/issues/38002")
def window_switched_off(case):
    """The file gives a window and turns it off; programs that look only at its size apply it."""
    if case.own.get("use_sliding_window") is not False or not case.settings.raw("window"):
        return None
    return (
        f"sliding_window is {case.settings.integer('window'):,}, and use_sliding_window is false: "
        "a reader that knows only the first cuts every layer's view."
    )


@warning("reach", f"{TF}/issues/38002")
def window_without_size(case):
    """The file turns a window on and gives no size."""
    local = [each for each in case.layers if each.kind == "sliding_attention"]
    kinds = [each for each in local if each.window is None]
    if not kinds:
        return None
    return f"{len(kinds[0].indices)} layers have a window, and no key says its size."


@warning("debugging", f"{GITHUB}/lablup/mlxcel/pull/1386")
def key_twice(case):
    """A key is there twice, and which of the two counts depends on the parser."""
    if not case.settings.repeated:
        return None
    name, given = case.settings.repeated[0]
    return (
        f"The key {name!r} occurs {len(given)} times: Python's JSON reader keeps the last value, "
        f"{given[-1]!r:.40}, and others may keep the first."
    )
