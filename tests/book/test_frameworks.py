"""The code of the page "In your framework" computes what `pecode` computes.

Each file is run where its framework is installed.
"""

import ast
import re
import sys
from contextlib import nullcontext
from functools import cache, partial
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

import pecode
from pecode import axes
from publishing.home import ROOT
from tests import data
from tests.book import notebooks
from tests.conformance.case import defined_in, load, needs, sample, version
from tests.conformance.groups import GROUPS

FOLDER = ROOT / "appendices" / "frameworks"
PAGE = (FOLDER.parent / "frameworks.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"(?ms)^```python\n(.*?)^```", PAGE)
DATA = data("book/frameworks.yml")
FLOAT32 = 2.0**-24
assert_close = partial(np.testing.assert_allclose, rtol=0, atol=1e-6)
FILES = {"torch": "pytorch"}  # a file that has another name than its package


def source(framework):
    return (FOLDER / f"{framework}_positions.py").read_text(encoding="utf-8")


@cache
def code(package):
    """What the page shows of a framework: each function with nothing but the file's imports."""
    needs(package)
    load(package)
    framework, imports, alone = FILES.get(package, package), [], SimpleNamespace()
    for node in ast.parse(source(framework)).body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            imports.append(node)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            module = ModuleType(f"{framework}_{node.name}")
            sys.modules[module.__name__] = module  # a compiler looks names up there
            exec(compile(ast.Module([*imports, node], []), framework, "exec"), vars(module))
            setattr(alone, node.name, getattr(module, node.name))
    return alone


@pytest.fixture
def module(framework):
    return code(framework.package)


@pytest.fixture
def torch_code():
    return code("torch")


@pytest.fixture
def torch(torch_code):
    return load("torch")


@pytest.fixture
def jax_code():
    return code("jax")


# One answer for each framework: plain arrays in, plain arrays out.


class Numpy:
    package = "numpy"
    array = staticmethod(np.asarray)

    def table(self, module, positions, d_model):
        return module.sinusoidal(positions, d_model)

    def rotate(self, module, x, positions, layout):
        return module.rotate(x, positions, layout)


class PyTorch:
    package = "torch"

    def array(self, values):
        return load("torch").tensor(values)

    def table(self, module, positions, d_model):
        encoding = module.SinusoidalEncoding(d_model, max_length=5000)
        zeros = np.zeros((*positions.shape, d_model), np.float32)
        return encoding(self.array(zeros), self.array(positions)).numpy()

    def rotate(self, module, x, positions, layout):
        rotary = module.Rotary(x.shape[-1], layout, max_length=5000)
        return rotary(self.array(x), self.array(positions)).numpy()


class Jax:
    package = "jax"

    def array(self, values):
        return load("jax.numpy").asarray(values)

    def table(self, module, positions, d_model):
        table = module.sinusoidal_table(5000, d_model)
        zeros = np.zeros((*positions.shape, d_model), np.float32)
        return np.asarray(module.add_positions(zeros, positions, table))

    def rotate(self, module, x, positions, layout):
        table = module.rotary_table(5000, x.shape[-1])
        return np.asarray(module.rotate(x, positions, table, layout))


def here(*frameworks):
    found = [each for each in frameworks if version(each.package)]
    return pytest.mark.parametrize("framework", found, ids=lambda each: each.package)


NUMPY, PYTORCH, JAX = Numpy(), PyTorch(), Jax()
every_framework = here(NUMPY, PYTORCH, JAX)


@every_framework
@pytest.mark.parametrize("d_model", [1, 2, 7, 64])
@pytest.mark.parametrize("positions", [[0], range(50), [4999, 3, 3], [[0, 0, 1], [7, 8, 9]]])
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_the_table_is_that_of_pecode(framework, d_model, positions, dtype, module):
    positions = np.array(positions, dtype)
    table = framework.table(module, positions, d_model)
    expected = pecode.sinusoidal(positions, d_model)
    assert table.shape == expected.shape
    # Computed in float64, so the position does not matter: one rounding to float32.
    assert_close(table, expected, atol=1.01 * FLOAT32)


LAYOUTS = pytest.mark.parametrize("layout", ["interleaved", "half"])


@every_framework
@LAYOUTS
@pytest.mark.parametrize("shape", [(1, 2), (40, 8), (2, 3, 5, 64)])
@pytest.mark.parametrize("start", [0, 4000])
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_turned_rows_are_those_of_pecode(framework, layout, shape, start, dtype, module):
    x = sample(*shape)
    positions = np.arange(start, start + shape[-2], dtype=dtype)
    turned = framework.rotate(module, x, positions, layout)
    assert turned.dtype == np.float32
    assert_close(turned, pecode.rotate(x, positions, layout=layout), atol=8 * FLOAT32)


@every_framework
def test_a_layout_must_be_given_and_known(framework, module):
    with pytest.raises(KeyError, match="concatenated"):
        framework.rotate(module, sample(1, 2), np.arange(1), "concatenated")
    for name in ("rotate", "Rotary"):
        if hasattr(module, name):
            with pytest.raises(TypeError, match="layout"):
                getattr(module, name)(*[8] * (3 if framework is JAX else 1 + (name == "rotate")))


@every_framework
@LAYOUTS
@pytest.mark.parametrize(("shape", "positions"), DATA["misfits"])
def test_what_does_not_fit_is_an_error(framework, layout, shape, positions, module):
    said = "shape|width|values|size|broadcast|divi|dimension|ncompatible"
    with pytest.raises(Exception, match=said):
        framework.rotate(module, sample(*shape), np.ones(positions, int), layout)


@every_framework
def test_as_many_heads_as_positions_are_turned_by_the_number_of_the_head(framework, module):
    """The one case that no shape tells from the right one."""
    x, t = sample(2, 5, 5, 8), np.arange(5)
    turned = framework.rotate(module, x, t, "half")
    assert_close(turned, pecode.rotate(x, t, layout="half"))
    right = framework.rotate(module, x, t[:, None], "half")
    expected = pecode.rotate(x.swapaxes(1, 2), t, layout="half").swapaxes(1, 2)
    assert_close(right, expected)
    assert np.abs(turned - right).max() > 1


@every_framework
@pytest.mark.parametrize("n_heads", [1, 2, 3, 8, 12])
@pytest.mark.parametrize(("length", "start"), [(6, 0), (1, 9), (3, 4)])
def test_the_bias_is_that_of_pecode_for_the_last_queries(framework, n_heads, length, start, module):
    keys = framework.array(np.arange(start + length))
    bias = np.asarray(module.alibi_bias(n_heads, keys[start:], keys))
    expected = pecode.alibi_bias(start + length, pecode.alibi_slopes(n_heads))[:, start:]
    assert bias.shape == expected.shape
    np.testing.assert_allclose(bias, expected, rtol=1e-6)


# PyTorch


@pytest.mark.parametrize("position", [-1, 10])
def test_outside_of_its_table_a_module_raises(torch, torch_code, position):
    encoding = torch_code.SinusoidalEncoding(8, max_length=10)
    rotary = torch_code.Rotary(8, "half", max_length=10)
    for module in (encoding, rotary):
        assert module(torch.zeros(1, 8), torch.tensor([9])).shape == (1, 8)
        with pytest.raises(IndexError, match="out of range"):
            module(torch.zeros(1, 8), torch.tensor([position]))
    # Without that check an index below 0 would count from the end, and a word beyond would vanish.
    assert torch.equal(encoding.table[torch.tensor([-1])], encoding.table[9:])
    assert (torch.zeros(1, 8) + encoding.table[10:11]).shape == (0, 8)


@pytest.mark.parametrize("width", [2, 7, 10])
def test_a_module_of_another_width_raises(torch, torch_code, width):
    rotary = torch_code.Rotary(width, "half")
    with pytest.raises(ValueError, match=f"expected width {width}, got 8"):
        rotary(torch.zeros(5, 8), torch.arange(5))


def test_an_encoding_does_not_repeat_the_rows_of_x(torch, torch_code):
    with pytest.raises(RuntimeError, match="expand"):
        torch_code.SinusoidalEncoding(8)(torch.zeros(1, 8), torch.arange(5))


def test_a_module_made_on_the_meta_device_stays_without_a_table(torch, torch_code):
    with torch.device("meta"):
        rotary = torch_code.Rotary(8, "half")
    rotary.to_empty(device="cpu")
    rotary.cos.fill_(7)  # what `to_empty` leaves is whatever was there
    rotary.load_state_dict(torch_code.Rotary(8, "half").state_dict())  # and nobody complains
    assert (rotary.cos == 7).all()


def test_an_old_checkpoint_with_a_table_fails_in_a_strict_load(torch_code):
    encoding = torch_code.SinusoidalEncoding(8)
    with pytest.raises(RuntimeError, match=r'Unexpected key.*"table"'):
        encoding.load_state_dict({"table": encoding.table})
    encoding.register_buffer("table", encoding.table)  # now it is saved, and fits no longer one
    with pytest.raises(RuntimeError, match="size mismatch for table"):
        encoding.load_state_dict({"table": encoding.table[:10]})
    made = [torch_code.SinusoidalEncoding(8, length) for length in (20, 10)]
    made[0].load_state_dict(made[1].state_dict())


@LAYOUTS
def test_the_function_of_chapter_12_turns_a_batch(torch, layout):
    chapter = notebooks.read(FOLDER.parents[1] / "chapters" / "12-rotary.ipynb")
    text = "".join(cell.source for cell in chapter.cells)
    source = re.search(r"```python\n(def rotate\(x, positions.*?)```", text, re.DOTALL)[1]
    if layout == "half":  # what its comments say
        source = source.replace("x[..., 0::2], x[..., 1::2]", "x.chunk(2, -1)")
        source = source.replace("torch.stack(turned, -1).flatten(-2)", "torch.cat(turned, -1)")
    exec(source, written := {"torch": torch})
    x, positions = sample(2, 3, 5, 8), np.array([np.arange(5), np.arange(100, 105)])
    turned = written["rotate"](torch.tensor(x), torch.tensor(positions)).numpy()
    for each, row, at in zip(turned, x, positions, strict=True):
        assert_close(each, pecode.rotate(row, at, layout=layout), atol=1e-4)


def test_modules_moved_to_bfloat16_lose_digits_and_no_position(torch, torch_code):
    rotary = torch_code.Rotary(64, "half").to(torch.bfloat16)
    x = torch.tensor(sample(4096, 64)).to(torch.bfloat16)
    turned = rotary(x, torch.arange(4096)).float().numpy()
    expected = pecode.rotate(x.float().numpy(), np.arange(4096), layout="half")
    assert np.abs(turned - expected).max() < 0.02
    # What the modules avoid, since they keep the cosines: frequencies lose the position.
    omega = torch.tensor(pecode.frequencies(64)).to(torch.bfloat16).double().numpy()
    turned = pecode.rotate(sample(4096, 64), np.arange(4096), layout="half", frequencies=omega)
    expected = pecode.rotate(sample(4096, 64), np.arange(4096), layout="half")
    assert np.abs(turned - expected).max() > 1


def test_frequencies_in_bfloat16_turn_fast_pairs_wrong_at_far_offsets():
    omega = pecode.frequencies(128, base=1_000_000.0)
    errors = 131_072 * np.abs(pecode.bfloat16(omega) - omega)
    assert f"{(errors > 1).sum()} of {len(omega)} pairs by more than a radian" in PAGE


def test_the_line_of_the_page_keeps_autocast_from_rounding_angles(torch):
    (line,) = re.findall(r"`(with torch\.autocast.*?:)`", PAGE)
    x, omega = torch.arange(300.0)[:, None], torch.ones(1, 1)
    with torch.autocast("cpu", torch.bfloat16):
        assert (x @ omega)[257] == 256
        exec(f"{line} assert torch.equal(x @ omega, x)", locals())


# PyTorch, more than one axis


@pytest.fixture(scope="module")
def axes_code():
    return defined_in("pytorch_axes.py")


@pytest.mark.parametrize(
    ("widths", "base"), [((16, 56, 56), 256.0), ((44, 42, 42), 1e4), ((2,), 10)]
)
def test_axial_frequencies_are_those_of_pecode(axes_code, widths, base):
    expected = axes.axial_frequencies(widths, base)
    np.testing.assert_allclose(axes_code.axial(widths, base).numpy(), expected, rtol=1e-14)


@pytest.mark.parametrize("interleaved", [False, True])
@pytest.mark.parametrize("sections", [(16, 24, 24), (24, 20, 20), (11, 11, 10), (2, 1)])
def test_sections_are_those_of_pecode_or_refused_as_there(axes_code, sections, interleaved):
    ours = partial(axes.section_frequencies, 2 * sum(sections))
    if interleaved and sections == (16, 24, 24):  # whose turns do not end
        for theirs in (ours, axes_code.in_sections):
            with pytest.raises(ValueError, match=r"^sections: expected .* got"):
                theirs(sections, interleaved=True)
    else:
        got = axes_code.in_sections(sections, 1e6, interleaved)
        np.testing.assert_allclose(got.numpy(), ours(sections, 1e6, interleaved), rtol=1e-14)


@pytest.mark.parametrize("layout", ["half", "interleaved"])
def test_turned_points_are_those_of_pecode_and_broadcast_over_heads(axes_code, torch, layout):
    points, omega = axes.grid_positions((3, 4, 5)), axes.axial_frequencies((4, 6, 6), 256.0)
    x = sample(2, 3, len(points), 16)
    given = torch.tensor(x), torch.tensor(points), axes_code.axial((4, 6, 6), 256.0)
    got = axes_code.rotate_points(*given, layout)
    expected = axes.rotate_points(x, points, omega, layout)
    np.testing.assert_allclose(got.numpy(), expected, rtol=0, atol=1e-6)


# JAX


@LAYOUTS
def test_positions_may_be_traced(jax_code, layout):
    jax = load("jax")
    table = jax_code.rotary_table(20, 8)
    x, t = sample(3, 8), np.arange(3)

    @jax.jit
    def turn(start):
        return jax_code.rotate(x, start + t, table, layout)

    turned = jax.vmap(turn)(np.arange(5))
    for start in range(5):
        assert_close(turned[start], pecode.rotate(x, start + t, layout=layout))


def test_a_bias_may_be_asked_for_a_query_that_is_traced(jax_code):
    jax = load("jax")
    row = jax.jit(lambda t: jax_code.alibi_bias(8, t[None], np.arange(9)))
    expected = pecode.alibi_bias(9, pecode.alibi_slopes(8))
    np.testing.assert_allclose(row(4), expected[:, 4:5], rtol=1e-6)


@pytest.mark.parametrize("position", [-1, 10])
def test_outside_of_its_table_jax_gives_nan_and_no_other_row(jax_code, position):
    positions = np.array([9, position])
    x = sample(2, 8)
    sums = np.asarray(jax_code.add_positions(x, positions, jax_code.sinusoidal_table(10, 8)))
    turned = np.asarray(jax_code.rotate(x, positions, jax_code.rotary_table(10, 8), "half"))
    assert_close(sums[0], x[0] + pecode.sinusoidal(9, 8))
    assert_close(turned[0], pecode.rotate(x[0], 9, layout="half"))
    assert np.isnan(sums[1]).all()
    assert np.isnan(turned[1]).all()
    # By itself JAX would take other rows: counted from the end, or the last ones.
    table = jax_code.sinusoidal_table(10, 8)
    np.testing.assert_array_equal(table.at[-1].get(mode="fill"), table[9])
    beyond = load("jax").lax.dynamic_slice_in_dim(table, 10, 1)
    np.testing.assert_array_equal(beyond, table[9:])


def test_a_table_computed_by_jax_in_float32_would_be_off(jax_code):
    jnp = load("jax.numpy")
    theta = jnp.arange(4096)[:, None] * 10000.0 ** (-jnp.arange(0, 64, 2) / 64)
    expected = pecode.sinusoidal(np.arange(4096), 64)[:, 0::2]
    assert np.abs(np.asarray(jnp.sin(theta)) - expected).max() > 1e-5


def test_a_table_of_another_width_is_an_error(jax_code):
    with pytest.raises(ValueError, match="expected width 2, got 8"):
        jax_code.rotate(sample(5, 8), np.arange(5), jax_code.rotary_table(5, 2), "half")
    with pytest.raises(ValueError, match="expected an even width, got 7"):
        jax_code.rotary_table(5, 7)
    with pytest.raises(ValueError, match="broadcast"):  # the rows of x are not repeated
        jax_code.add_positions(sample(1, 8), np.arange(5), jax_code.sinusoidal_table(5, 8))


# MLX


@pytest.mark.parametrize("layout", ["half", "interleaved"])
def test_what_the_page_says_of_the_arguments_of_mlx(layout):
    mx = pytest.importorskip("mlx.core")
    x, omega = sample(2, 3, 5, 8), pecode.frequencies(8)

    def turn(x, **more):
        more = {"base": 10_000.0, "scale": 1.0, "offset": 0} | more
        return np.asarray(mx.fast.rope(mx.array(x), 8, traditional=layout != "half", **more))

    (line,) = re.findall(r"`(mx\.array\(\[.*?)`", PAGE)
    padded, behind = turn(x, offset=eval(line))
    assert_close(padded[:, 2:], pecode.rotate(x[0, :, 2:], range(3), layout=layout))
    assert_close(behind, pecode.rotate(x[1], range(3, 8), layout=layout))
    assert_close(turn(x, scale=0.25), pecode.rotate(x, np.arange(5) / 4, layout=layout))
    freqs = mx.array((1 / omega).astype(np.float32))
    assert_close(turn(x, base=None, freqs=freqs), pecode.rotate(x, range(5), layout=layout))
    heads_there = x.swapaxes(1, 2).copy()
    assert_close(turn(heads_there), pecode.rotate(heads_there, range(3), layout=layout))


# The page


GROUP = {"Sinusoidal tables": "tables", "Rotary embeddings": "rotations",
         "More than one axis": "axes"}  # fmt: skip


@pytest.mark.parametrize("heading", GROUP)
def test_every_row_of_the_page_is_a_comparison_that_says_the_same(heading):
    section = PAGE.partition(f"\n### {heading}\n")[2].partition("\n#")[0]
    rows = [row.split(" | ") for row in re.findall(r"(?m)^\| (.*) \|$", section)[1:]]
    assert len(rows) > 7
    group = GROUP[heading]
    for code_names, layout, *more in rows:
        wanted = re.split("[,;]", layout)[:1]
        if group == "tables":
            spacing, first = more
            wanted += ["endpoint spacing"] * spacing.startswith("endpoint")
            wanted += [f"position {first}"] * (first != "0")
        elif group == "axes":
            wanted += more[0].split(", ")
        for name in code_names.split(", "):
            compared = [case.name for case in GROUPS[group] if re.search(rf"\b{name}\b", case.name)]
            assert any(all(word in text for word in wanted) for text in compared), (name, wanted)


def block(start):
    (found,) = [text for text in BLOCKS if text.startswith(start)]
    return found


def test_a_text_with_padding_on_the_left_is_turned_as_if_it_were_alone():
    names = {"np": np, "length": 5, "start": 3}
    names["mask"] = np.array([[0, 0, 1, 1, 1], [1, 1, 1, 1, 1]])
    exec(block("whole_text"), names)
    np.testing.assert_array_equal(names["whole_text"], range(5))
    np.testing.assert_array_equal(names["behind_a_cache"], range(3, 8))
    last = names["padded_on_the_left"][..., -1:]  # as if the fifth token were new
    np.testing.assert_array_equal(names["next_of_each_text"], last)
    x = sample(2, 4, 5, 8)  # batch, heads, length, d_head
    rotate = code("numpy").rotate
    turned = rotate(x, names["padded_on_the_left"], "half")
    assert_close(turned[0, :, 2:], pecode.rotate(x[0, :, 2:], range(3), layout="half"))
    assert_close(turned[1], pecode.rotate(x[1], range(5), layout="half"))
    exec(block("whole_text").replace("[:, None]", "[:, :, None]"), names)  # heads after length
    other = rotate(x.swapaxes(1, 2), names["padded_on_the_left"], "half")
    np.testing.assert_array_equal(other.swapaxes(1, 2), turned)
    counted = rotate(x, names["whole_text"], "half")
    assert np.abs(turned[0] - counted[0]).max() > 1


@pytest.mark.parametrize("d_model", [1, 2, 3, 4, 7, 64, 383])
def test_two_lines_make_the_table_of_other_code(d_model):
    lines = block("omega").splitlines()
    names = {"np": np, "base": 10000.0, "t": np.arange(1500)[:, None], "d_model": d_model}
    exec("\n".join(lines), names)
    expected = pecode.sinusoidal(range(1500), d_model, layout="concatenated", spacing="endpoint")
    assert_close(names["table"], expected, atol=1e-12)
    names["omega"] = pecode.frequencies(d_model)  # one of the two changes alone
    exec(lines[1], names)
    expected = pecode.sinusoidal(range(1500), d_model, layout="concatenated")
    assert_close(names["table"], expected, atol=1e-12)


def test_a_part_of_the_columns_turns_with_frequencies_of_its_own_width():
    x, r = sample(2, 5, 16), 4
    names = {"np": np, "rotate": code("numpy").rotate, "x": x, "r": r, "positions": np.arange(5)}
    exec(block("turned"), names)
    assert names["turned"].shape == x.shape
    np.testing.assert_array_equal(names["turned"][..., r:], x[..., r:])
    assert_close(names["turned"][..., :r], pecode.rotate(x[..., :r], range(5), layout="half"))


@here(NUMPY, PYTORCH)
def test_the_spellings_of_libraries_turn_as_pecode_does(framework):
    name = FILES.get(framework.package, "numpy")
    code = defined_in(f"{name}_spellings.py", packages=(framework.package,))
    q, k, t = sample(2, 3, 7, 8).astype(float), sample(2, 3, 7, 8).astype(float) + 1, np.arange(7)
    cos_cached, sin_cached, freqs_cis = code.cached(20, 8)
    for layout, name, tables in (
        ("half", "apply_rotary_pos_emb", (cos_cached, sin_cached)),
        ("interleaved", "apply_rotary_emb", (freqs_cis,)),
    ):
        at = 2 * framework.array(t)  # not every row
        rows = [table[at] for table in tables]
        turned = getattr(code, name)(framework.array(q), framework.array(k), *rows)
        for x, got in zip((q, k), turned, strict=True):
            assert_close(np.asarray(got), pecode.rotate(x, 2 * t, layout=layout), atol=2e-6)


@pytest.mark.parametrize("shape", [(3 * 8, 5), (3 * 8,)])
def test_rows_of_a_checkpoint_are_reordered_head_by_head(shape):
    names, weight = {}, sample(*shape)
    exec(block("def rows_to_half"), names)
    by_head = np.split(weight, 3)
    expected = np.concatenate([pecode.rotary.to_half(each.T).T for each in by_head])
    np.testing.assert_array_equal(names["rows_to_half"](weight, 3), expected)
    exec(block("def rows_to_half").replace("-1, 2,", "2, -1,"), names)
    np.testing.assert_array_equal(names["rows_to_half"](expected, 3), weight)


def test_a_function_of_cosines_and_sines_is_examined_by_its_scores(capsys):
    def turned(x, cos, sin):
        a, b = np.split(x, 2, axis=-1)
        return np.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)

    def cos_sin(t):
        return pecode.sinusoidal(t, 64)[:, 1::2], pecode.sinusoidal(t, 64)[:, 0::2]

    for sign, said in ((1, "no mistake is seen\n"), (-1, "wrong: keys turn against")):
        exec(block("from pecheck import examine"), {
            "apply_rotary_pos_emb": lambda q, k, *by, s=sign: (
                turned(q, *by), turned(k, by[0], s * by[1])),
            "cos_sin": cos_sin, "torch": SimpleNamespace(tensor=np.array),
        })  # fmt: skip
        assert capsys.readouterr().out.startswith(said)


