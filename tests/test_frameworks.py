"""The code of the page "In your framework" computes what `pecode` computes.

Each file is run where its framework is installed. `PECODE_PEERS=all` makes an absent one an error.
"""

import importlib.util
import re
from pathlib import Path

import numpy as np
import pytest
from conformance.case import load, needs, sample, wanted
from conformance.groups import GROUPS

import pecode

FOLDER = Path(__file__).parents[1] / "appendices" / "frameworks"
FLOAT32 = 2.0**-24


def code(framework):
    """The page's file for a framework, as a module."""
    name = f"{framework}_positions"
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def numpy_code():
    return code("numpy")


@pytest.fixture(scope="module")
def torch_code():
    needs("torch")
    load("torch")
    return code("pytorch")


@pytest.fixture(scope="module")
def jax_code():
    needs("jax")
    load("jax")
    return code("jax")


@pytest.fixture(scope="module")
def tensorflow_code():
    needs("tensorflow")
    load("tensorflow")
    return code("tensorflow")


# One answer for each framework: plain arrays in, plain arrays out.


class Numpy:
    package, fixture = "numpy", "numpy_code"

    @staticmethod
    def table(module, length, d_model, start):
        return module.sinusoidal_table(length, d_model, start)

    @staticmethod
    def rotate(module, x, start, layout):
        return module.rotate(x, start, layout=layout)

    @staticmethod
    def bias(module, n_heads, length, start):
        return module.alibi_bias(n_heads, length, start)


class PyTorch:
    package, fixture = "torch", "torch_code"

    @staticmethod
    def table(module, length, d_model, start):
        torch = load("torch")
        encoding = module.SinusoidalEncoding(d_model, max_length=start + length)
        return encoding(torch.zeros(length, d_model), start).numpy()

    @staticmethod
    def rotate(module, x, start, layout):
        torch = load("torch")
        rotary = module.Rotary(x.shape[-1], max_length=start + x.shape[-2], layout=layout)
        return rotary(torch.tensor(x), start).numpy()

    @staticmethod
    def bias(module, n_heads, length, start):
        return module.alibi_bias(n_heads, length, start).numpy()


class Jax:
    package, fixture = "jax", "jax_code"

    @staticmethod
    def table(module, length, d_model, start):
        table = module.sinusoidal_table(start + length, d_model)
        return np.asarray(module.add_positions(np.zeros((length, d_model), "f"), table, start))

    @staticmethod
    def rotate(module, x, start, layout):
        turn = module.rotate if layout == "half" else module.rotate_interleaved
        return np.asarray(turn(x, module.rotary_table(start + x.shape[-2], x.shape[-1]), start))

    @staticmethod
    def bias(module, n_heads, length, start):
        return np.asarray(module.alibi_bias(n_heads, length, start))


class TensorFlow:
    package, fixture = "tensorflow", "tensorflow_code"

    @staticmethod
    def table(module, length, d_model, start):
        return module.sinusoidal_table(length, d_model, start).numpy()

    @staticmethod
    def rotate(module, x, start, layout):
        turn = module.rotate if layout == "half" else module.rotate_interleaved
        return turn(x, start).numpy()

    @staticmethod
    def bias(module, n_heads, length, start):
        return module.alibi_bias(n_heads, length, start).numpy()


every_framework = pytest.mark.parametrize(
    "framework",
    [answer for answer in (Numpy, PyTorch, Jax, TensorFlow) if wanted(answer.package)],
)


@every_framework
@pytest.mark.parametrize("d_model", [1, 2, 7, 64])
@pytest.mark.parametrize(("length", "start"), [(1, 0), (50, 0), (3, 4000)])
def test_the_table_is_that_of_pecode(framework, d_model, length, start, request):
    module = request.getfixturevalue(framework.fixture)
    table = framework.table(module, length, d_model, start)
    expected = pecode.sinusoidal(np.arange(start, start + length), d_model)
    assert table.shape == expected.shape
    # Computed in float64, so the position does not matter: one rounding to float32.
    np.testing.assert_allclose(table, expected, rtol=0, atol=1.01 * FLOAT32)


