# The part of check.py, which it is put before, that looks at what a made tool imports.
import ast
import importlib
import sys
import types


class Imports:
    """What is imported, and that of it only what the list of imports has is used. A list has modules, with their parts, and names of modules."""

    def __init__(self):
        self.modules = {}

    def is_listed(self, dotted):
        return any(dotted == one or dotted.startswith(f"{one}.") for one in request["imports"])

    def leads_to_listed(self, dotted):
        return any(one.startswith(f"{dotted}.") for one in request["imports"])

    def refuse(self, node, got, module=None):
        names = [one.removeprefix(f"{module}.") for one in request["imports"] if one.startswith(f"{module}.")]
        if names:
            return refuse("code", node, f"expected from {module} only {', '.join(names)[:1200]}; got {got}")
        # Of modules with many names on the list, the names come where another one of them is asked for.
        owners = [one.rpartition(".")[0] for one in request["imports"]]
        shown = [one if owners.count(owner) < 3 or not owner else f"{owner} (some of it)" for one, owner in zip(request["imports"], owners)]
        refuse("code", node, f"expected imports of {', '.join(dict.fromkeys(shown))[:1200]} only, got {got}")

    def bind(self, node, bound, module):
        if self.modules.setdefault(bound, module) != module:
            refuse("code", node, f"expected one module with the name {bound}, got {self.modules[bound]} and {module}; import one with \"as\"")

    def add(self, node):
        for alias in node.names:
            if not self.is_listed(alias.name) and not self.leads_to_listed(alias.name):
                self.refuse(node, alias.name)
            elif alias.asname:
                self.bind(node, alias.asname, alias.name)
            else:
                top = alias.name.split(".")[0]
                self.bind(node, top, top)

    def add_from(self, node):
        if node.level or node.module is None:
            return refuse("code", node, "expected an absolute import, got a relative one")
        for alias in node.names:
            if alias.name == "*":
                refuse("code", node, "expected imported names, got *")
            elif not self.is_listed(node.module) and not self.leads_to_listed(node.module):
                self.refuse(node, f"{node.module}.{alias.name}")
            else:
                module = self.look(node, node.module, alias.name)
                if module:
                    self.bind(node, alias.asname or alias.name, module)

    def look(self, node, module, attribute):
        """The module that an attribute of a module is; None for any other value, and where it is refused."""
        dotted = f"{module}.{attribute}"
        try:
            owner = importlib.import_module(module)
            if not hasattr(owner, attribute):
                importlib.import_module(dotted)
            value = getattr(owner, attribute)
        except Exception:
            return refuse("code", node, f"expected a name that exists in the sandbox, got {dotted}")
        if isinstance(value, types.ModuleType):
            actual = value.__name__
            if self.is_listed(actual) or self.leads_to_listed(actual) or dotted in request["imports"]:
                return dotted if sys.modules.get(dotted) is value else actual
            return self.refuse(node, actual if actual == dotted else f"{actual}, by {dotted}")
        if dotted in request["imports"]:
            return None
        if not self.is_listed(module):
            return self.refuse(node, dotted, module)
        public = getattr(owner, "__all__", None)
        if attribute.startswith("_") or attribute in {"eval", "exec"} or (public is not None and attribute not in public):
            refuse("code", node, f"expected a public name of {module}, got {dotted}")
        return None

    def check_use(self, tree):
        above = {node.value: node for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        for node in ast.walk(tree):
            if not isinstance(node, ast.Name) or node.id not in self.modules:
                continue
            module = self.modules[node.id]
            while module:
                if node not in above:
                    refuse("code", node, f"expected the module {module} only as {module}.<name>, and no other use of its name")
                    break
                node = above[node]
                module = self.look(node, module, node.attr)


