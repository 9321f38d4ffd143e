"""Keeps track of what you spend, on your own machine."""

__version__ = "1.0.0"