@every_framework
@pytest.mark.parametrize("layout", ["interleaved", "half"])
@pytest.mark.parametrize("shape", [(1, 2), (40, 8), (2, 3, 5, 64)])
@pytest.mark.parametrize("start", [0, 4000])
def test_turned_rows_are_those_of_pecode(framework, layout, shape, start, request):
    module = request.getfixturevalue(framework.fixture)
    x = sample(*shape)
    turned = framework.rotate(module, x, start, layout)
    positions = np.arange(start, start + shape[-2])
    assert turned.dtype == np.float32
    np.testing.assert_allclose(
        turned, pecode.rotate(x, positions, layout=layout), rtol=0, atol=8 * FLOAT32
    )


@every_framework
@pytest.mark.parametrize("n_heads", [1, 2, 3, 8, 12])
@pytest.mark.parametrize(("length", "start"), [(6, 0), (1, 9), (3, 4)])
def test_the_bias_is_that_of_pecode_for_the_last_queries(
    framework, n_heads, length, start, request
):
    module = request.getfixturevalue(framework.fixture)
    bias = framework.bias(module, n_heads, length, start)
    expected = pecode.alibi_bias(start + length, pecode.alibi_slopes(n_heads))[:, start:]
    assert bias.shape == expected.shape
    np.testing.assert_allclose(bias, expected, rtol=1e-6)


def test_a_cache_that_is_read_word_by_word_gives_the_rows_of_the_whole_text(numpy_code):
    x = sample(9, 8)
    whole = numpy_code.rotate(x)
    for t in range(9):
        np.testing.assert_array_equal(numpy_code.rotate(x[t : t + 1], start=t), whole[t : t + 1])


def test_integers_and_small_floats_are_turned_too(numpy_code):
    x = np.arange(12).reshape(3, 4)
    assert numpy_code.rotate(x).dtype == np.float64
    np.testing.assert_allclose(numpy_code.rotate(x), pecode.rotate(x, range(3)), rtol=1e-12)
    assert numpy_code.rotate(x.astype(np.float16)).dtype == np.float32


def test_a_layout_that_does_not_exist_is_an_error(numpy_code):
    with pytest.raises(KeyError):
        numpy_code.rotate(np.ones((1, 2)), layout="concatenated")


# PyTorch


def test_a_module_knows_two_layouts(torch_code):
    with pytest.raises(ValueError, match="layout: expected half or interleaved"):
        torch_code.Rotary(8, layout="concatenated")


def test_a_checkpoint_of_the_modules_holds_no_table(torch_code):
    assert not torch_code.SinusoidalEncoding(8).state_dict()
    assert not torch_code.Rotary(8).state_dict()


def test_beyond_its_table_a_module_raises(torch_code):
    torch = load("torch")
    encoding = torch_code.SinusoidalEncoding(8, max_length=10)
    assert encoding(torch.zeros(1, 8), start=9).shape == (1, 8)
    with pytest.raises(IndexError, match="rows 10 to 10 of 10"):
        encoding(torch.zeros(1, 8), start=10)


def test_without_that_check_a_word_beyond_the_table_would_vanish(torch_code):
    torch = load("torch")
    table = torch_code.SinusoidalEncoding(8, max_length=10).table
    assert (torch.zeros(1, 8) + table[10:11]).shape == (0, 8)


def test_modules_moved_to_bfloat16_lose_digits_and_no_position(torch_code):
    torch = load("torch")
    rotary = torch_code.Rotary(64).to(torch.bfloat16)
    x = torch.tensor(sample(4096, 64)).to(torch.bfloat16)
    turned = rotary(x).float().numpy()
    expected = pecode.rotate(x.float().numpy(), np.arange(4096), layout="half")
    assert np.abs(turned - expected).max() < 0.02


def test_frequencies_moved_to_bfloat16_lose_the_position(torch_code):
    """What the modules avoid: they keep the cosines."""
    torch = load("torch")
    omega = torch.tensor(pecode.frequencies(64)).to(torch.bfloat16).double().numpy()
    x = sample(4096, 64)
    turned = pecode.rotate(x, np.arange(4096), layout="half", frequencies=omega)
    expected = pecode.rotate(x, np.arange(4096), layout="half")
    assert np.abs(turned - expected).max() > 1


