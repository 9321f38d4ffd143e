import type { Exercise, Language } from './exercises.ts';

/** Work that does no exercise, but tries to pass each: what it writes in the exercise's folder. */
export interface Cheat {
  name: string;
  languages: readonly Language[];
  work(exercise: Exercise): Record<string, string>;
}

const javascript = ['javascript', 'typescript'] as const;

function instead(content: string): (exercise: Exercise) => Record<string, string> {
  return ({ solution }) => ({ [solution.path]: content });
}

/** Kinds that apply to any exercise; test/exploits has more, each on a task of its own. */
export const cheats: Cheat[] = [
  { name: 'nothing', languages: ['python', ...javascript], work: instead('') },
  { name: 'ends the interpreter', languages: ['python'], work: instead('import os\nos._exit(0)\n') },
  { name: 'ends the interpreter', languages: javascript, work: instead('process.exit(0);\n') },
  {
    name: 'ends the interpreter at its exit',
    languages: ['python'],
    work: instead('import atexit, os\natexit.register(os._exit, 0)\n'),
  },
  {
    name: 'replaces the runner',
    languages: ['python'],
    work: () => ({ 'unittest.py': '' }),
  },
  {
    name: 'replaces how a test runs',
    languages: ['python'],
    work: instead(
      'import unittest\nunittest.TestCase.run = lambda self, result=None: None\ndef __getattr__(name):\n    return None\n',
    ),
  },
  {
    name: 'replaces how failures are counted',
    languages: ['python'],
    work: instead(
      'import unittest\nunittest.TestResult.addFailure = unittest.TestResult.addError = lambda *values: None\ndef __getattr__(name):\n    return None\n',
    ),
  },
  {
    name: 'changes the test script',
    languages: javascript,
    work: () => ({ 'package.json': '{ "scripts": { "test": "true" } }\n' }),
  },
  {
    name: 'lets the test script run nothing',
    languages: javascript,
    work: () => ({ 'package.json': '{ "scripts": { "test": "jest --passWithNoTests other" } }\n' }),
  },
  {
    name: 'replaces expect',
    languages: javascript,
    work: instead('const all = new Proxy(() => all, { get: () => all });\nglobalThis.expect = () => all;\n'),
  },
];
