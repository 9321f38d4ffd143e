"""The commands: every module in this package is one and has ``register(subparsers)``."""

import argparse
import importlib
import pkgutil


def register_commands(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Adds every command to the parser, in the order of their module names."""
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda module: module.name):
        importlib.import_module(f"{__name__}.{module.name}").register(subparsers)
