import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { expandCommand, readOwnCommands } from '../../../client/chat/own-commands.ts';

let home: string;
let project: string;
beforeEach(() => {
  [home, project] = ['home', 'project'].map((name) => mkdtempSync(join(tmpdir(), `longhaul-commands-${name}-`))) as [
    string,
    string,
  ];
  for (const folder of [home, project]) mkdirSync(join(folder, 'commands'));
});
afterEach(() => {
  for (const folder of [home, project]) rmSync(folder, { recursive: true });
});

const read = () => readOwnCommands([home, project], ['help']);
const write = (folder: string, file: string, text: string) => writeFileSync(join(folder, 'commands', file), text);

test('commands of the data folder come before those of the project', () => {
  write(home, 'review.md', '---\ndescription: Looks it over.\n---\nReview $1.\n');
  write(project, 'review.md', 'Praise it.');
  write(project, 'ship-it.md', 'Ship it.');
  write(project, 'notes.txt', 'Not a command.');
  const { commands, problems } = read();
  expect(problems).toEqual([]);
  expect([...commands.values()]).toMatchObject([
    { name: 'review', description: 'Looks it over.', text: 'Review $1.' },
    { name: 'ship-it', text: 'Ship it.' },
  ]);
  expect(readOwnCommands([join(home, 'none')], [])).toEqual({ commands: new Map(), problems: [] });
});

test('a file that cannot be used is told, and no other suffers', () => {
  write(home, 'help.md', 'Mine.');
  write(home, 'Fix It.md', 'Fix.');
  write(home, 'empty.md', ' \n');
  write(home, 'yaml.md', '---\na: b: c\n---\nText.');
  symlinkSync('/etc/passwd', join(home, 'commands', 'linked.md'));
  write(home, 'good.md', 'Good.');
  const { commands, problems } = read();
  expect([...commands.keys()]).toEqual(['good']);
  expect(problems).toEqual([
    expect.stringContaining('expected a name in kebab-case'),
    expect.stringContaining('empty.md cannot be used: expected a text'),
    expect.stringContaining('/help is a command of Longhaul. Rename the file.'),
    expect.stringContaining('yaml.md cannot be used: expected YAML'),
  ]);
});

test.each([
  ['Fix issue $ARGUMENTS now.', '12 soon', 'Fix issue 12 soon now.'],
  ['Compare $1 with $2 ($3).', 'a b', 'Compare a with b ().'],
  ['Costs $12, says $ARGUMENTSX.', 'x', 'Costs $12, says $ARGUMENTSX.\n\nx'],
  ['Say $1.', '$2 $&', 'Say $2.'],
  ['Review it.', 'in French', 'Review it.\n\nin French'],
  ['Review it.', '', 'Review it.'],
])('the words of a command are put into its text: %j with %j', (text, given, sent) => {
  expect(expandCommand({ text }, given)).toBe(sent);
});
