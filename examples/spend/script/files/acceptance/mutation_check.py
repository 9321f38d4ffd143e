"""Checks that the tests in tests/ notice when the program calculates wrongly.

Small mistakes are put into modules, one at a time (a comparison turned, a sign changed, a number one off), and the tests
are run on each. Tests that pass on a mistake did not look. Each run is a fork with the changed module in the place of the
real one, so that nothing is written.
"""

import ast
import copy
import importlib.util
import os
import random
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MODULES = ("spend.money", "spend.months", "spend.report")
MISTAKES = 8
NEEDED = 7

TURNED = {
    ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult,
}  # fmt: skip


def places(tree):
    """The positions in ``ast.walk`` where a mistake can be made."""
    for position, node in enumerate(ast.walk(tree)):
        if isinstance(node, ast.Compare) and type(node.ops[0]) in TURNED:
            yield position
        elif isinstance(node, ast.BinOp) and type(node.op) in TURNED:
            yield position
        elif isinstance(node, ast.Constant) and type(node.value) is int and abs(node.value) < 1_000:
            yield position


def spoil(tree, position):
    """A copy of the tree with one mistake, and what it is."""
    spoiled = copy.deepcopy(tree)
    node = list(ast.walk(spoiled))[position]
    before = ast.unparse(node)
    if isinstance(node, ast.Compare):
        node.ops[0] = TURNED[type(node.ops[0])]()
    elif isinstance(node, ast.BinOp):
        node.op = TURNED[type(node.op)]()
    else:
        node.value += 1
    return ast.fix_missing_locations(spoiled), f"line {node.lineno}: {before} -> {ast.unparse(node)}"


def tests_pass(name=None, tree=None):
    """Runs the tests in a fork, on a changed module where one is given."""
    child = os.fork()
    if child == 0:
        code = 3
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os.dup2(1, 2)
            if name is not None:
                spec = importlib.util.find_spec(name)
                module = importlib.util.module_from_spec(spec)
                sys.modules[name] = module
                exec(compile(tree, spec.origin, "exec"), module.__dict__)
                setattr(sys.modules["spend"], name.rpartition(".")[2], module)
            code = int(pytest.main(["-q", "-x", str(ROOT / "tests")]))
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def main():
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    if not tests_pass():
        sys.exit("The tests fail on the program as it is: python3 -m pytest tests")
    mistakes = []
    for name in MODULES:
        tree = ast.parse((ROOT / (name.replace(".", "/") + ".py")).read_text(encoding="utf-8"))
        mistakes += [(name, tree, position) for position in places(tree)]
    chosen = random.Random(1).sample(mistakes, min(MISTAKES, len(mistakes)))
    noticed = 0
    for name, tree, position in chosen:
        spoiled, what = spoil(tree, position)
        if tests_pass(name, spoiled):
            print(f"not noticed: {name}, {what}")
        else:
            noticed += 1
    print(f"{noticed} of {len(chosen)} mistakes noticed, {NEEDED} needed")
    sys.exit(0 if noticed >= NEEDED else 1)


if __name__ == "__main__":
    main()
