"""Frequencies of rotary embeddings for longer texts, as the models' configurations ask for them.

A result is the frequencies of all pairs, fastest first, and after them the number by which
cosines and sines are multiplied.
"""

import numpy as np

from pecode import frequencies, scaling
from tests.conformance.case import FLOAT32, Case, load


def float32_power(**arguments):
    """A power in float32 is off by a share of itself, which grows with its logarithm."""
    return 24 * FLOAT32


# Our side: from the keys of a configuration to our arguments.


def _original(rope, max_length):
    return rope.get("original_max_position_embeddings", max_length)


def _ours_linear(d_head, base, max_length, rope, length):
    return scaling.interpolated(d_head, rope["factor"], base), 1.0


def _ours_dynamic(d_head, base, max_length, rope, length):
    return scaling.dynamic_ntk(d_head, length, max_length, rope["factor"], base), 1.0


def _ours_yarn(d_head, base, max_length, rope, length):
    named = {key: rope[key] for key in ("beta_fast", "beta_slow", "truncate") if key in rope}
    omega = scaling.yarn(d_head, rope["factor"], _original(rope, max_length), base, **named)
    if "mscale" in rope:
        return omega, scaling.yarn_scales(rope["factor"], rope["mscale"], rope["mscale_all_dim"])[0]
    return omega, scaling.yarn_temperature(rope["factor"])


def _ours_longrope(d_head, base, max_length, rope, length):
    original = _original(rope, max_length)
    factors = rope["long_factor"] if length > original else rope["short_factor"]
    temperature = scaling.longrope_temperature(max_length / original, original)
    return scaling.longrope(d_head, factors, base), temperature


def _ours_llama3(d_head, base, max_length, rope, length):
    factors = {key: rope[key] for key in ("low_freq_factor", "high_freq_factor")}
    omega = scaling.llama3(d_head, rope["factor"], _original(rope, max_length), base, **factors)
    return omega, 1.0


def _ours_proportional(d_head, base, max_length, rope, length):
    """The first pairs turn with the frequencies of the whole width, the others stand still."""
    omega = scaling.proportional(d_head, rope["partial_rotary_factor"], base)
    return omega / rope.get("factor", 1.0), 1.0


OURS = {
    "linear": _ours_linear,
    "dynamic": _ours_dynamic,
    "yarn": _ours_yarn,
    "longrope": _ours_longrope,
    "llama3": _ours_llama3,
    "proportional": _ours_proportional,
}


def ours(d_head, base, max_length, rope, length):
    omega, temperature = OURS[rope["rope_type"]](d_head, base, max_length, rope, length)
    return np.append(omega, temperature)


# Their side.


def transformers(d_head, base, max_length, rope, length):
    functions = load("transformers.modeling_rope_utils").ROPE_INIT_FUNCTIONS
    config = load("transformers.models.llama").LlamaConfig(
        hidden_size=2 * d_head,
        num_attention_heads=2,
        head_dim=d_head,
        max_position_embeddings=max_length,
        rope_parameters={"rope_theta": base, **rope},
    )
    omega, temperature = functions[rope["rope_type"]](config, "cpu", seq_len=length)
    return np.append(omega.numpy().astype(np.float64), temperature)


def gemma4(d_head, base, share):
    """The frequencies of the layers that see all; the others have the ordinary ladder."""
    folder = load("transformers.models.gemma4")
    rope = {"rope_type": "proportional", "rope_theta": base, "partial_rotary_factor": share}
    config = folder.Gemma4TextConfig(
        num_hidden_layers=2,
        layer_types=["sliding_attention", "full_attention"],
        global_head_dim=d_head,
        rope_parameters={
            "full_attention": rope,
            "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0},
        },
    )
    made = load("transformers.models.gemma4.modeling_gemma4").Gemma4TextRotaryEmbedding(config)
    return made.full_attention_inv_freq.numpy()


def deepseek_scores(factor, mscale, mscale_all_dim):
    """What multiplies cosines and sines, and what multiplies scores."""
    code = load("transformers.models.deepseek_v3.modeling_deepseek_v3")
    rope = {"rope_type": "yarn", "rope_theta": 10000.0, "factor": factor, "mscale": mscale}
    rope |= {"mscale_all_dim": mscale_all_dim, "original_max_position_embeddings": 4096}
    config = load("transformers.models.deepseek_v3").DeepseekV3Config(rope_parameters=rope)
    of_columns = code.DeepseekV3RotaryEmbedding(config).attention_scaling
    return np.array([of_columns, code.yarn_apply_mscale(config.rope_parameters, 1.0)])


def _keras_yarn(d_head, base, max_length, rope, length):
    layer = load("keras_hub").layers.RotaryEmbedding(
        max_wavelength=base,
        scaling_factor=rope["factor"],
        rope_type="yarn",
        beta_fast=rope["beta_fast"],
        beta_slow=rope["beta_slow"],
        original_max_position_embeddings=rope["original_max_position_embeddings"],
        truncate=rope["truncate"],
    )
    omega = np.asarray(layer._get_inverse_freq(d_head), np.float64)
    # At position 0 nothing turns: what is left is the factor of the temperature.
    return np.append(omega, np.asarray(layer(np.ones((1, 1, d_head), np.float32)))[0, 0, 0])


def _keras_dynamic(d_head, base, factor):
    layer = load("keras_hub").layers.RotaryEmbedding(
        max_wavelength=base, scaling_factor=factor, rope_type="dynamic"
    )
    return np.asarray(layer._get_inverse_freq(d_head), np.float64)


