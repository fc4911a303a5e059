"""Slopes and biases of ALiBi, and buckets of T5, in other libraries."""

import numpy as np

from pecode import alibi_bias, alibi_slopes
from pecode.precision import bfloat16
from pecode.relative import t5_buckets
from tests.conformance.case import FLOAT32, load

FEW_HEADS, MANY_HEADS = {"heads": [1, 2, 3, 6, 8, 12, 20]}, {"heads": list(range(1, 65))}


def float32_products(length, n_heads):
    """A slope that is off by a few roundings, times a distance."""
    return 4 * FLOAT32 * length


# Slopes.


def by_count(slopes):
    """The slopes for several numbers of heads, one after the other."""
    return lambda heads: np.concatenate([slopes(n_heads) for n_heads in heads])


our_slopes = by_count(alibi_slopes)


@by_count
def bloom_slopes(n_heads):
    module = load("transformers.models.bloom.modeling_bloom")
    return module._get_alibi_slopes(n_heads, "cpu").numpy()


@by_count
def mpt_slopes(n_heads):
    module = load("transformers.models.mpt.modeling_mpt")
    return -module.build_mpt_alibi_tensor(n_heads, 2)[:, 0, 0].numpy()  # one key back


@by_count
def keras_slopes(n_heads):
    return np.array(load("keras_hub").layers.AlibiBias()._get_slopes(n_heads))


# Biases: numbers for each head and key, the same for all queries. A softmax does not see what is
# added to all keys alike, so the row of the last query of a causal model says all.


def build_alibi_tensor(length, n_heads, model):
    torch, module = load("torch"), load(f"transformers.models.{model}.modeling_{model}")
    mask = torch.ones(1, length, dtype=torch.int64)
    return module.build_alibi_tensor(mask, n_heads, torch.float32)[:, 0].numpy()


def mpt_bias(length, n_heads):
    module = load("transformers.models.mpt.modeling_mpt")
    return module.build_mpt_alibi_tensor(n_heads, length)[:, 0].numpy()


def x_transformers_bias(length, n_heads):
    """All queries and keys, both sides."""
    module = load("x_transformers.x_transformers")
    return module.AlibiPositionalBias(n_heads)(length, length).numpy()


def both_sides(length, n_heads):
    return alibi_bias(length, alibi_slopes(n_heads))


def last_query(length, n_heads):
    """Zero at the last key, and the cost of the distance before."""
    return both_sides(length, n_heads)[:, -1]


def first_key_zero(length, n_heads):
    """The same, lifted: zero at the first key."""
    row = last_query(length, n_heads)
    return row - row[:, :1]


def in_bfloat16(length, n_heads):
    """Slopes, distances and products are all rounded to 8 bits."""
    slopes = bfloat16(alibi_slopes(n_heads))
    return bfloat16(slopes[:, None] * bfloat16(np.arange(length)))


# Buckets, as runs: how many offsets in a row share a bucket.


def runs(buckets):
    """Rows (bucket, count)."""
    starts = np.flatnonzero(np.diff(buckets, prepend=-1))
    return np.stack([buckets[starts], np.diff(starts, append=len(buckets))], axis=-1)


def our_buckets(reach, n_buckets, max_distance, bidirectional):
    offsets = np.arange(-reach, reach + 1)
    return runs(t5_buckets(offsets, n_buckets, max_distance, bidirectional))


def in_runs(bucket_of):
    """Their function of (offsets, bidirectional, n_buckets, max_distance) as a row of runs."""

    def theirs(reach, n_buckets, max_distance, bidirectional):
        offsets = load("torch").arange(-reach, reach + 1)
        return runs(np.asarray(bucket_of(offsets, bidirectional, n_buckets, max_distance)))

    return theirs


@in_runs
def t5(*arguments):
    module = load("transformers.models.t5.modeling_t5")
    return module.T5Attention._relative_position_bucket(*arguments)


@in_runs
def keras_buckets(offsets, *options):
    load("keras_hub")
    module = load("keras_hub.src.models.t5.t5_multi_head_attention")
    offsets = load("keras").ops.convert_to_tensor(offsets.numpy(), dtype="int32")
    return module.T5MultiHeadAttention._relative_position_bucket(offsets, *options)
