import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readSkill, readSkills } from '../../../agents/skills/skill-folder.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'longhaul-skills-'));
});
afterEach(() => rmSync(home, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
}

const skill = (name: string, description = 'Writes notes.') =>
  `---\nname: ${name}\ndescription: ${description}\nlicense: MIT\n---\nRead the log.\n`;

test('skills are read with their files, in order of their names', () => {
  write('notes/SKILL.md', skill('notes'));
  write('notes/scripts/log.sh', 'git log\n');
  write('audit/SKILL.md', skill('audit'));
  write('README.md', 'Not a skill.');
  const { skills, problems } = readSkills(home);
  expect(problems).toEqual([]);
  expect(skills).toMatchObject([
    { name: 'audit', files: [] },
    { name: 'notes', description: 'Writes notes.', files: ['scripts/log.sh'] },
  ]);
  expect(readSkills(join(home, 'none'))).toEqual({ skills: [], problems: [] });
});

test.each([
  ['no file', () => write('bad/README.md', 'x'), 'Expected a file SKILL.md'],
  ['no front matter', () => write('bad/SKILL.md', 'Do it.'), 'to start with front matter'],
  [
    'no YAML',
    () => write('bad/SKILL.md', '---\nname: bad\ndescription: Use when: asked\n---\nDo it.'),
    'Expected YAML',
  ],
  ['no description', () => write('bad/SKILL.md', '---\nname: bad\n---\nDo it.'), 'description: expected'],
  ['another name', () => write('bad/SKILL.md', skill('good')), 'expected the name of its folder, "bad", got "good"'],
  [
    'no instructions',
    () => write('bad/SKILL.md', '---\nname: bad\ndescription: x\n---\n'),
    'the instructions: expected',
  ],
  [
    'too much',
    () => {
      write('bad/SKILL.md', skill('bad'));
      write('bad/large', 'x'.repeat(1024 ** 2));
    },
    'at most 200 files and 1 MiB',
  ],
  [
    'a link',
    () => {
      write('bad/SKILL.md', skill('bad'));
      symlinkSync('/etc/passwd', join(home, 'bad', 'passwd'));
    },
    'is a link or a device',
  ],
])('a skill with %s is told what is wrong, and the others can be used', (_, make, complaint) => {
  write('good/SKILL.md', skill('good'));
  make();
  expect(() => readSkill(join(home, 'bad'))).toThrow(complaint);
  const { skills, problems } = readSkills(home);
  expect(skills).toMatchObject([{ name: 'good' }]);
  expect(problems).toMatchObject([{ name: 'bad', problem: expect.stringContaining(complaint) }]);
});
