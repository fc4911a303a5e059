"""Tests of a model that runs, for models with the calls of the library transformers."""

import torch


def padding_is_invisible(model, ids, n=5):
    """Whether padding on the left changes no logit of a text, ids: (1, length)."""
    padded = torch.cat((ids.new_zeros(1, n), ids), dim=1)
    real = torch.arange(padded.shape[1]) >= n
    logits = model(padded, attention_mask=real.long()[None]).logits[:, n:]
    return torch.allclose(logits, model(ids).logits, atol=1e-4)


def steps_are_one_pass(model, ids, prompt=4):
    """Whether a prompt, and then token by token with a cache, gives the logits of one pass."""
    steps = [model(ids[:, :prompt], use_cache=True)]
    for token in ids[:, prompt:, None].unbind(1):
        steps.append(model(token, past_key_values=steps[-1].past_key_values, use_cache=True))
    logits = torch.cat([step.logits for step in steps], dim=1)
    return torch.allclose(logits, model(ids).logits, atol=1e-4)


def packed_is_as_alone(model, first, second, apart=True):
    """Whether a text has the logits behind another one that it has alone."""
    ids, t = torch.cat((first, second), dim=1), torch.arange(first.shape[1] + second.shape[1])
    text, again = t >= first.shape[1], torch.where(t >= first.shape[1], t - first.shape[1], t)
    mask = torch.where(((text[:, None] == text) | (not apart)).tril(), 0.0, -torch.inf)
    logits = model(ids, attention_mask=mask[None, None], position_ids=again[None]).logits
    return torch.allclose(logits[:, text], model(second).logits, atol=1e-4)


def reach(model, ids):
    """How far back a token still changes the last logits: layers * (window - 1)."""
    n = ids.shape[1]
    others = (ids + torch.eye(n, dtype=ids.dtype)[:-1]) % model.config.vocab_size
    same = torch.isclose(model(others).logits[:, -1], model(ids).logits[:, -1], atol=1e-6)
    return max([n - 1 - column for column in range(n - 1) if not same[column].all()], default=0)


def angle_error(model, base, position=4096):
    """The largest error, in radians, that the stored frequencies make at a position."""
    stored = [omega for name, omega in model.named_buffers() if name.endswith("inv_freq")]
    exponents = [torch.arange(len(omega)).double() / len(omega) for omega in stored]
    errors = [omega - base**-i for omega, i in zip(stored, exponents, strict=True)]
    return position * torch.cat(errors).abs().max().item()


def turned_again(rotary, keys, positions, m):
    """Whether keys that move by m need one more turn, and no more: R(t + m) = R(m) R(t)."""
    once = rotary(keys, positions + m)
    return torch.allclose(rotary(rotary(keys, positions), torch.tensor(m)), once, atol=1e-4)


def by_position(logits, targets):
    """The share of right answers at each position, (length,), from (batch, length, classes)."""
    return (logits.argmax(-1) == targets).double().mean(0)
