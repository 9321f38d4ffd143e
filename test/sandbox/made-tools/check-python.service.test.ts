import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { defaultToolSettings } from '../../../domain/tool/tool-settings.ts';
import { checkPython } from '../../../sandbox/made-tools/run-made-tool.ts';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import { createTestSandboxes } from '../test-sandboxes.ts';
import { slugify } from './sample-tools.ts';

const host = createTestSandboxes();
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await host.open({ network: 'none' });
});
afterAll(() => host.closeAll());
let count = 0;

async function check(code: string, tests = slugify.tests): Promise<string[]> {
  count += 1;
  const { python: imports } = defaultToolSettings.imports;
  const names = { properties: ['title'], required: ['title'] };
  const found = await checkPython(sandbox, { id: `check-${count}`, name: 'slugify', code, tests, imports, ...names });
  return found.map(({ part, line, reason }) => `${part} ${line}: ${reason}`);
}

const inside = (line: string) => `def slugify(title):\n    ${line}\n    return title\n`;

test('the static check refuses what it promises to, and names the line', async () => {
  expect(await check(inside('pass'))).toEqual([]);
  const refused: Array<[code: string, told: RegExp]> = [
    [inside('import os'), /^code 2: expected imports of base64.* only, got os$/],
    [`from os import path\n${inside('pass')}`, /^code 1: .*got os\.path$/],
    [`from . import x\n${inside('pass')}`, /^code 1: .*relative/],
    [`from math import *\n${inside('pass')}`, /^code 1: .*got \*$/],
    [inside('eval("1")'), /^code 2: .*got eval$/],
    [inside('x = exec'), /^code 2: .*got exec$/],
    [inside('compile("1", "", "eval")'), /^code 2: .*got compile$/],
    [inside('__import__("os")'), /^code 2: .*got __import__$/],
    [inside('getattr(title, "x")'), /^code 2: .*got getattr/],
    [inside('title.__class__'), /^code 2: .*got \.__class__$/],
    [inside('(lambda: 0).gi_frame'), /^code 2: .*got \.gi_frame$/],
    [inside('"{0.__class__}".format(title)'), /^code 2: .*in a string/],
    [inside('__builtins__'), /^code 2: .*got __builtins__$/],
    [`x = 1\n${inside('pass')}`, /^code 1: expected imports and the one function slugify, got Assign/],
    [`${inside('pass')}\ndef other(): pass`, /^code 5: .*got function other/],
    [`${inside('pass')}print(1)`, /^code 4: .*got Expr/],
    [`import re\n@re.sub\n${inside('pass')}`, /decorator/],
    ['def slugify(*title): pass', /positional/],
    ['def slugify(): pass', /the parameters have "title"/],
    ['def slugify(title, more): pass', /takes more, which the parameters do not have/],
    ['def slugify(title, more=eval("1")): pass', /^code 1: .*got eval$/],
    ['def other(title): pass', /expected imports and the one function slugify, got function other/],
    ['def slugify(title)\n  pass', /^code 1: not valid Python/],
    [`x = (${'('.repeat(300)}`, /^code 1: not valid Python|could not be parsed/],
  ];
  const found = await Promise.all(refused.map(([code]) => check(code)));
  for (const [index, [code, told]] of refused.entries())
    expect([code, found[index]]).toEqual([code, expect.arrayContaining([expect.stringMatching(told)])]);
  const right = inside('pass');
  expect(await check(inside(`title = ${'-'.repeat(45_000)}1`))).toEqual([expect.stringMatching(/parsed|not Python/)]);
  expect(await check(right, 'assert True')).toEqual([expect.stringMatching(/^tests 1: expected pytest functions/)]);
  expect(await check(right, 'def test_x():\n    assert True')).toEqual([
    expect.stringMatching(/expected a call of slugify/),
  ]);
  expect(await check(right, 'def test_x():\n    slugify("a")')).toEqual([expect.stringMatching(/expected an assert/)]);
});

const computing = `
import json, random, re, urllib.parse
import collections.abc
import functools, operator
import xml.etree.ElementTree as ET
from collections import abc, namedtuple
from datetime import datetime
from dataclasses import dataclass
from operator import itemgetter
from typing import Optional

def slugify(title):
    """Makes a slug."""
    @dataclass(frozen=True)
    class Word:
        text: str
        def __lt__(self, other): return self.text < other.text
        def input(self): return self.text
    def inner(type, input: Optional[int] = 1):
        vars = type
        return [dir for dir in vars], input
    pair = namedtuple("Pair", "a b")(1, 2)._replace(a=3)
    match json.loads(title):
        case {"a": int(n), **rest}: return n + len(rest)
        case Word(text=text): return text
        case str(): pass
    try:
        return inner([Word("{} {a}".format(1, a=pair.a))]), sorted([title], key=itemgetter(0)), operator.add(1, 2)
    except (ValueError, json.decoder.JSONDecodeError) as error:
        raise RuntimeError(f"{error!r:>{10}}") from error
    return urllib.parse.quote(title), re.compile("a"), random.Random(1).random(), collections.abc.Sized, abc.Sized, ET.fromstring(title)
`;

