"""The language model in numpy answers as the trainer does, with and without a cache."""

from pathlib import Path

import numpy as np
import pytest

import pecode
from lab import language
from lab.language import SCHEMES, LanguageModel, Window, generate, logits, losses
from lab.shakespeare import FOLDER, held_out, measured_losses, task_accuracies
from tools.train_language import initial

STORED = Path(__file__).with_name("language_answers.npz")  # the logits of the trainer, in JAX
CHARACTERS, LINE = 80, np.random.default_rng(1).integers(0, 80, 48)


def weights(name):
    """Random ones, of which no norm and no bias is left as it starts."""
    rng, found = np.random.default_rng(2), initial(name, 0, CHARACTERS)
    small = {key: array for key, array in found.items() if array.ndim == 1 or key == "bias"}
    return found | {
        key: rng.uniform(0.5, 2, array.shape).astype(np.float32) for key, array in small.items()
    }


def untrained(name):
    return LanguageModel(weights(name), SCHEMES[name])


@pytest.mark.parametrize("name", SCHEMES)
def test_the_answers_are_those_of_the_trainer(name):
    with np.load(STORED) as stored:
        np.testing.assert_allclose(logits(untrained(name), LINE)[::8], stored[name], atol=2e-4)
        hidden = untrained(name).replace(scheme=Window(SCHEMES[name], 16))
        np.testing.assert_allclose(logits(hidden, LINE)[-1], stored[f"{name}, 16"], atol=2e-4)


@pytest.mark.parametrize("name", SCHEMES)
def test_a_cache_changes_nothing(name):
    model = untrained(name)
    cache = language.Cache(model, len(LINE))
    parts = [language.read(model, part, cache) for part in np.split(LINE, [5, 6, 7, 40])]
    np.testing.assert_allclose(np.concatenate(parts), logits(model, LINE), atol=2e-4)
    several = np.stack([LINE, LINE[::-1]])
    np.testing.assert_allclose(logits(model, several)[0], logits(model, LINE), atol=2e-4)


def test_functions_take_the_place_of_the_rotation():
    model, turn = untrained("rotary"), pecode.rotate

    def still(x, t):
        return pecode.rotate(x, 0 * t)

    right = logits(model, LINE)
    same = logits(model.replace(turn_query=turn, turn_key=turn), LINE)
    np.testing.assert_allclose(same, right, atol=2e-4)
    shifted = logits(model.replace(turn_query=turn, turn_key=lambda x, t: turn(x, t + 1)), LINE)
    assert abs(shifted - right).max() > 0.1
    none = logits(model.replace(scheme=SCHEMES["none"], turn_query=turn), LINE)  # no rotation
    stands = logits(model.replace(turn_query=still, turn_key=still), LINE)
    np.testing.assert_allclose(stands, none, atol=2e-4)


def test_a_temperature_multiplies_cosines_and_sines():
    cos, sin = language.ROPE_SCALINGS["yarn"].rotation(9, 24)
    np.testing.assert_allclose(np.hypot(cos, sin), pecode.yarn_temperature(4))


def model_of_the_alphabet():
    return LanguageModel(initial("rotary", 0, len(language.ALPHABET)), SCHEMES["rotary"])


def test_losses_are_those_of_each_character_but_the_first():
    text, model = "To be, or not to be", model_of_the_alphabet()
    got, answers = losses(model, text), logits(model, text)[:-1].astype(float)
    chances = np.exp(answers) / np.exp(answers).sum(axis=-1, keepdims=True)
    expected = [-np.log(row[i]) for row, i in zip(chances, language.numbers(text)[1:], strict=True)]
    np.testing.assert_allclose(got, expected, rtol=1e-5)


def test_what_is_written_is_the_likeliest_or_drawn():
    model, text = model_of_the_alphabet(), "To be"
    for written in generate(model, "To be", 9):
        assert written == language.ALPHABET[logits(model, text)[-1].argmax()]
        text += written
    first, again, other = ("".join(generate(model, "To", 30, 1.0, seed)) for seed in (1, 1, 2))
    assert first == again != other
    with pytest.raises(ValueError, match=r"^text: .*'é'$"):
        language.numbers("né")
    with pytest.raises(ValueError, match=r"^prompt: "):
        next(generate(model, "", 1))


def test_models_are_loaded_by_name(tmp_path):
    np.savez(tmp_path / "none-3.npz", **{"up": np.int8([[2], [3]]), "up factor": np.float16([[4]])})
    assert language.load("none-3", tmp_path).weights["up"].tolist() == [[8], [12]]
    with pytest.raises(ValueError, match=r"^name: expected one of none-3, got 'none-4'$"):
        language.load("none-4", tmp_path)


def test_what_the_trainer_measured_is_measured_here():
    scenes, stored = held_out(128)[::8], measured_losses()
    for name in sorted(path.stem for path in FOLDER.iterdir() if path.name[-6:-5] == "-"):
        model, parts = language.load(name), slice(32, 127)
        assert abs(losses(model, scenes)[:, parts].mean() - stored[name][parts].mean()) < 0.2, name
    hidden = measured_losses("keys more than 127 back hidden")
    assert all((hidden[name][:127] == stored[name][:127]).all() for name in stored)
    with pytest.raises(ValueError, match="change: expected one of as trained"):
        measured_losses("bse")


@pytest.mark.parametrize("task", ["recent", "2 back", "first"])
def test_tasks_have_five_seeds_and_no_window_matters_inside(task):
    found = task_accuracies(task)
    assert set(found) == {name for name in SCHEMES if not name.startswith("rotary-")}
    for shares in found.values():
        assert shares.shape == (5, 2, 2)
        assert (shares[:, 0, 0] == shares[:, 1, 0]).all()
