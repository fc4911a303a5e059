"""The trainer of the language models: a few steps, and the same numbers as in the book's numpy."""

import numpy as np
import pytest

pytest.importorskip("jax", reason="JAX is not installed (the group `train`)")
pytest.importorskip("optax", reason="optax is not installed (the group `train`)")

import json

from lab import language, tasks
from tests.lab.test_language import LINE, STORED, weights
from tools import train_language as trainer

SOME = np.tile(np.arange(7), 300)  # a text without any doubt


@pytest.fixture
def small(monkeypatch):
    """Short texts, and few to measure with."""
    few = trainer.pieces
    monkeypatch.setattr(trainer, "pieces", lambda texts, length, n=2: few(texts, length, 2))
    monkeypatch.setattr(trainer, "LENGTH", 40)
    monkeypatch.setattr(trainer, "BATCH", 4)


def train(folder, name="rotary", steps=10):
    trainer.train(name, 0, SOME, [SOME, SOME], 7, folder, steps)
    return json.loads((folder / f"{name}-0.json").read_text())


def test_ten_steps_lower_the_loss_and_more_follow_at_longer_texts(small, tmp_path):
    found = train(tmp_path)
    assert np.mean(found["as trained"][8:40]) < np.log(7)
    assert "as trained" in train(tmp_path, "rotary-yarn")


def test_a_task_is_learned_and_a_window_hides_the_first_token():
    near, far, _, hidden = trainer.train_on_task(tasks.first, "none", seed=0, steps=60)
    assert min(near, far) > 0.9 > hidden


@pytest.mark.parametrize("name", language.SCHEMES)
def test_stored_answers_are_those_of_the_trainer(name):
    with np.load(STORED) as stored:
        of_line = trainer.logits(weights(name), LINE[None], language.SCHEMES[name])[0]
        np.testing.assert_allclose(of_line[::8], stored[name], atol=2e-4)