test('a tool that computes is accepted', async () => {
  expect(await check(computing)).toEqual([]);
  expect(await check(inside('open("scratch.txt", "w").write(title)'))).toEqual([]); // in its own sandbox
});

const reaching: Array<[line: string, told: RegExp]> = [
  ['json.codecs.builtins.eval("1+1")', /only, got codecs, by json\.codecs$/],
  ['json.codecs.open("/etc/passwd")', /got codecs, by json\.codecs$/],
  ['from json import codecs', /got codecs, by json\.codecs$/],
  ['random._os.getcwd()', /got os, by random\._os$/],
  ['from random import _os', /got os, by random\._os$/],
  ['csv.StringIO', /expected a public name of csv, got csv\.StringIO$/],
  ['json.nothing', /expected a name that exists in the sandbox, got json\.nothing$/],
  ['urllib.request', /got urllib\.request$/],
  ['reach = json', /expected the module json only as json\.<name>/],
  ['[json][0].codecs', /expected the module json only as json\.<name>/],
  ['json = title', /expected json to be only the imported module/],
  ['(lambda csv: csv)(1)', /expected csv to be only the imported module/],
  ['import re as eval', /expected another name for an import, got eval$/],
  ['operator.attrgetter("__cla" + "ss__")(title)', /expected from operator only .*; got operator\.attrgetter$/],
  ['from operator import methodcaller', /got operator\.methodcaller$/],
  ['string.Formatter()', /got string\.Formatter$/],
  ['typing.get_type_hints(title)', /got typing\.get_type_hints$/],
  ['functools.update_wrapper', /got functools\.update_wrapper$/],
  ['dataclasses.make_dataclass', /got dataclasses\.make_dataclass$/],
  ['type("C", (), {})', /got type$/],
  ['vars(title)', /got vars$/],
  ['global exec; exec("1")', /got exec$/],
  ['title.eval("1")', /got \.eval$/],
  ['title._private', /got \._private/],
  ['"{0.x}".join(title).format(title)', /expected \.format directly on a string literal/],
  ['str.format("{0.x}", title)', /expected \.format directly on a string literal/],
  ['"{0.gi_frame.f_builtins.x}".format(title)', /expected a string that names none of Python's internals/],
  ['dict(__match_args__=1)', /got __match_args__$/],
  ['def __getattr__(self, name): pass', /got __getattr__$/],
  ['lambda __x__: 1', /got __x__$/],
];
const shown = 8; // at most twenty refusals are listed, and some lines cause two

test.each(Array.from({ length: Math.ceil(reaching.length / shown) }, (_, part) => part * shown))(
  'plain text cannot reach beyond what it shows (from line %i on)',
  async (from) => {
    const lines = reaching.slice(from, from + shown);
    const imports = 'import csv, dataclasses, functools, json, operator, random, string, typing, urllib.parse';
    const code = `${imports}\ndef slugify(title):\n${lines.map(([line]) => `    ${line}\n`).join('')}`;
    const found = await check(code);
    for (const [index, [line, told]] of lines.entries()) {
      const ofLine = found.filter((one) => one.startsWith(`code ${index + 3}:`));
      expect([line, ofLine]).toEqual([line, expect.arrayContaining([expect.stringMatching(told)])]);
    }
  },
);

test.each([
  ['an attribute by its name', 'pass', 'object(__class__=found)', /got \.__class__$/],
  ['a frame', 'pass', 'object(gi_frame=found)', /got \.gi_frame$/],
  ['an attribute by its place', 'pass', 'title.kind(found)', /expected the attributes of a class pattern by name/],
  ['the same by the name of a type', 'int = title', 'int(found)', /expected the attributes of a class pattern by name/],
])('a pattern cannot take %s', async (_, before, pattern, told) => {
  const code = `def slugify(title):\n    ${before}\n    match title:\n        case ${pattern}: return found\n`;
  expect(await check(code)).toEqual([expect.stringMatching(told)]);
});

test('a name used before its assignment counts as the built-in', async () => {
  const code = 'def slugify(title):\n    class C:\n        reach = eval\n        eval = 1\n    return C.reach\n';
  expect(await check(code)).toEqual(expect.arrayContaining([expect.stringMatching(/^code 3: .*got eval$/)]));
  expect(await check('def slugify(title=compile): return title\n')).toEqual([expect.stringMatching(/got compile$/)]);
});
