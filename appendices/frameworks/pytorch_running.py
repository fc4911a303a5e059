"""Tests of a model that runs, for models with the calls of the library transformers."""

import torch
from torch import nn
from torch.nn.attention.flex_attention import create_block_mask, flex_attention


def steps_are_one_pass(model, ids, prompt=4, padding=0, chunk=1):
    """Whether reading in chunks, with a cache, gives the logits of one pass."""
    padded = nn.functional.pad(ids, (padding, 0))  # on the left; ids: (1, length)
    mask = (torch.arange(padded.shape[1]) >= padding).long()[None]
    cache, logits, start = None, [], 0
    while start < padded.shape[1]:
        end = start + chunk if start else padding + prompt
        tokens = padded[:, start:end]
        step = model(tokens, attention_mask=mask[:, :end], cache=cache, use_cache=True)
        cache, logits, start = step.cache, [*logits, step.logits], end
    logits, one_pass = torch.cat(logits, dim=1)[:, padding:], model(ids).logits
    return bool((logits - one_pass).abs().max() < 1e-3 * one_pass.std())


def from_cu_seqlens(cu_seqlens):
    """Position IDs, and which text each token is in, of a packed row: (length,) each."""
    t = torch.arange(cu_seqlens[-1], dtype=cu_seqlens.dtype, device=cu_seqlens.device)
    text = torch.searchsorted(cu_seqlens, t, right=True) - 1
    return t - cu_seqlens[text], text


def packed_is_as_alone(model, first, second, masked=True, rows=None, blocks=False):
    """Whether a text has the logits behind another one that it has alone."""
    ids, n = torch.cat((first, second), dim=1), first.shape[1]
    again, text = from_cu_seqlens(torch.tensor([0, n, ids.shape[1]]))
    again = again[None] if rows is None else again.expand(rows, 1, -1)  # of M-RoPE
    mask = None if masked else torch.ones_like(ids)  # None: each layer makes its own, from the IDs
    if blocks:  # of a decoder; an encoder needs no tril
        seen = (text[:, None] == text).tril()
        mask = torch.where(seen, 0.0, -torch.inf)[None, None]
    row = model(ids, attention_mask=mask, position_ids=again, use_cache=False)
    alone = model(second).logits
    return bool((row.logits[:, n:] - alone).abs().max() < 1e-3 * alone.std())


def packed_alibi(query, key, value, slopes, cu_seqlens):
    """Causal attention of packed texts with ALiBi in one kernel: (batch, heads, length, d_head)."""
    ids, text = from_cu_seqlens(cu_seqlens)

    def bias(score, batch, head, q, k):  # q and k are columns
        return score - slopes[head] * (ids[q] - ids[k])

    def same_text(batch, head, q, k):
        return (text[q] == text[k]) & (q >= k)

    mask = create_block_mask(same_text, None, None, len(ids), len(ids), device=query.device)
    return flex_attention(query, key, value, score_mod=bias, block_mask=mask)


def t5_attention(query, key, value, by_offset):
    """T5's attention in one kernel; by_offset is (heads, 2 longest - 1), from 1 - longest on."""
    zero = by_offset.shape[-1] // 2 - (key.shape[-2] - query.shape[-2])  # keys in a cache

    def bias(score, batch, head, q, k):
        return score + by_offset[head, k - q + zero]

    return flex_attention(query, key, value, score_mod=bias, scale=1.0)  # T5 divides by no root


def blocks_know_what_shaped_them(serve, alone, before, request):
    """Whether a server that has read one request still gives another the logits it has alone."""
    serve(before)
    expected = alone(request)
    return bool((serve(request) - expected).abs().max() < 1e-3 * expected.std())


