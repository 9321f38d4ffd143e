"""The guide is tried out: its files are written, its commands are run, and what it shows must be what they print."""

import re
import shlex
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
COMMANDS = ("add", "list", "edit", "delete", "categories", "budget", "report", "import", "rule", "export", "html")


@pytest.fixture(scope="module")
def guide():
    return (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(guide):
    return re.findall(r"^```(\w+)([^\n]*)\n(.*?)^```$", guide, re.DOTALL | re.MULTILINE)


def test_every_example_is_real(guide, spend):
    tried = 0
    for language, title, content in blocks(guide):
        named = re.search(r'title="([^"/]+)"', title)
        if named:
            Path(named.group(1)).write_text(content, encoding="utf-8")
        if language != "console":
            continue
        for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", content, re.MULTILINE):
            program, *arguments = shlex.split(command)
            if program != "spend":
                continue
            fails = shown.startswith("spend: ")
            assert spend(*arguments, code=1 if fails else 0).strip() == shown.strip(), f"$ {command}"
            tried += 1
    assert tried >= 15


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_an_example(guide, command):
    assert f"$ spend {command}" in guide


def test_it_says_how_to_begin_where_the_data_is_and_who_can_read_it(guide):
    for needed in ("bin/spend", "pip install", "SPEND_DB", "~/.local/share/spend/spend.db", "0600"):
        assert needed in guide


def test_the_files_and_sections_that_it_points_to_are_there(guide):
    headings = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in re.findall(r"^#+ (.*)$", guide, re.MULTILINE)}
    for target in re.findall(r"\]\(([^)\s]+)\)", guide):
        if target.startswith("#"):
            assert target[1:] in headings, target
        elif not target.startswith("http"):
            assert (ROOT / target).exists(), target
