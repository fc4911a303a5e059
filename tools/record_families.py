"""Record what the code of transformers knows about positions and a config leaves out.

python -m tools.record_families     writes pecheck/configuration/recorded.json

Every configuration class is built with its defaults; the keys that its code reads are found in its
sources. Git says what has changed. Needs transformers and torch (`pip install --group peers`).
"""

import ast
import contextlib
import copy
import dataclasses
import importlib
import itertools
import json
import sys
from functools import cache
from pathlib import Path

from pecheck.configuration.families import KEYS, ROWS
from pecheck.configuration.patterns import ATTENTION, LETTERS
from pecheck.configuration.settings import speaks_of_positions

ROOT = Path(__file__).parents[1]
RECORD = ROOT / "pecheck" / "configuration" / "recorded.json"
NAMES = {name for names in KEYS.values() for name in names.split()}
ALSO = {  # keys whose defaults a report needs, beside those of KEYS
    "qk_rope_head_dim", "qk_nope_head_dim", "max_window_layers", "image_size",
    "patch_size", "original_max_position_embeddings", "attention_chunk_size", "rope_interleave",
    "no_rope_layer_interval", "relative_attention_num_buckets", "relative_attention_max_distance",
    "max_target_positions", "global_attn_every_n_layers", "full_attention_interval",
    "compress_rope_theta", "index_head_dim", "attn_scale", "floor_scale", "alibi",
    "attn_temperature_tuning", "use_sliding_window", "rope_theta",
    "use_bidirectional_attention",
}  # fmt: skip
RULED = {"rope_scaling": {"rope_type": "linear", "factor": 8.0}}
USUAL = {"base": 10000.0, "layout": "half", "scaled": "all"}  # as the fields of `Family` have it
SHARED = {  # what code that several families share reads of a config
    "create_sliding_window_causal_mask": {"sliding_window"},
    "create_bidirectional_sliding_window_mask": {"sliding_window"},
    "create_chunked_causal_mask": {"attention_chunk_size"},
}


def is_about_positions(key):
    """Whether a key is one that a report would miss, were it not read."""
    kinds = "base", "local base", "partial", "window"
    told = {name for what in kinds for name in KEYS[what].split()}
    named = speaks_of_positions(key) or key in told or key == "alpha"
    return named and not key.startswith(("_s", "_v", "_n", "standardize_")) and key not in (
        "position_ids", "attention_scaling")  # fmt: skip


# --- the keys that code reads


@cache
def keys_in(module):
    """Names that a module reads of a config: attributes, and texts where keys are looked up."""
    path = Path(importlib.import_module(module).__file__)
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Attribute(value=holder, attr=name, ctx=ast.Load()) if _is_config(holder, path):
                found.add(name)
            case (
                ast.Call(ast.Name("getattr" | "hasattr"), [_, ast.Constant(str(name)), *_])
                | ast.Call(ast.Attribute(attr="get" | "pop" | "setdefault"),
                           [ast.Constant(str(name)), *_])
                | ast.Subscript(slice=ast.Constant(str(name)))
                | ast.Compare(left=ast.Constant(str(name)), ops=[ast.In() | ast.NotIn()])
            ):  # fmt: skip
                found.add(name)
            case ast.ImportFrom(module=str(origin), names=names, level=level):
                found |= _imported(module, origin, {each.name for each in names}, level)
    return found


def _is_config(node, path):
    """Whether an attribute of this is one of a config."""
    match node:
        case ast.Name("self"):
            return path.name.startswith("configuration_")
        case ast.Name(name) | ast.Attribute(attr=name):
            return name == "cfg" or name.endswith("config")
    return False


def _imported(module, origin, names, level):
    """What is read by code that a module imports: shared masks, and models that it builds upon."""
    found = set().union(*(SHARED.get(name, set()) for name in names))
    parts = module.split(".")[:-level] if level else []
    if origin.split(".")[-1].startswith("modeling_") and level == 2:
        found |= keys_in(".".join([*parts, origin]))
    return found


def keys_read(cls):
    """The keys about positions that the code of a configuration class reads."""
    found = set()
    for each in cls.__mro__:
        if each.__module__.startswith("transformers.models."):
            found |= keys_in(each.__module__)
    code = cls.__module__.replace("configuration_", "modeling_")
    if importlib.util.find_spec(code):
        found |= keys_in(code)
        found -= {"layer_types"} - keys_in(code)  # a class alone only stores it, or warns of it
    for other, name in (getattr(cls, "attribute_map", None) or {}).items():
        found |= {other, name} if {other, name} & found else set()
    if "rope_parameters" in cls.__dataclass_fields__:  # RotaryEmbeddingConfigMixin
        found |= {"rope_parameters", "rope_scaling"}
    return {key for key in found if is_about_positions(key)}