def a_draft_leaves_no_trace(model, ids, draft, prompt=4):
    """Whether the logits behind a draft that is taken back are those of one pass."""
    cache = model(ids[:, :prompt], use_cache=True).cache
    cache.activate_past_recording()  # else sliding layers drop what crop needs
    model(draft, cache=cache, use_cache=True)
    cache.crop(-draft.shape[1])  # by as many tokens
    rest = model(ids[:, prompt:], cache=cache, use_cache=True).logits
    one_pass = model(ids).logits
    return bool((rest - one_pass[:, prompt:]).abs().max() < 1e-3 * one_pass.std())


def rows_accept_their_own_numbers(model, ids, draft, accepted, prompt=4):
    """Whether rows that accept different numbers of drafted tokens go on as their own texts."""
    accepted = torch.as_tensor(accepted)
    cache = model(ids[:, :prompt].repeat(len(accepted), 1), use_cache=True).cache
    model(draft.repeat(len(accepted), 1), cache=cache, use_cache=True)
    kept = torch.arange(prompt + draft.shape[1]) < prompt + accepted[:, None]  # (rows, columns)
    mask = nn.functional.pad(kept.long(), (0, 1), value=1)  # and the column of the next token
    token, at = ids[:, prompt : prompt + 1], mask.sum(-1, keepdim=True) - 1
    rows = model(token.expand(len(accepted), 1), cache=cache, attention_mask=mask,
                 position_ids=at, use_cache=True).logits  # fmt: skip
    texts = [torch.cat((ids[:, :prompt], draft[:, :n], token), dim=1) for n in accepted]
    alone = torch.cat([model(text).logits[:, -1:] for text in texts])
    return bool((rows - alone).abs().max() < 1e-3 * alone.std())


def a_tree_is_its_paths(model, ids, sibling, masked=True):
    """Whether a last token has the logits of its path beside a sibling, (1, 1), of one depth."""
    n, tree = ids.shape[1], torch.cat((ids[:, :-1], sibling, ids[:, -1:]), dim=1)
    seen = torch.ones(n + 1, n + 1, dtype=torch.bool).tril()
    path = seen[:n, :n].clone()
    seen[n, n - 1] = not masked
    tree_mask, path_mask = (torch.where(each, 0.0, -torch.inf)[None, None] for each in (seen, path))
    depth = torch.arange(n + 1).clamp(max=n - 1)[None]
    logits = model(tree, attention_mask=tree_mask, position_ids=depth).logits[:, -1]
    alone = model(ids, attention_mask=path_mask).logits[:, -1]  # such a mask replaces windows
    return bool((logits - alone).abs().max() < 1e-3 * alone.std())


def reach(model, ids):
    """How far back a token still changes the last logits: layers * (window - 1)."""
    n = ids.shape[1]
    others = (ids + torch.eye(n, dtype=ids.dtype)[:-1]) % model.config.vocab_size
    same = torch.isclose(model(others).logits[:, -1], model(ids).logits[:, -1], atol=1e-6)
    return max([n - 1 - column for column in range(n - 1) if not same[column].all()], default=0)


def angle_error(model, position=4096, **bases):
    """The largest error, in radians, of stored frequencies at a position; bases by name."""
    errors = {}
    for name, omega in model.named_buffers():
        if name.endswith("inv_freq"):
            base = bases[name.split(".")[-1].replace("original_", "")]
            right = base ** -(torch.arange(len(omega)).double() / len(omega))
            errors[name] = position * (omega - right).abs().max().item()
    return torch.tensor(list(errors.values())).max().item()  # unlike Python's max, it keeps a NaN


def turned_again(rotary, keys, positions, m):
    """Whether keys that move by m need one more turn, and no more: R(t + m) = R(m) R(t)."""
    once = rotary(keys, positions + m)
    return torch.allclose(rotary(rotary(keys, positions), torch.tensor(m)), once, rtol=0, atol=1e-4)


def by_position(logits, targets):
    """The share of right answers at each position, (length,), from (batch, length, classes)."""
    return (logits.argmax(-1) == targets).double().mean(0)
