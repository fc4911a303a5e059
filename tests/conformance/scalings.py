"""Frequencies of rotary embeddings for longer texts, in libraries that have code of their own.

What transformers computes from the settings of a model is stored in tests/pecheck/configs.json, for
every rule. A result here is the frequencies of all pairs, fastest first, and for YaRN after them
the number by which cosines and sines are multiplied.
"""

import numpy as np

from pecode import frequencies, scaling
from tests.conformance.case import load


def yarn(d_head, base, factor, original_length, truncate):
    omega = scaling.yarn(d_head, factor, original_length, base, truncate=truncate)
    return np.append(omega, scaling.yarn_temperature(factor))


def all_divided(d_head, base, factor):
    return frequencies(d_head, base) / factor ** (d_head / (d_head - 2))


# Their side.


def keras_yarn(d_head, base, factor, original_length, truncate):
    ramp = {"beta_fast": 32, "beta_slow": 1, "original_max_position_embeddings": original_length}
    layer = load("keras_hub").layers.RotaryEmbedding(
        max_wavelength=base, scaling_factor=factor, rope_type="yarn", truncate=truncate, **ramp
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