# --- what holds where a file is silent


def defaults_of(cls):
    """The defaults of a class for keys about positions and shapes, before it derives others."""
    found = {}
    for each in dataclasses.fields(cls):
        known = each.name in NAMES | ALSO and each.name not in ("rope_theta", "layer_types")
        if known and isinstance(each.default, (bool, int, float, str)):
            found[each.name] = each.default
    made = cls()
    if getattr(made, "is_heterogeneous", False) and "full_attention" in kinds_of(made):
        wide = made.per_layer_config["full_attention"].head_dim  # Gemma 4 calls it so
        found |= {"global_head_dim": wide} if wide != found.get("head_dim") else {}
    return found


def nullable(cls, keys):
    """Those of these keys that may be null; at the others the class stops."""
    found, named = set(), {"layer_types": getattr(cls(), "layer_types", None)}
    for key, more in itertools.product(keys, ({}, named if named["layer_types"] else {})):
        with contextlib.suppress(Exception):  # whatever the validators of a class raise
            cls(**{key: None, **copy.deepcopy(more)})
            found.add(key)
    return " ".join(sorted(found))


def turns_whole_at_null(cls, code):
    """Whether a null as the share that turns is all of a head, not the share of the class."""
    with contextlib.suppress(Exception):  # whatever such a class raises
        made = cls(), cls(partial_rotary_factor=None)
        own, null = ([n for n, *_ in frequencies_of(code, each)] for each in made)
        return own != null
    return False


def wants_whole_heads(cls, defaults):
    """Whether a class stops at a width that is no multiple of its heads."""
    width, heads = ({*defaults} & {*KEYS[what].split()} for what in ("width", "heads"))
    if len(width) != 1 or len(heads) != 1:
        return False
    heads = heads.pop()
    width = {width.pop(): defaults[heads] * 128 + 2}
    try:
        cls(**width)
    except Exception as error:
        return "not a multiple" in str(error)
    return False


def built(cls, **keys):
    """The rotation of a class that is built with these keys; what fails has none."""
    try:
        return getattr(cls(**copy.deepcopy(keys)), "rope_parameters", None)  # it fills rules in
    except Exception:  # whatever the validators of a class raise
        return None


def gets_in(cls, key, value, rule=RULED):
    """Whether a key at the top gets into the rotation of a class, beside a rule or without one."""
    return str(value) in json.dumps(built(cls, **{key: value}, **rule))


def frequencies_of(code, config):
    """Of each buffer of frequencies how many there are, the second, the last, and the sum."""
    found = []
    for name, cls in vars(code).items():
        if "RotaryEmbedding" in name and cls.__module__ == code.__name__:
            for buffer, values in cls(config).named_buffers():
                if buffer.endswith("inv_freq") and "original" not in buffer:
                    ends = values[[min(1, len(values) - 1), -1]].tolist()
                    numbers = *ends, values.double().sum().item()
                    found.append([len(values), *(float(f"{x:.8g}") for x in numbers)])
    return found


def ignored_by(cls, code):
    """Keys that code reads and this class replaces: they change no number of frequencies."""
    rule = {**RULED["rope_scaling"], "rope_theta": 10000.0}
    kinds = {"rope_parameters": dict.fromkeys(set(kinds_of(cls())), rule)}
    found = []
    for key, value in (("partial_rotary_factor", 0.375), ("head_dim", 48)):
        tried = []
        for rule in ({}, RULED, kinds):
            with contextlib.suppress(Exception):  # whatever such a class raises
                both = [cls(**copy.deepcopy(keys)) for keys in (rule, {**rule, key: value})]
                tried.append([[n for n, *_ in frequencies_of(code, each)] for each in both])
        if tried and all(one == other and one for one, other in tried):
            found.append(key)
    return found