def _rotary_embedding_torch(d_head, base, factor):
    made = load("rotary_embedding_torch").RotaryEmbedding(
        d_head, theta=base, theta_rescale_factor=factor
    )
    return made.freqs.detach().numpy()


def _llama(name, d_head, base, max_length, rope, length, theirs=transformers, function=None):
    function = function or f"transformers.modeling_rope_utils: {rope['rope_type']}"
    arguments = {
        "d_head": d_head, "base": base, "max_length": max_length, "rope": rope, "length": length,
    }  # fmt: skip
    return Case(name, function, theirs, ours, arguments, arguments, float32_power, relative=True)


_QWEN_YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}
_DEEPSEEK_YARN = {
    "rope_type": "yarn",
    "factor": 40.0,
    "original_max_position_embeddings": 4096,
    "beta_fast": 32,
    "beta_slow": 1,
}
_GPT_OSS_YARN = _DEEPSEEK_YARN | {"factor": 32.0, "truncate": False}
_LLAMA3 = {
    "rope_type": "llama3",
    "factor": 8.0,
    "original_max_position_embeddings": 8192,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
}
# A head and a length as in Phi-3; the factors are ours and rise as its do.
_LONGROPE = {
    "rope_type": "longrope",
    "original_max_position_embeddings": 4096,
    "short_factor": [1.0 + i / 48 for i in range(48)],
    "long_factor": [1.0 + i * i / 40 for i in range(48)],
}
_SCALE = {"d_head": 64, "base": 10000.0, "factor": 4.0}

CASES = [
    _llama("linear: Llama 2, twice as long", 128, 10000.0, 4096,
           {"rope_type": "linear", "factor": 2.0}, None),
    *(
        _llama(f"dynamic: Llama 2 at length {length}", 128, 10000.0, 4096,
               {"rope_type": "dynamic", "factor": 2.0}, length)
        for length in (4096, 4097, 65536)
    ),
    _llama("yarn: Qwen2.5", 128, 1e6, 131072, _QWEN_YARN, None),
    _llama("yarn: DeepSeek-V3, both weights 1: no temperature", 64, 10000.0, 163840,
           _DEEPSEEK_YARN | {"mscale": 1.0, "mscale_all_dim": 1.0}, None),
    _llama("yarn: two different weights of the temperature", 64, 10000.0, 163840,
           _DEEPSEEK_YARN | {"mscale": 1.0, "mscale_all_dim": 0.707}, None),
    _llama("yarn: gpt-oss, the ramp not moved", 64, 150000.0, 131072, _GPT_OSS_YARN, None),
    _llama("yarn: Keras, as gpt-oss", 64, 150000.0, 131072, _GPT_OSS_YARN, None, _keras_yarn,
           "keras_hub.layers.RotaryEmbedding"),
    _llama("longrope: as Phi-3, a short text", 96, 10000.0, 131072, _LONGROPE, 4096),
    _llama("longrope: as Phi-3, a long text", 96, 10000.0, 131072, _LONGROPE, 4097),
    _llama("llama3: Llama 3.1", 128, 500000.0, 131072, _LLAMA3, None),
    _llama("llama3: Llama 3.2 1B", 64, 500000.0, 131072, _LLAMA3 | {"factor": 32.0}, None),
    _llama("proportional: a quarter of the pairs", 256, 1e6, 131072,
           {"rope_type": "proportional", "factor": 8.0, "partial_rotary_factor": 0.25}, None),
    Case("proportional: the global layers of Gemma 4",
         "transformers.models.gemma4.modeling_gemma4.Gemma4TextRotaryEmbedding", gemma4,
         lambda d_head, base, share: scaling.proportional(d_head, share, base),
         {"d_head": 64, "base": 1e6, "share": 0.25}, {"d_head": 512, "base": 1e6, "share": 0.25},
         float32_power, relative=True),
    *(
        Case(f"yarn: DeepSeek's two scales, {mscale:g} and {mscale_all_dim:g}",
             "transformers.models.deepseek_v3.modeling_deepseek_v3.yarn_apply_mscale",
             deepseek_scores, scaling.yarn_scales,
             {"factor": 40.0, "mscale": mscale, "mscale_all_dim": mscale_all_dim},
             {"factor": 8.0, "mscale": mscale, "mscale_all_dim": mscale_all_dim},
             lambda **arguments: 1e-14, relative=True)
        for mscale, mscale_all_dim in [(1.0, 1.0), (1.0, 0.707)]
    ),
    Case("NTK-aware: rotary-embedding-torch, theta_rescale_factor",
         "rotary_embedding_torch.RotaryEmbedding", _rotary_embedding_torch,
         lambda d_head, base, factor: scaling.ntk_aware(d_head, factor, base), _SCALE,
         _SCALE | {"d_head": 256, "factor": 7.0}, float32_power, relative=True),
    # Another rule under the name of dynamic NTK: it slows down the fastest pair too.
    Case("dynamic: Keras divides every frequency by the same number",
         "keras_hub.layers.RotaryEmbedding", _keras_dynamic,
         lambda d_head, base, factor: frequencies(d_head, base) / factor ** (d_head / (d_head - 2)),
         _SCALE, _SCALE | {"d_head": 256, "factor": 7.0}, float32_power, relative=True),
]  # fmt: skip
