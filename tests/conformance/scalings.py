"""Frequencies of rotary embeddings for longer texts, in libraries that have code of their own.

What transformers computes from the settings of a model is stored in tests/pecheck/configs.json, for
every rule. A result here is the frequencies of all pairs, fastest first, and for YaRN after them
the number by which cosines and sines are multiplied.
"""

import numpy as np

from pecode import frequencies, scaling
from tests.conformance.case import FLOAT32, Case, load


def float32_power(**arguments):
    """A power in float32 is off by a share of itself, which grows with its logarithm."""
    return 24 * FLOAT32


def yarn(d_head, base, factor, original_length, truncate):
    omega = scaling.yarn(d_head, factor, original_length, base, truncate=truncate)
    return np.append(omega, scaling.yarn_temperature(factor))


# Their side.


def keras_yarn(d_head, base, factor, original_length, truncate):
    layer = load("keras_hub").layers.RotaryEmbedding(
        max_wavelength=base,
        scaling_factor=factor,
        rope_type="yarn",
        beta_fast=32,
        beta_slow=1,
        original_max_position_embeddings=original_length,
        truncate=truncate,
    )
    omega = np.asarray(layer._get_inverse_freq(d_head), np.float64)
    # At position 0 nothing turns: what is left is the factor of the temperature.
    return np.append(omega, np.asarray(layer(np.ones((1, 1, d_head), np.float32)))[0, 0, 0])


def keras_dynamic(d_head, base, factor):
    layer = load("keras_hub").layers.RotaryEmbedding(
        max_wavelength=base, scaling_factor=factor, rope_type="dynamic"
    )
    return np.asarray(layer._get_inverse_freq(d_head), np.float64)


def rotary_embedding_torch(d_head, base, factor):
    made = load("rotary_embedding_torch").RotaryEmbedding(
        d_head, theta=base, theta_rescale_factor=factor
    )
    return made.freqs.detach().numpy()


def deepseek_scores(factor, mscale, mscale_all_dim):
    """What multiplies cosines and sines, and what multiplies scores."""
    code = load("transformers.models.deepseek_v3.modeling_deepseek_v3")
    rope = {"rope_type": "yarn", "rope_theta": 10000.0, "factor": factor, "mscale": mscale}
    rope |= {"mscale_all_dim": mscale_all_dim, "original_max_position_embeddings": 4096}
    config = load("transformers.models.deepseek_v3").DeepseekV3Config(rope_parameters=rope)
    of_columns = code.DeepseekV3RotaryEmbedding(config).attention_scaling
    return np.array([of_columns, code.yarn_apply_mscale(config.rope_parameters, 1.0)])


_SCALE = {"d_head": 64, "base": 10000.0, "factor": 4.0}
_GPT_OSS = {"d_head": 64, "base": 150000.0, "factor": 32.0, "original_length": 4096}

CASES = [
    Case("yarn: Keras, as gpt-oss", "keras_hub.layers.RotaryEmbedding", keras_yarn, yarn,
         _GPT_OSS | {"truncate": False}, _GPT_OSS | {"truncate": True}, float32_power,
         relative=True),
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
         "rotary_embedding_torch.RotaryEmbedding", rotary_embedding_torch,
         lambda d_head, base, factor: scaling.ntk_aware(d_head, factor, base), _SCALE,
         _SCALE | {"d_head": 256, "factor": 7.0}, float32_power, relative=True),
    # Another rule under the name of dynamic NTK: it slows down the fastest pair too.
    Case("dynamic: Keras divides every frequency by the same number",
         "keras_hub.layers.RotaryEmbedding", keras_dynamic,
         lambda d_head, base, factor: frequencies(d_head, base) / factor ** (d_head / (d_head - 2)),
         _SCALE, _SCALE | {"d_head": 256, "factor": 7.0}, float32_power, relative=True),
]  # fmt: skip