def rotation_of(cls):
    """The rule without keys, the bases of one that gives none, and which layers a rule is for."""
    silent = dict(sorted((built(cls) or {}).items()))  # some classes go through a set
    if "main" in silent:  # DeepSeek-V4's own names, under which old keys are read
        local, full = silent["main"], silent["compress"]
        return {"base": full["rope_theta"], "local_base": local["rope_theta"],
                "partial": full["partial_rotary_factor"]}  # fmt: skip
    flat = built(cls, **RULED) or silent
    ruled = [v for _, v in sorted(flat.items()) if isinstance(v, dict) and "factor" in v]
    full = flat["full_attention"] if flat.get("full_attention") in ruled else (ruled or [flat])[0]
    local = flat.get("sliding_attention", full)
    found = {"base": full.get("rope_theta", cls.default_theta)}
    if any(isinstance(value, dict) for value in silent.values()):
        found["scaled"] = "full" if local != full and "factor" not in local else "all"
        found["scaled"] = "kinds" if "factor" in flat else found["scaled"]
        given = (built(cls, rope_theta=12345.0) or {}).get("sliding_attention") or {}
        keeps = "full_attention" in flat and given.get("rope_theta") != 12345.0
        if local is not full and (keeps or local.get("rope_theta") != found["base"]):
            found["local_base"] = local.get("rope_theta")
    usual = {"rope_theta": found["base"], "rope_type": "default"}
    local = {**usual, "rope_theta": found.get("local_base", found["base"])}
    if flat.get("partial_rotary_factor", 1.0) != 1.0:
        found["partial"] = flat["partial_rotary_factor"]
    known = found.get("partial", 1.0)
    plain = {k: v for k, v in silent.items() if (k, v) != ("partial_rotary_factor", known)}
    if silent and plain not in (usual, {"full_attention": usual, "sliding_attention": local}):
        found["rule"] = silent
    if not isinstance(found["base"], (int, float)):
        raise TypeError(f"a base for each kind of layer, {found['base']}")
    return found


def pattern_of(cls, code):
    """The kinds of most layers and of the others, the pattern's name and numbers; or letters."""
    fields, made = cls.__dataclass_fields__, cls()
    if not kinds_of(made):
        masks = {"create_sliding_window_causal_mask", "create_bidirectional_sliding_window_mask"}
        windows = "sliding_window" in fields and masks & vars(code).keys()
        return ["sliding_attention", "full_attention", "all"] if windows else None
    late = {"use_sliding_window": True, "max_window_layers": 5}
    keys = late if "max_window_layers" in fields else {}
    made = []
    for n in ({}, {"num_hidden_layers": 24}, {"num_hidden_layers": 29}):
        with contextlib.suppress(Exception):  # some classes take no other number
            made.append(kinds_of(cls(**keys, **n)))
    found = {tuple(pattern) for pattern in patterns(made[0])}
    for kinds in made[1:]:
        found &= {tuple(pattern) for pattern in patterns(kinds)}
    if found:  # the plainest, of a kind that does not see everything where there is one
        order = list(ATTENTION)
        best = min(
            found, key=lambda each: (order.index(each[2]), each[0] == "full_attention", each)
        )
        return None if best[::2] == ("full_attention", "all") else list(best)
    short = {kind: letter for letter, kind in LETTERS.items()}
    return ["".join(short[kind] for kind in made[0])]


def kinds_of(config):
    """The kinds of the layers of a config, as `config` names them."""
    names = {"attention": "full_attention", "mamba": "linear_attention", "moe": "mlp"}
    kinds = getattr(config, "layer_types", None) or getattr(config, "layers_block_type", None)
    return [names.get(kind, kind) for kind in kinds or []]


def patterns(kinds):
    """Every pattern that gives these kinds."""
    names = dict.fromkeys(kinds)
    pairs = [(a, b) for a in names for b in names if a != b] or [(kind, kind) for kind in names]
    n = len(kinds)
    for (most, other), (name, test) in itertools.product(
        pairs if len(names) < 3 else (), ATTENTION.items()
    ):
        counted = [(p, r) for p in range(2, 9) for r in range(p)]
        for numbers in {"all": [()], "late": [(5,)], "early even": [(5,)]}.get(name, counted):
            if kinds == [most if test(i, n, *numbers) else other for i in range(n)]:
                yield most, other, name, *(numbers if name.startswith("all but") else ())


def layout_of(code):
    """Which columns the rotation of a module mixes: "half", "interleaved", or None."""
    import torch

    angles = torch.arange(1, 5) / 10
    for name in ("apply_rotary_pos_emb_interleave", "apply_rotary_pos_emb"):
        if hasattr(code, name):
            waves = angles.repeat(2) if name[-1] == "b" else angles.repeat_interleave(2)
            x = torch.eye(8)[None, None]
            cos, sin = (each(waves).expand(1, 8, 8) for each in (torch.cos, torch.sin))
            try:
                mixed = getattr(code, name)(x, x, cos, sin)[0][0, 0].abs() > 1e-6
            except (TypeError, RuntimeError):
                return None
            return "interleaved" if mixed[1, 0] or name[-1] == "e" else "half"
    return None


