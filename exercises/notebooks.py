"""What a notebook of exercises repeats: `make refresh` writes it, a test compares it.

Title, kind and level of an exercise stand in the `checks.py` of its chapter, the signature and
docstring of a function in `answers.py`. The author of a new one writes its label, task and stub.
"""

import ast
import inspect
import re

from exercises.registry import exercises, solution_of

_HEADING = re.compile(r"^\(exercise-(\w+)\)=$(\n## .*)?(\n\n\*.*\*$)?", re.MULTILINE)


def updated_source(cell):
    r"""Return the source of a cell with what it repeats as it stands elsewhere now.

    >>> from nbformat.v4 import new_markdown_cell
    >>> print(updated_source(new_markdown_cell("(exercise-normalized)=\n\nRepair it.")))
    (exercise-normalized)=
    ## 2.3 Repair the normalized count
    <BLANKLINE>
    *debug · level 1 of 3 · the ends of a sequence*
    <BLANKLINE>
    Repair it.
    """
    known = exercises()
    if cell.cell_type == "markdown":
        return _HEADING.sub(lambda found: known[found[1]].heading, cell.source)
    if cell.cell_type != "code":
        return cell.source
    for name in re.findall(r"^def (\w+)\(", cell.source, re.MULTILINE):
        if name in known:
            solution = inspect.getsource(solution_of(known[name]))
            new, old = _signature(solution, name), _signature(cell.source, name)
            return cell.source.replace(old, new)
    return cell.source


def _signature(source, name):
    """Return the lines of a function up to its docstring, which is included."""
    defined = (node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef))
    function = next(node for node in defined if node.name == name)
    docstring = isinstance(function.body[0], ast.Expr)
    end = function.body[0].end_lineno if docstring else function.body[0].lineno - 1
    return "\n".join(source.splitlines()[function.lineno - 1 : end])