def test_gradients_pass_through_a_turn_as_the_turn_back(torch_code):
    torch = load("torch")
    x = torch.tensor(sample(5, 8), requires_grad=True)
    weights = sample(5, 8)
    (torch_code.Rotary(8)(x) * torch.tensor(weights)).sum().backward()
    back = pecode.rotate(weights, -np.arange(5), layout="half")
    np.testing.assert_allclose(x.grad.numpy(), back, rtol=0, atol=1e-6)


def test_a_table_that_is_saved_cannot_be_loaded_into_a_longer_one(torch_code):
    torch = load("torch")

    def model(length):
        made = torch.nn.Module()
        made.register_buffer("table", torch_code.SinusoidalEncoding(8, length).table)
        return made

    with pytest.raises(RuntimeError, match="size mismatch for table"):
        model(20).load_state_dict(model(10).state_dict())
    torch_code.SinusoidalEncoding(8, 20).load_state_dict(
        torch_code.SinusoidalEncoding(8, 10).state_dict()
    )


# JAX


def test_the_start_may_be_traced(jax_code):
    jax = load("jax")
    table = jax_code.rotary_table(20, 8)
    x = sample(3, 8)
    turned = jax.vmap(lambda start: jax_code.rotate(x, table, start))(np.arange(5))
    for start in range(5):
        expected = pecode.rotate(x, np.arange(start, start + 3), layout="half")
        np.testing.assert_allclose(turned[start], expected, rtol=0, atol=1e-6)


def test_beyond_its_table_jax_gives_nan_and_no_wrong_position(jax_code):
    table = jax_code.sinusoidal_table(10, 8)
    x = np.zeros((2, 8), np.float32)
    sums = np.asarray(jax_code.add_positions(x, table, 9))
    np.testing.assert_allclose(sums[0], pecode.sinusoidal(9, 8), rtol=0, atol=1e-7)
    assert np.isnan(sums[1]).all()


def test_a_slice_by_jax_would_take_other_rows_of_the_table(jax_code):
    jax = load("jax")
    table = jax_code.sinusoidal_table(10, 8)
    beyond = jax.lax.dynamic_slice_in_dim(table, 10, 1)
    np.testing.assert_array_equal(beyond, table[9:])


def test_a_table_computed_by_jax_in_float32_would_be_off(jax_code):
    jnp = load("jax.numpy")
    omega = 10000.0 ** (-jnp.arange(0, 64, 2) / 64)
    theta = jnp.arange(4096)[:, None] * omega
    expected = pecode.sinusoidal(np.arange(4096), 64)[:, 0::2]
    assert np.abs(np.asarray(jnp.sin(theta)) - expected).max() > 1e-5


# TensorFlow


def test_the_layer_adds_the_table(tensorflow_code):
    x = sample(2, 5, 8)
    sums = tensorflow_code.SinusoidalEncoding()(x, start=3).numpy()
    expected = x + pecode.sinusoidal(np.arange(3, 8), 8)
    np.testing.assert_allclose(sums, expected, rtol=0, atol=1e-6)


def test_a_start_that_is_a_python_number_makes_a_graph_each_time(tensorflow_code):
    tf = load("tensorflow")
    turn = tf.function(tensorflow_code.rotate)
    x = tf.constant(sample(1, 8))
    for start in range(3):
        turn(x, start)
    assert turn.experimental_get_tracing_count() == 3
    turn = tf.function(tensorflow_code.rotate)
    for start in range(3):
        turn(x, tf.constant(start))
    assert turn.experimental_get_tracing_count() == 1


