import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';

/** A public exercise with its tests and a reference solution. */
export interface Exercise {
  /** Its folder in the repository that the bench makes, e.g. `python/leap`. */
  folder: string;
  language: Language;
  command: string;
  checks: string[];
  /** All files but the solution. */
  files: Record<string, string>;
  solution: { path: string; content: string };
}

export const languages = ['python', 'javascript', 'typescript'] as const;
export type Language = (typeof languages)[number];

const testCommands: Record<Language, (folder: string, test: string) => string> = {
  python: (folder, test) => `cd ${folder} && python3 -m unittest ${test.replace(/\.py$/, '')}`,
  javascript: (folder) => `cd ${folder} && npm test --silent`,
  typescript: (folder) => `cd ${folder} && npm test --silent`,
};

/** Packages that the tests of JavaScript exercises need; they are committed, since a verification has no network. */
export const packages = [
  'jest@29',
  'babel-jest@29',
  '@babel/core@7',
  '@babel/preset-env@7',
  '@babel/preset-typescript@7',
  'core-js@3',
];

/** Clones Exercism's exercises, unless the folder has them. */
export async function fetchExercises(folder: string): Promise<void> {
  for (const language of languages) {
    const place = join(folder, language);
    if ((await entriesOf(place)).length) continue;
    await execa('git', ['clone', '--quiet', '--depth', '1', `https://github.com/exercism/${language}`, place]);
  }
}

/** Up to `limit` exercises of a language, in alphabetical order. */
export async function readExercises(corpus: string, language: Language, limit: number): Promise<Exercise[]> {
  const practice = join(corpus, language, 'exercises', 'practice');
  const exercises: Exercise[] = [];
  for (const slug of (await entriesOf(practice)).sort()) {
    const exercise = await readExercise(join(practice, slug), `${language}/${slug}`, language);
    if (exercise) exercises.push(exercise);
    if (exercises.length === limit) break;
  }
  return exercises;
}

/** Undefined for an exercise of several solution files, or whose description cannot be read. */
async function readExercise(from: string, folder: string, language: Language): Promise<Exercise | undefined> {
  const { test, solution, example } = (await readNames(from)) ?? { test: [], solution: [], example: [] };
  const [path = ''] = solution;
  if (solution.length !== 1 || test.length !== 1 || example.length !== 1) return undefined;
  const content = await readFile(join(from, example[0] ?? ''), 'utf8');
  const files: Record<string, string> = {};
  for (const name of await readdir(from, { recursive: true })) {
    if (
      name.startsWith('.') ||
      name === path ||
      /^(package\.json|(jest|babel|eslint)\.config.*|tsconfig.*)$/.test(name)
    )
      continue;
    const text = await readFile(join(from, name), 'utf8').catch(unlessFolder);
    if (text !== undefined) files[name] = test.includes(name) ? enableTests(text) : text;
  }
  if (language !== 'python')
    files['package.json'] = '{ "scripts": { "test": "jest --config ../../jest.config.json --rootDir ." } }\n';
  const command = testCommands[language](folder, test[0] ?? '');
  return { folder, language, command, checks: test, files, solution: { path, content } };
}

/** Exercism lets all tests but the first wait for the learner. */
function enableTests(text: string): string {
  return text
    .replace(/import \{[^}]*\} from ['"]@jest\/globals['"];?/, '')
    .replace(/\bx(test|it|describe)(?=[(.])/g, '$1')
    .replace(/(?<=\b(test|it|describe))\.skip\b/g, '');
}

interface FileNames {
  test: string[];
  solution: string[];
  example: string[];
}

async function readNames(from: string): Promise<FileNames | undefined> {
  const text = await readFile(join(from, '.meta', 'config.json'), 'utf8');
  try {
    const { files } = JSON.parse(text);
    return { test: files.test, solution: files.solution, example: files.example ?? [] };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

async function entriesOf(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function unlessFolder(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'EISDIR') throw error;
}
