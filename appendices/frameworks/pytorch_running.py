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
    step = model(ids[:, :prompt], use_cache=True)
    logits = [step.logits]
    for t in range(prompt, ids.shape[1]):
        step = model(ids[:, t : t + 1], past_key_values=step.past_key_values, use_cache=True)
        logits.append(step.logits)
    return torch.allclose(torch.cat(logits, dim=1), model(ids).logits, atol=1e-4)


def packed_is_as_alone(model, first, second, apart=True):
    """Whether a text has the logits behind another one that it has alone."""
    ids, n = torch.cat((first, second), dim=1), first.shape[1]
    text = torch.arange(ids.shape[1]) >= n
    seen = ((text[:, None] == text) | (not apart)).tril()
    again = torch.cat((torch.arange(n), torch.arange(second.shape[1])))
    mask = torch.where(seen, 0.0, -torch.inf)[None, None]  # (1, 1, length, length)
    logits = model(ids, attention_mask=mask, position_ids=again[None]).logits[:, n:]
    return torch.allclose(logits, model(second).logits, atol=1e-4)


def reach(model, ids):
    """How far back a token still changes the last logits: layers * (window - 1)."""
    last = model(ids).logits[0, -1]
    for column in range(ids.shape[1] - 1):
        other = ids.clone()
        other[0, column] = (other[0, column] + 1) % model.config.vocab_size
        if not torch.allclose(model(other).logits[0, -1], last, atol=1e-6):
            return ids.shape[1] - 1 - column
    return 0


def angle_error(model, base, position=4096):
    """The largest error, in radians, that the stored frequencies make at a position."""
    errors = []
    for name, omega in model.named_buffers():
        if name.endswith("inv_freq"):
            exact = base ** (-torch.arange(len(omega), dtype=torch.float64) / len(omega))
            errors.append((position * (omega.double() - exact)).abs().max().item())
    return max(errors)


def turned_again(rotary, keys, positions, m):
    """Whether keys that move by m need one more turn, and no more: R(t + m) = R(m) R(t)."""
    once = rotary(keys, positions + m)
    return torch.allclose(rotary(rotary(keys, positions), torch.tensor(m)), once, atol=1e-4)


def by_position(logits, targets):
    """The share of right answers at each position, (length,), from (batch, length, classes)."""
    return (logits.argmax(-1) == targets).double().mean(0)
