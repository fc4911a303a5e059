"""What transformers makes of every model type that `config` knows, where a file is silent.

python -m tests.conformance.families     (where torch and transformers are installed)

Tensors are stored, not names: the buffers of the rotary classes for a file of its model type alone
and for one with a rule, the layers that call the rotation in a small model, which columns it mixes,
and the rows of a table that the first tokens look up.
"""

import copy
import inspect
import json
import re
import sys
from itertools import groupby

from pecheck import config as ours
from pecheck.configuration.families import FAMILIES, KEYS, TRANSFORMERS
from pecheck.configuration.settings import KNOWN, speaks_of_positions
from tests import data
from tests.conformance.case import VECTORS, load
from tools.record_families import RULED, frequencies_of, indexer_of, kinds_of, layout_of

DATA = data("conformance/families.yml")
SIZES = {size: names.replace("HEADS", KEYS["heads"]) for size, names in DATA["sizes"].items()}
SMALL = {name: size for size, names in SIZES.items() for name in names.split()}
ALSO = re.compile("(image|patch)_size|pad_token|block_type|encoder_decoder|decoder_layers|first_k|"
                  "attn_(layer|idxs)|compress|pattern|head_dim|relative_att|biased|mamba|rotary_v"
                  "|model_type")  # fmt: skip


def essential(settings):
    """The settings that positions need, or all where these give another answer."""
    there = {k: v for k, v in settings.items() if v is not None}
    wanted = [k for k in there if k in KNOWN or ALSO.search(k) or speaks_of_positions(k)]
    some = {k: there[k] for k in wanted}
    return some if str(ours(some)) == str(ours(settings)) else settings


def run_lengths(kinds):
    """The kinds of layers one after the other, short: 3 linear, 1 full, 3 linear."""
    runs = [(kind.removesuffix("_attention"), len(list(run))) for kind, run in groupby(kinds)]
    return ", ".join(f"{n} {kind}" for kind, n in runs)


def silent(name, cls, code):
    """What holds where a file says its model type, and with a rule or a switch of windows alone."""
    made, switch = cls(), {"use_sliding_window": True}
    on = cls(**(switch if hasattr(made, *switch) else {}))  # else its window is null

    def said(*names):
        keys = [key for name in names for key in KEYS.get(name, name).split()]
        return next((getattr(made, key) for key in keys if getattr(made, key, None)), None)

    stacks = [said("encoder_layers", "layers"), said("decoder_layers", "num_decoder_layers")]
    width, heads, image = said("width"), said("heads"), said("image_size")
    defaults = FAMILIES[name].defaults
    both = getattr(made, "attention_window", 0) // 2  # Longformer's counts both sides
    found = {
        "layers": sum(filter(None, stacks[: 1 + FAMILIES[name].two_stacks])),
        "head": said("qk_head_dim", "head") or (width and heads and width // heads),
        "length": said("length"),
        "window": getattr(made, "sliding_window", both or None),
        "kinds": run_lengths(kinds_of(made)),
        "buckets": [said(f"relative_attention_{key}") for key in ("num_buckets", "max_distance")],
        "side": image // said("patch_size") if isinstance(image, int) else None,
        "decoder": said("max_target_positions"),
        "indexer": [indexer_of(code), said("index_head_dim")],
        "frequencies": frequencies_of(code, made),
        "keys": {k: getattr(on if k == "sliding_window" else made, k, None) for k in defaults},
        "rope": getattr(made, "rope_parameters", None),
    }
    if hasattr(made, "max_window_layers"):
        found["switched"] = run_lengths(kinds_of(cls(**switch, num_hidden_layers=40)))
    try:
        found["ruled"] = frequencies_of(code, cls(**copy.deepcopy(RULED)))
    except Exception:  # of a class that takes no such rule
        found["ruled"] = []
    return found


def run(code, config):
    """The layers that turn, and (rows, first row) of tables that consecutive tokens look up."""
    torch, auto = load("torch"), load("transformers").AutoModel
    turned, tables = set(), []
    embedding, select = torch.nn.functional.embedding, torch.Tensor.index_select

    def look_up(ids, weight):
        rows = ids.flatten().tolist()[:4]
        if rows == list(range(rows[0], rows[0] + 4)):
            tables.append([len(weight), rows[0]])

    def embedded(ids, weight, *rest):
        look_up(ids, weight)
        return embedding(ids, weight, *rest)

    def selected(table, dim, ids):
        look_up(ids, table)
        return select(table, dim, ids)

    def counted(function):
        def turn(*arguments, **named):
            layer = sys._getframe(1).f_locals.get("self")
            turned.add(getattr(layer, "layer_idx", None))
            return function(*arguments, **named)

        return turn

    rotations = {
        k: f for k, f in vars(code).items() if k.startswith("apply_rotary") and callable(f)
    }
    vars(code).update({k: counted(f) for k, f in rotations.items()})
    torch.nn.functional.embedding, torch.Tensor.index_select = embedded, selected
    words = torch.tensor([[7, 9, 8, 5]])  # out of order, so that they are no positions
    more = {"decoder_input_ids": words, "lang_ids": torch.tensor([0]),
            "bbox": torch.zeros(1, 4, 4, dtype=torch.long)}  # fmt: skip
    try:
        model = auto.from_config(config).eval()
        asked = inspect.signature(model.forward).parameters
        with torch.no_grad():
            model(input_ids=words, **{k: v for k, v in more.items() if k in asked})
    finally:
        vars(code).update(rotations)
        torch.nn.functional.embedding, torch.Tensor.index_select = embedding, select
    return sorted(turned, key=str), tables


def record(name):
    """The answers of one model type, as far as they can be had."""
    cls = load("transformers").CONFIG_MAPPING[name]
    code = load(cls.__module__.replace("configuration_", "modeling_"))
    made = cls()
    pad = {"pad_token_id": 0} if (getattr(made, "pad_token_id", None) or 0) >= 100 else {}
    small = cls(**{k: v for k, v in {**SMALL, **pad}.items() if hasattr(made, k)})
    found = {"layout": layout_of(code), "silent": silent(name, cls, code)}
    for config in (small, made):  # not every type can be small
        try:
            found["frequencies"] = frequencies_of(code, config)
            keys = {**json.loads(json.dumps(config.to_dict(), default=str)), "model_type": name}
            if not pad:  # the row of position 0 follows from that of the class
                keys.pop("pad_token_id", None)
            found["settings"] = essential(keys)
            if config is small:
                found["turned"], found["tables"] = run(code, config)
            return found
        except Exception as error:
            print(name, f"{type(error).__name__}: {error}"[:150], flush=True)
    return found


def main():
    """Record all types that transformers has."""
    load("transformers").logging.set_verbosity_error()
    records = {}
    for name in sorted(set(FAMILIES) & set(load("transformers").CONFIG_MAPPING)):
        try:
            records[name] = record(name)
        except Exception as error:
            print(name, f"{type(error).__name__}: {error}"[:150], flush=True)
    records = {each: found for each, found in records.items() if found}
    lines = [json.dumps({x: found}, separators=(",", ":"))[1:-1] for x, found in records.items()]
    lines.insert(0, json.dumps({"": {"transformers": TRANSFORMERS}})[1:-1])
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    (VECTORS / "families.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