def indexer_of(code):
    """The layout of the keys by which sparse attention chooses, in code that has two layouts."""
    if not hasattr(code, "apply_rotary_pos_emb_interleave"):
        return None
    for node in ast.parse(Path(code.__file__).read_text("utf-8")).body:
        if isinstance(node, ast.ClassDef) and node.name.endswith("Indexer"):
            called = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
            if "apply_rotary_pos_emb_interleave" in called:
                return "interleaved"
            return "half" if "apply_rotary_pos_emb" in called else None
    return None


def record(name):
    """What is known of one model type."""
    from transformers import CONFIG_MAPPING

    cls = CONFIG_MAPPING[name]
    parts = getattr(cls, "sub_configs_defaults", None) or getattr(cls, "sub_configs", None) or {}
    text = parts.get("text_config")
    text = getattr(getattr(text, "config_class", text), "model_type", None)
    if text and text != name:
        return {"text": text}
    found = {"defaults": defaults_of(cls), "reads": keys_read(cls)}
    try:
        code = importlib.import_module(cls.__module__.replace("configuration_", "modeling_"))
    except ImportError:  # a class that another model's code runs, or whose packages are not here
        code = None
    if "rope_parameters" in cls.__dataclass_fields__:
        if getattr(cls, "default_rope_type", "") == "axial":
            return {}
        found |= rotation_of(cls)
        found["layout"] = code and layout_of(code)
        found["indexer"] = code and indexer_of(code)
        found["reads"] -= {"rope_theta"}
        if gets_in(cls, "rope_theta", 12345.0):
            found["reads"] |= {"rope_theta"}
        if gets_in(cls, "rope_theta", 12345.0, {}):
            found["reads"] |= {"rope_theta"}
            found.get("rule", {}).pop("rope_theta", None)  # the one beside the rule counts
        found["ignores"] = code and ignored_by(cls, code)
        found["defaults"].pop("head_dim" if "head_dim" in (found["ignores"] or ()) else None, None)
        found["both_sides"] = "create_bidirectional_sliding_window_mask" in vars(code or ast)
        found["both_sides"] &= "create_sliding_window_causal_mask" not in vars(code or ast)
    found["attention"] = pattern_of(cls, code or ast)
    found["nullable"] = nullable(cls, sorted(found["defaults"]))
    if code and found.get("partial", 1) < 1 and turns_whole_at_null(cls, code):
        found["nullable"] = " ".join([*found["nullable"].split(), "partial_rotary_factor"])
    found["whole_heads"] = wants_whole_heads(cls, found["defaults"])
    found["reads"] = sorted(found["reads"])
    return {k: v for k, v in found.items() if v not in (None, {}, [], "", False)}


def recorded():
    """Every model type that says something about positions, and the sets of keys that are read."""
    import transformers
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING_NAMES

    transformers.logging.set_verbosity_error()
    known = {name for names in ROWS for name in names.split()}
    names, outer, sets = {}, {}, []
    for name in sorted(set(CONFIG_MAPPING_NAMES) - {"dory", "hrm_text"}):  # of repeated layers
        try:
            found = record(name)
        except Exception as error:  # of a class that cannot be built without arguments
            print(f"{name}: {type(error).__name__}: {error}"[:150], file=sys.stderr)
            continue
        if "text" in found:
            outer.setdefault(found["text"], []).append(name)
        elif found and (name in known or found.get("layout")) and found.get("partial", 0) <= 1:
            found = {k: v for k, v in found.items() if (k, v) not in USUAL.items()}
            reads = " ".join(found.pop("reads", []))
            sets += [reads] * (reads not in sets)
            facts = json.dumps({"reads": sets.index(reads), **found})
            names.setdefault(facts, []).append(name)
    families = {" ".join(each): json.loads(facts) for facts, each in names.items()}
    told = {name for each in names.values() for name in each}
    outer = {text: " ".join(each) for text, each in outer.items() if text in told}
    version = transformers.__version__
    return {"transformers": version, "outer": outer, "reads": sets, "families": families}


def written(record):
    """The record as the text of its file: a line for each set of keys and for each family."""
    parts = [f'"transformers": {json.dumps(record["transformers"])}',
             f'"outer": {json.dumps(record["outer"])}']  # fmt: skip
    sets = ",\n".join(map(json.dumps, record["reads"]))
    rows = ",\n".join(json.dumps({name: facts}, separators=(",", ":"))[1:-1]
                      for name, facts in record["families"].items())  # fmt: skip
    parts += [f'"reads": [\n{sets}\n]', f'"families": {{\n{rows}\n}}']
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    text = written(recorded())
    RECORD.write_text(text, encoding="utf-8")
    print(f"{RECORD.relative_to(ROOT)}: {len(text) // 1000} KB")