def test_one_graph_serves_all_lengths_and_starts(tensorflow_code):
    tf = load("tensorflow")
    signature = [tf.TensorSpec((None, 8), tf.float32), tf.TensorSpec((), tf.int32)]
    turn = tf.function(tensorflow_code.rotate, input_signature=signature)
    for length, start in [(1, 0), (4, 100), (9, 3)]:
        x = sample(length, 8)
        expected = pecode.rotate(x, np.arange(start, start + length), layout="half")
        np.testing.assert_allclose(turn(x, start), expected, rtol=0, atol=1e-6)
    assert turn.experimental_get_tracing_count() == 1


# The page


def rows_of_the_page():
    """Cells of the tables of "Who does what", without the rows of headings and rules."""
    for line in (FOLDER.parent / "frameworks.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and cells[0] not in ("code", "---"):
            yield cells


def test_every_row_of_the_page_is_a_comparison_with_that_layout():
    rows = list(rows_of_the_page())
    assert len(rows) > 20
    for code_names, layout, *spacing_and_first in rows:
        group = "tables" if spacing_and_first else "rotations"
        wanted = [re.split("[,;]", layout)[0]]
        if spacing_and_first:
            spacing, first = spacing_and_first
            wanted += ["endpoint spacing"] * spacing.startswith("endpoint")
            wanted += [f"position {first}"] * (first != "0")
        for name in code_names.split(", "):
            compared = [case.name for case in GROUPS[group] if re.search(rf"\b{name}\b", case.name)]
            assert any(all(word in text for word in wanted) for text in compared), (name, wanted)


def checks_of_the_page():
    page = (FOLDER.parent / "frameworks.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    return block.splitlines()


def test_the_lines_that_check_a_copy_pass_on_the_code_of_the_page(numpy_code):
    length, d_model, n_heads = 50, 7, 12
    x = sample(length, 8)
    names = {
        "np": np,
        "pecode": pecode,
        "length": length,
        "d_model": d_model,
        "n_heads": n_heads,
        "x": x,
        "positions": range(length),
        "table": numpy_code.sinusoidal_table(length, d_model),
        "turned": numpy_code.rotate(x, layout="half"),
        "bias": numpy_code.alibi_bias(n_heads, length),
    }
    lines = checks_of_the_page()
    assert len(lines) == 3
    for line, name in zip(lines, ("table", "turned", "bias"), strict=True):
        exec(line, names)
        with pytest.raises(AssertionError):  # two rows have changed places
            exec(line, names | {name: np.flip(names[name], axis=-2)})


def first_wrong_row(table):
    right = pecode.sinusoidal(np.arange(len(table)), table.shape[1])
    return np.flatnonzero(np.abs(table - right).max(axis=1) > 1e-6)[0]


def test_the_first_row_that_is_wrong_says_where_to_look():
    t = np.arange(4096)
    assert first_wrong_row(pecode.sinusoidal(t, 64, layout="concatenated")) == 0
    assert first_wrong_row(pecode.sinusoidal(t + 1, 64)) == 0
    assert first_wrong_row(pecode.sinusoidal(t, 64, base=5000.0)) == 1
    assert first_wrong_row(pecode.sinusoidal(t, 64, spacing="endpoint")) == 1
    omega = pecode.frequencies(64).astype(np.float32)
    theta = t.astype(np.float32)[:, None] * omega
    pairs = np.stack([np.sin(theta, dtype=np.float64), np.cos(theta, dtype=np.float64)], axis=-1)
    assert first_wrong_row(pairs.reshape(len(t), -1)) > 10
    x = sample(3, 8)
    for wrong in ({"layout": "half"}, {"base": 5000.0}):
        turned = pecode.rotate(x, np.arange(3), **wrong)
        assert (turned[0] == x[0]).all()
        assert (turned[1] != pecode.rotate(x, np.arange(3))[1]).any()


def test_the_page_shows_every_function_of_its_files():
    page = (FOLDER.parent / "frameworks.md").read_text(encoding="utf-8")
    for path in FOLDER.glob("*_positions.py"):
        for name in re.findall(r"^(?:def|class) (\w+)", path.read_text("utf-8"), re.MULTILINE):
            shown = f"frameworks/{path.name}\n:language: python\n:pyobject: {name}\n"
            assert shown in page, f"{path.name}: {name}"
