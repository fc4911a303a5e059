"""Terms of the score that other libraries compute from content and distance.

KERPLE and FIRE are in no package that can be installed. Their papers' equations are worked out
here once more, number by number and with 50 digits.
"""

import mpmath
import numpy as np

from pecode import rotate
from pecode.relative import (
    contextual_bias,
    contextual_positions,
    deberta_buckets,
    disentangled_scores,
    fire_bias,
    kerple_bias,
    relative_positions,
    transformer_xl_scores,
    xpos_decay,
)
from tests.conformance.case import FLOAT32, Case, load, sample

FEW, MANY = {"length": 6, "d_head": 4, "rows": 8}, {"length": 90, "d_head": 32, "rows": 64}


def products(length, d_head, rows):
    """Sums of products of numbers up to 2; each rounds, and CoPE adds up as many gates."""
    return 16 * FLOAT32 * d_head * (4 + length / 8)


def _content(length, d_head):
    return sample(2, length, d_head)


def _table(rows, d_head):
    """Another sample than the content's."""
    return sample(rows + 3, d_head)[3:]


# Our side.


def xpos(length, d_head, scale_base):
    """The query, turned and multiplied, and the key, turned and divided; the middle is 0."""
    query, key = _content(length, d_head)
    t = np.arange(length)
    decay = np.repeat(xpos_decay(t - length // 2, d_head, scale_base=scale_base), 2, axis=-1)
    return np.stack([rotate(query, t) * decay, rotate(key, t) / decay])


def cope(length, d_head, rows):
    queries, keys = _content(length, d_head)
    return contextual_bias(queries, contextual_positions(queries @ keys.T), _table(rows, d_head))


def _scales(d_head):
    """Queries and position queries are divided by √(3d) each in its place."""
    return np.sqrt(3 * d_head)


def deberta(length, d_head, rows):
    queries, keys = _content(length, d_head)
    table = _table(rows, d_head)
    return disentangled_scores(queries, keys, -2 * table / _scales(d_head), table)


def deberta_v2(length, d_head, rows):
    queries, keys = _content(length, d_head)
    table = _table(rows, d_head)
    buckets = deberta_buckets(relative_positions(length), rows // 2, 4 * rows)
    scores = disentangled_scores(queries, keys, -2 * table, table, buckets)
    return scores / _scales(d_head)


def transformer_xl(length, d_head, rows):
    queries, keys = _content(length, d_head)
    u, v = _table(2, d_head)
    table = _table(2 * length + 2, d_head)[3:]  # of the offsets 1 - length … length - 1
    scores = queries @ keys.T + transformer_xl_scores(queries, keys, table, u, v)
    weights = np.exp(scores / np.sqrt(d_head))
    return weights / weights.sum(axis=-1, keepdims=True)


# Their side.


def x_transformers_xpos(length, d_head, scale_base):
    torch, code = load("torch"), load("x_transformers.x_transformers")
    made = code.RotaryEmbedding(d_head, use_xpos=True, scale_base=scale_base)
    angles, scale = made(torch.arange(length))
    query, key = torch.tensor(_content(length, d_head))[:, None]
    turned = [
        code.apply_rotary_pos_emb(query, angles, scale),
        code.apply_rotary_pos_emb(key, angles, scale**-1.0),
    ]
    return torch.cat(turned).numpy()


def x_transformers_cope(length, d_head, rows):
    torch, code = load("torch"), load("x_transformers.x_transformers")
    made = code.CoPE(d_head, heads=1, max_pos=rows)
    made.pos_emb.data = torch.tensor(_table(rows, d_head))
    queries, keys = torch.tensor(_content(length, d_head))
    scores = queries @ keys.T
    after = torch.ones(length, length, dtype=torch.bool).triu(1)
    scores = scores.masked_fill(after, -torch.finfo(scores.dtype).max)  # as its attention does
    with torch.no_grad():
        return made(queries[None, None], scores[None, None])[0, 0].numpy()


def _only_the_table(torch, linear, factor):
    linear.weight.data = factor * torch.eye(linear.in_features)
    if linear.bias is not None:
        linear.bias.data.zero_()


def deberta_in_transformers(length, d_head, rows):
    torch, code = load("torch"), load("transformers.models.deberta.modeling_deberta")
    config = load("transformers.models.deberta").DebertaConfig(
        hidden_size=d_head,
        num_attention_heads=1,
        relative_attention=True,
        max_relative_positions=rows // 2,
        pos_att_type=["c2p", "p2c"],
    )
    made = code.DisentangledSelfAttention(config)
    _only_the_table(torch, made.pos_proj, 1)
    _only_the_table(torch, made.pos_q_proj, -2)
    queries, keys = torch.tensor(_content(length, d_head))[:, None, None]
    distances = code.build_relative_position(queries, keys)
    with torch.no_grad():
        scores = made.disentangled_att_bias(
            queries, keys, distances, torch.tensor(_table(rows, d_head)), scale_factor=3
        )
    return scores[0, 0].numpy()


def deberta_v2_in_transformers(length, d_head, rows):
    torch, code = load("torch"), load("transformers.models.deberta_v2.modeling_deberta_v2")
    config = load("transformers.models.deberta_v2").DebertaV2Config(
        hidden_size=d_head,
        num_attention_heads=1,
        relative_attention=True,
        position_buckets=rows // 2,
        max_relative_positions=4 * rows,
        pos_att_type=["c2p", "p2c"],
    )
    made = code.DisentangledSelfAttention(config)
    _only_the_table(torch, made.pos_key_proj, 1)
    _only_the_table(torch, made.pos_query_proj, -2)
    queries, keys = torch.tensor(_content(length, d_head))[:, None]
    with torch.no_grad():
        scores = made.disentangled_attention_bias(
            queries, keys, None, torch.tensor(_table(rows, d_head)), scale_factor=3
        )
    return scores[0].numpy()


def xlnet(length, d_head, rows):
    """Transformer-XL has left transformers; XLNet has kept its attention."""
    torch, code = load("torch"), load("transformers.models.xlnet.modeling_xlnet")
    config = load("transformers.models.xlnet").XLNetConfig(d_model=d_head, n_head=1, dropout=0.0)
    made = code.XLNetRelativeAttention(config).eval()
    u, v = torch.tensor(_table(2, d_head))[:, None]  # (heads, d_head)
    made.r_w_bias.data, made.r_r_bias.data = u, v
    queries, keys = torch.tensor(_content(length, d_head))[:, :, None, None]
    # The offsets, query minus key, run from length to 1 - length.
    table = torch.tensor(_table(2 * length + 2, d_head))[2:][: 2 * length, None, None]
    with torch.no_grad():
        weights = made.rel_attn_core(queries, keys, keys, table, output_attentions=True)[1]
    return weights[:, :, 0, 0].numpy()


def in_50_digits(entry, length, n_heads):
    """entry(head, t, s) for every head, query t and key s, computed with 50 digits."""
    with mpmath.workdps(50):
        return np.array(
            [
                [[float(entry(head, t, s)) for s in range(length)] for t in range(length)]
                for head in range(n_heads)
            ]
        )


def kerple_by_the_paper(length, r1, r2, kernel):
    """Chi et al. (2022), definition 1 and section 4: -r1 log(1 + r2 |m - n|) and -r1 |m - n|^r2."""

    def entry(head, t, s):
        a, b, distance = mpmath.mpf(r1[head]), mpmath.mpf(r2[head]), abs(t - s)
        return -a * (mpmath.log(1 + b * distance) if kernel == "logarithmic" else distance**b)

    return in_50_digits(entry, length, len(r1))


def fire_by_the_paper(length, w_in, b_in, w_out, b_out, slope, threshold):
    """Li et al. (2024), equations 2 and 3: f(ψ(i - j) / ψ(max(L, i))), ψ(x) = log(c x + 1)."""

    def entry(head, i, j):
        c = mpmath.mpf(slope)
        share = mpmath.log(c * abs(i - j) + 1) / mpmath.log(c * max(threshold, i) + 1)
        units = zip(w_in, b_in, w_out, strict=True)
        return b_out[head] + mpmath.fsum(out[head] * max(w * share + b, 0) for w, b, out in units)

    return in_50_digits(entry, length, len(b_out))


def buckets_in_transformers(reach, n_buckets, max_distance):
    torch, code = load("torch"), load("transformers.models.deberta_v2.modeling_deberta_v2")
    offsets = torch.arange(-reach, reach + 1)
    return code.make_log_bucket_position(offsets, n_buckets, max_distance).long().numpy()


def _float64(**arguments):
    return 1e-13


_FIRE = {"w_in": [1.0, -2.0, 0.5], "b_in": [0.1, 0.9, -0.25], "b_out": [0.0, 1.0],
         "w_out": [[1.0, 0.3], [-1.0, 0.5], [2.0, -0.7]]}  # fmt: skip


def _xpos_tolerance(length, d_head, scale_base):
    return FLOAT32 * (8 + 4 * length) * 4.0 ** (length / scale_base)


_HF = "transformers.models.{0}.modeling_{0}."
_X = "x_transformers.x_transformers."

CASES = [
    Case(
        "x-transformers: xPos, interleaved, the middle of the text is 0",
        _X + "RotaryEmbedding",
        x_transformers_xpos,
        xpos,
        {"length": 6, "d_head": 4, "scale_base": 8},
        {"length": 700, "d_head": 64, "scale_base": 512},
        _xpos_tolerance,
    ),
    *(
        Case(name, function, theirs, ours, FEW, MANY, products)
        for name, function, theirs, ours in [
            ("x-transformers: CoPE", _X + "CoPE", x_transformers_cope, cope),
            (
                "DeBERTa: content asks position and position content, both at the same distance",
                _HF.format("deberta") + "DisentangledSelfAttention.disentangled_att_bias",
                deberta_in_transformers,
                deberta,
            ),
            (
                "DeBERTa 2 and 3: the same in buckets",
                _HF.format("deberta_v2") + "DisentangledSelfAttention.disentangled_attention_bias",
                deberta_v2_in_transformers,
                deberta_v2,
            ),
            (
                "XLNet: the weights of Transformer-XL's four terms",
                _HF.format("xlnet") + "XLNetRelativeAttention.rel_attn_core",
                xlnet,
                transformer_xl,
            ),
        ]
    ),
    *(
        Case(
            f"DeBERTa 2 and 3: {n_buckets} buckets to {max_distance}",
            _HF.format("deberta_v2") + "make_log_bucket_position",
            buckets_in_transformers,
            lambda reach, n_buckets, max_distance: deberta_buckets(
                np.arange(-reach, reach + 1), n_buckets, max_distance
            ),
            {"reach": reach, "n_buckets": n_buckets, "max_distance": max_distance},
            {"reach": 511, "n_buckets": n_buckets, "max_distance": max_distance},
            lambda reach, n_buckets, max_distance: 0,
        )
        for reach, n_buckets, max_distance in [(200, 256, 512), (40, 8, 30)]
    ),
    *(
        Case(
            f"KERPLE: the {kernel} kernel, number by number",
            "mpmath.log: Chi et al. (2022), section 4",
            kerple_by_the_paper,
            kerple_bias,
            {"length": 5, "r1": [1.0, 0.3], "r2": [0.5, 1.7], "kernel": kernel},
            {"length": 60, "r1": [0.01, 2.0, 1.0], "r2": [2.0, 0.03, 1.0], "kernel": kernel},
            _float64,
            relative=True,
        )
        for kernel in ("logarithmic", "power")
    ),
    Case(
        "FIRE: number by number, some queries beyond the threshold",
        "mpmath.log: Li et al. (2024), equations 2 and 3",
        fire_by_the_paper,
        fire_bias,
        _FIRE | {"length": 6, "slope": 0.1, "threshold": 3.5},
        _FIRE | {"length": 50, "slope": 1.3, "threshold": 20.0},
        _float64,
    ),
]
