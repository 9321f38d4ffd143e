# Looks at the syntax tree of a made tool and of its tests; nothing of either is run. Reads the request as JSON from stdin, prints
# the refusals as JSON: [{"part": "code", "line": 3, "reason": "..."}].
import ast
import json
import re
import sys

request = json.load(sys.stdin)
name = request["name"]
refusals = []

DYNAMIC = {"eval", "exec", "compile", "__import__", "breakpoint"}
REACHING = {"getattr", "setattr", "delattr", "globals", "locals", "vars"}
FRAMES = {"f_globals", "f_locals", "f_builtins", "f_back", "f_code", "gi_frame", "gi_code", "cr_frame", "cr_code", "ag_frame", "tb_frame", "tb_next"}
DUNDER = re.compile(r"__\w+__")


def refuse(part, node, reason):
    refusals.append({"part": part, "line": getattr(node, "lineno", 1), "reason": reason})


def parse(part):
    try:
        return ast.parse(request[part])
    except SyntaxError as error:
        refusals.append({"part": part, "line": error.lineno or 1, "reason": f"it is not Python: {error.msg}"})
    except (ValueError, RecursionError, MemoryError) as error:
        refusals.append({"part": part, "line": 1, "reason": f"it cannot be parsed: {error}"})
    return None


def allowed(module):
    return any(module == one or module.startswith(f"{one}.") for one in request["imports"])


def check_import(node, modules):
    for module in modules:
        if not allowed(module):
            refuse("code", node, f"expected imports of {', '.join(request['imports'])} only, got {module}")


def check_from(node):
    if node.level or node.module is None:
        return refuse("code", node, "expected an absolute import, got a relative one")
    if any(alias.name == "*" for alias in node.names):
        return refuse("code", node, "expected the names that are imported, got *")
    if not allowed(node.module):
        check_import(node, [f"{node.module}.{alias.name}" for alias in node.names])


def check_node(node):
    if isinstance(node, ast.Import):
        check_import(node, [alias.name for alias in node.names])
    elif isinstance(node, ast.ImportFrom):
        check_from(node)
    elif isinstance(node, ast.Name):
        if node.id in DYNAMIC:
            refuse("code", node, f"expected no dynamic evaluation, got {node.id}")
        elif node.id in REACHING:
            refuse("code", node, f"expected names that can be seen in the text, got {node.id}; write object.name, or use a dict")
        elif DUNDER.fullmatch(node.id):
            refuse("code", node, f"expected no dunder names, got {node.id}")
    elif isinstance(node, ast.Attribute):
        if DUNDER.fullmatch(node.attr) or node.attr in FRAMES:
            refuse("code", node, f"expected no attributes of Python's inner workings, got .{node.attr}")
    elif isinstance(node, ast.Constant):
        if isinstance(node.value, str) and DUNDER.search(node.value):
            refuse("code", node, "expected no dunder name in a string, since it may reach what a check of the text cannot see")


def check_signature(function):
    arguments = function.args
    if arguments.posonlyargs or arguments.vararg:
        refuse("code", function, "expected parameters that can be given by name, got positional ones")
    taken = [one.arg for one in arguments.args + arguments.kwonlyargs]
    defaults = [None] * (len(arguments.args) - len(arguments.defaults)) + arguments.defaults + arguments.kw_defaults
    for wanted in request["properties"]:
        if wanted not in taken and arguments.kwarg is None:
            refuse("code", function, f"the parameters have \"{wanted}\", which the function does not take")
    for taken_name, default in zip(taken, defaults):
        if taken_name not in request["properties"]:
            if default is None:
                refuse("code", function, f"the function takes {taken_name}, which the parameters do not have")
        elif default is None and taken_name not in request["required"]:
            refuse("code", function, f"{taken_name} has no default value, so it must be in the parameters' \"required\"")


def check_code(tree):
    found = []
    for index, node in enumerate(tree.body):
        docstring = index == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, (ast.Import, ast.ImportFrom)) or docstring:
            continue
        if isinstance(node, ast.FunctionDef) and node.name == name and not found:
            found.append(node)
        else:
            refuse("code", node, f"expected imports and the one function {name}, got {describe(node)}; move it into the function")
    for function in found:
        if function.decorator_list:
            refuse("code", function, "expected no decorator on the function, since it runs when the tool is loaded")
        check_signature(function)
    if not found:
        refuse("code", tree, f"expected a function \"def {name}(...)\", found none")
    for node in ast.walk(tree):
        check_node(node)


def describe(node):
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return f"{'async ' if isinstance(node, ast.AsyncFunctionDef) else ''}function {node.name}"
    return type(node).__name__


def check_tests(tree):
    tests = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test")]
    if not tests:
        return refuse("tests", tree, "expected pytest functions \"def test_...():\", found none")
    called = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    if not any(getattr(one, "id", getattr(one, "attr", None)) == name for one in called):
        refuse("tests", tree, f"expected a call of {name}, found none; begin with \"from tool import {name}\"")
    if not any(isinstance(node, (ast.Assert, ast.With)) for node in ast.walk(tree)):
        refuse("tests", tree, "expected an assert, found none")


code, tests = parse("code"), parse("tests")
if code is not None:
    check_code(code)
if tests is not None:
    check_tests(tests)
print(json.dumps(sorted(refusals, key=lambda one: (one["part"], one["line"]))[:20]))