# The blocks that check a copy, by the file that they import
FILE = re.compile(r"from (\w+)_positions import")
CHECKS = {FILE.search(text)[1]: text for text in BLOCKS if FILE.search(text)}


@every_framework
@pytest.mark.parametrize("wrong", ["", "10000.0 -> 9999.0", "-8 / lower -> -7 / lower"])
def test_the_check_of_a_copy_runs_as_it_is_written_and_finds_mistakes(
    framework, wrong, module, monkeypatch, tmp_path
):
    name = FILES.get(framework.package, framework.package)
    text = source(name)
    if wrong:
        assert wrong.split(" -> ")[0] in text
        text = text.replace(*wrong.split(" -> "))
    (tmp_path / f"{name}_positions.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, f"{name}_positions", raising=False)
    mistake = pytest.raises(AssertionError, match="Not equal to tolerance")
    with mistake if wrong else nullcontext():
        exec(CHECKS[name], {})
    monkeypatch.delitem(sys.modules, f"{name}_positions")


def wrong_rows(table):
    right = pecode.sinusoidal(np.arange(len(table)), table.shape[1])
    return np.flatnonzero(np.abs(table - right).max(axis=1) > 1e-6)


def in_float32(d_model):
    """A table whose angles were computed in float32, and rounded nowhere else."""
    omega = pecode.frequencies(d_model).astype(np.float32)
    theta = np.arange(4096, dtype=np.float32)[:, None] * omega
    pairs = np.stack([np.sin(theta, dtype=np.float64), np.cos(theta, dtype=np.float64)], axis=-1)
    return pairs.reshape(4096, -1)


def test_the_rows_that_are_wrong_say_where_to_look():
    t = np.arange(4096)
    assert wrong_rows(pecode.sinusoidal(t, 64, layout="concatenated"))[0] == 0
    assert wrong_rows(pecode.sinusoidal(t + 1, 64))[0] == 0
    assert wrong_rows(pecode.sinusoidal(t, 64, base=5000.0))[0] == 1
    assert wrong_rows(pecode.sinusoidal(t, 64, spacing="endpoint"))[0] == 1
    assert 10 < wrong_rows(in_float32(64))[0] < 100
    difference = np.abs(in_float32(64) - pecode.sinusoidal(t, 64))
    assert 5e-5 < difference[3900:4100].max() < 5e-4
    # bfloat16 has 8 digits, all of them needed from 128 to 255: beyond, it holds every second
    # integer, then every fourth.
    rounded = pecode.sinusoidal(pecode.bfloat16(t).astype(int), 64)
    rows = wrong_rows(rounded)
    np.testing.assert_array_equal(rows[rows < 512], np.arange(257, 512, 2))
    np.testing.assert_array_equal(rows[(rows > 512) & (rows < 1024)] % 4 > 0, True)
    assert ((rows > 512) & (rows < 1024)).sum() == 3 * 128
    assert np.abs(rounded - pecode.sinusoidal(t, 64)).max() > 1.9
    # the entries themselves
    right = pecode.sinusoidal(t[1:], 64)
    difference = np.abs(pecode.bfloat16(right) - right)
    assert 0.0019 < difference.max() < 0.002
    assert (difference > 1e-6).mean() > 0.9


def test_the_page_shows_every_function_of_its_files_and_offers_them():
    for path in FOLDER.glob("*.py"):
        assert f"<frameworks/{path.name}>`" in PAGE
        for name in re.findall(r"^(?:def|class) (\w+)", path.read_text("utf-8"), re.MULTILINE):
            shown = f"frameworks/{path.name}\n:language: python\n:pyobject: {name}\n"
            assert shown in PAGE, f"{path.name}: {name}"


def test_the_page_says_what_the_files_import():
    for framework in CHECKS:
        for line in re.findall(r"^(?:import|from) .*", source(framework), re.MULTILINE):
            assert DATA["imports"][line] in PAGE, line
