# Looks at the syntax tree of a made tool and of its tests; nothing of either is run. Reads the request as JSON from stdin, prints
# the refusals as JSON: [{"part": "code", "line": 3, "reason": "..."}].
import ast
import builtins
import json
import re
import symtable
import sys
import types

request = json.load(sys.stdin)
name = request["name"]
refusals = []

# Built-in names that compute, `open` for what a call keeps in files of its own sandbox, and all exceptions; any other reaches beyond the text, or evaluates it.
COMPUTING = set(
    "abs all any ascii bin bool bytearray bytes callable chr classmethod complex dict divmod enumerate filter float format frozenset hash hex "
    "id int isinstance issubclass iter len list map max memoryview min next object oct open ord pow print property range repr reversed round set "
    "slice sorted staticmethod str sum super tuple zip True False None NotImplemented Ellipsis".split()
)
REACHING = {
    one
    for one, value in vars(builtins).items()
    if one not in COMPUTING and not (isinstance(value, type) and issubclass(value, BaseException))
}
# What a class may define, in the order of the language's reference.
METHODS = set(
    "__init__ __post_init__ __repr__ __str__ __lt__ __le__ __eq__ __ne__ __gt__ __ge__ __hash__ __bool__ __call__ __len__ __getitem__ __setitem__ "
    "__delitem__ __iter__ __next__ __contains__ __add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ __truediv__ __floordiv__ __mod__ __pow__ __neg__ "
    "__abs__ __and__ __or__ __xor__ __enter__ __exit__".split()
)
OF_NAMEDTUPLES = {"_asdict", "_fields", "_field_defaults", "_make", "_replace"}
# f_globals, gi_frame, co_code ...: what functions, frames and their kin are made of.
INNER = {
    attribute
    for kind in (types.FrameType, types.CodeType, types.TracebackType, types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType)
    for attribute in dir(kind)
    if re.match("[a-z]{1,2}_", attribute)
}
DUNDER = re.compile(r"__\w+__")
# Their pattern takes the whole value; of any other class it takes what the class calls its attributes, which no text shows.
WHOLE_PATTERNS = {"bool", "bytearray", "bytes", "dict", "float", "frozenset", "int", "list", "set", "str", "tuple"}


def refuse(part, node, reason):
    refusals.append({"part": part, "line": getattr(node, "lineno", 1), "reason": reason})


def parse(part):
    try:
        return ast.parse(request[part])
    except SyntaxError as error:
        refusals.append({"part": part, "line": error.lineno or 1, "reason": f"not valid Python: {error.msg}"})
    except (ValueError, RecursionError, MemoryError) as error:
        refusals.append({"part": part, "line": 1, "reason": f"could not be parsed: {error}"})
    return None


imports = Imports()


def names_bound(tree):
    """By whatever but an import: each with its node."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            if not isinstance(node.ctx, ast.Load):
                yield node.id, node
        elif not isinstance(node, (ast.Attribute, ast.keyword, ast.alias, ast.ImportFrom)):
            yield from ((one, node) for _, one in identifiers(node))


def identifiers(node):
    for field, value in ast.iter_fields(node):
        if field not in ("type_comment", "kind") and not isinstance(node, ast.Constant):
            yield from ((field, one) for one in (value if isinstance(value, list) else [value]) if isinstance(one, str))


def names_beyond(table):
    """The names that mean what Python itself has under them, in this scope and those in it."""
    is_function = table.get_type() == "function"
    for symbol in table.get_symbols():
        # Beside functions, what is bound later, or not at all, means the built-in until then.
        if symbol.is_referenced() and not (is_function and (symbol.is_local() or symbol.is_free())):
            yield symbol.get_name()
    for inner in table.get_children():
        yield from names_beyond(inner)


def check_names(tree):
    try:
        beyond = REACHING & set(names_beyond(symtable.symtable(request["code"], "tool.py", "exec")))
    except (SyntaxError, ValueError, RecursionError) as error:
        return refuse("code", tree, f"not valid Python: {error}")
    bound = dict(names_bound(tree))
    for one in sorted(set(bound) & set(imports.modules)):
        refuse("code", bound[one], f"expected {one} to be only the imported module; choose another name")
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in beyond and not DUNDER.fullmatch(node.id):
            refuse("code", node, f"expected built-ins that only compute, got {node.id}")
        if isinstance(node, ast.alias) and node.asname in REACHING:
            refuse("code", node, f"expected another name for an import, got {node.asname}")
        if isinstance(node, ast.MatchClass) and node.patterns and getattr(node.cls, "id", None) not in WHOLE_PATTERNS - set(bound):
            refuse("code", node, "expected the attributes of a class pattern by name, as in Point(x=x), got one by position")
        for field, identifier in identifiers(node):
            check_identifier(node, field, identifier)


def check_identifier(node, field, identifier):
    is_attribute = field in ("attr", "kwd_attrs")
    shown = f".{identifier}" if is_attribute else identifier
    if DUNDER.fullmatch(identifier) and is_attribute or identifier in INNER:
        refuse("code", node, f"expected no access to Python's internals, got {shown}")
    elif DUNDER.fullmatch(identifier):
        if not (isinstance(node, ast.FunctionDef) and identifier in METHODS):
            refuse("code", node, f"expected no dunder names, got {identifier}")
    elif is_attribute and identifier.startswith("_") and identifier not in OF_NAMEDTUPLES:
        refuse("code", node, f"expected no private attributes, got {shown}; choose a name without a leading \"_\"")
    elif isinstance(node, ast.Attribute) and identifier in ("format", "format_map"):
        check_format(node)
    elif is_attribute and identifier in ("eval", "exec"):
        refuse("code", node, f"expected no dynamic evaluation, got {shown}")


def check_format(node):
    text = node.value.value if isinstance(node.value, ast.Constant) else None
    if not isinstance(text, str):
        refuse("code", node, f"expected .{node.attr} directly on a string literal, since a string can name attributes; use an f-string")
    elif any(word in INNER or word.startswith("_") for word in re.findall(r"\w+", text)):
        refuse("code", node, "expected a string that names none of Python's internals")


def check_node(node):
    if isinstance(node, ast.Import):
        imports.add(node)
    elif isinstance(node, ast.ImportFrom):
        imports.add_from(node)
    elif isinstance(node, ast.Constant):
        if isinstance(node.value, str) and DUNDER.search(node.value):
            refuse("code", node, "expected no dunder name in a string, since the check cannot see where it leads")


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
    imports.check_use(tree)
    check_names(tree)


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
        refuse("tests", tree, f"expected a call of {name}, found none; start with \"from tool import {name}\"")
    if not any(isinstance(node, (ast.Assert, ast.With)) for node in ast.walk(tree)):
        refuse("tests", tree, "expected an assert, found none")


code, tests = parse("code"), parse("tests")
if code is not None:
    check_code(code)
if tests is not None:
    check_tests(tests)
print(json.dumps(sorted(refusals, key=lambda one: (one["part"], one["line"]))[:20]))
