"""Record what transformers computes from the published settings that the tests read.

python -m tools.record_configs     writes those that differ into tests/pecheck/configs.json

The settings stand there, or in `models.json`; tables, slopes, buckets and longer texts were
computed once, and stay. Needs transformers and torch.
"""

import importlib
import json
from importlib import metadata
from pathlib import Path

import numpy as np

from pecheck.configuration import models

ROOT = Path(__file__).parents[1]
CONFIGS = ROOT / "tests" / "pecheck" / "configs.json"
FAMILIES = ROOT / "tests" / "conformance" / "vectors" / "families.json"
COMPARED = ROOT / "pecheck" / "configuration" / "compared.json"  # what the page about it says


def frequencies_of(settings):
    """The buffers of the rotary class of a model: {kind of layer, or "all": frequencies}."""
    from transformers import CONFIG_MAPPING

    part = next((settings[k] for k in ("text_config", "llm_config") if k in settings), settings)
    name = part.get("model_type") or settings.get("model_type")
    if name not in CONFIG_MAPPING:
        return {}
    cls = CONFIG_MAPPING[name]
    made = cls(**{key: value for key, value in part.items() if key != "model_type"})
    made = getattr(made, "text_config", None) or made
    code = importlib.import_module(type(made).__module__.replace("configuration_", "modeling_"))
    first = type(made).__name__.removesuffix("Config").removesuffix("Text")
    for name, module in vars(code).items():
        own = getattr(module, "__module__", "") == code.__name__ and "Vision" not in name
        if own and name.endswith("RotaryEmbedding") and name.lower().startswith(first.lower()):
            buffers = dict(module(made).named_buffers()).items()
            return {name.removesuffix("inv_freq").rstrip("_") or "all": values.tolist()
                    for name, values in buffers
                    if name.endswith("inv_freq") and "original" not in name}  # fmt: skip
    return {}


def main():
    """Compute the frequencies of every file again, and say which of them differ."""
    cases, shipped, changed, compared = json.loads(CONFIGS.read_text("utf-8")), models(), [], 0
    for name, case in cases.items():
        settings = json.loads(json.dumps((shipped.get(name) or case)["settings"]))
        for kind, omega in frequencies_of(settings).items() if "rope" in case["expected"] else ():
            stored = case["expected"]["rope"].setdefault(kind, {"attention_scaling": 1.0})
            same = np.shape(stored.get("inv_freq")) == np.shape(omega)
            compared += 1
            if not same or not np.allclose(stored["inv_freq"], omega, rtol=1e-6, atol=0):
                stored["inv_freq"] = [float(f"{value:.9g}") for value in omega]
                changed.append(f"{name}, {kind}")
    said = f"{compared} tables of frequencies computed again, {len(changed)} changed"
    print(said, *changed, sep="\n")
    lines = [f'"{name}": {json.dumps(x, separators=(",", ":"))}' for name, x in cases.items()]
    CONFIGS.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    _, *records = json.loads(FAMILIES.read_text("utf-8")).values()
    counts = {"tables": compared, "types": len(records)}
    counts["models"] = sum("turned" in record for record in records)
    versions = {name: metadata.version(name) for name in ("transformers", "torch")}
    COMPARED.write_text(json.dumps(versions | counts, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
