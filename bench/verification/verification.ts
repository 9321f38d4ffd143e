import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { readFormerFiles } from '../../activities/verification/former-files.ts';
import type { PreparedCommit } from '../../activities/verification/prepared-commit.ts';
import { readScrutiny } from '../../activities/verification/read-scrutiny.ts';
import { runSteps } from '../../activities/verification/run-steps.ts';
import { createVerificationSandbox } from '../../activities/verification/verification-sandbox.ts';
import type { FeatureState } from '../../db/features/features.ts';
import { defaultProjectSettings, type StepResult } from '../../domain/project/settings.ts';
import { openProjectRepository } from '../../git/repository/open-project-repository.ts';
import type { ProjectRepository } from '../../git/repository/project-repository.ts';
import { createSandboxes } from '../../sandbox/docker/create-sandboxes.ts';
import { compare, type Measurement, renderTable } from '../measurement.ts';
import { findSandboxHost } from '../sandbox-host.ts';
import { type Cheat, cheats } from './cheats.ts';
import { type Exercise, fetchExercises, languages, packages, readExercises } from './exercises.ts';

export interface VerificationOptions {
  /** A folder with clones of Exercism's `python`, `javascript` and `typescript`; cloned into the cache if absent. */
  corpus?: string | undefined;
  /** Exercises of each language; 40 if absent. */
  exercises?: string | undefined;
}

/** How many features a verification is measured with. */
const featureCounts = [1, 25, 200];

/** Each kind of cheating is tried on so many exercises of a language. */
const exercisesPerCheat = 3;

const jestConfig = {
  testMatch: ['**/*.(test|spec).[jt]s'],
  transform: {
    '\\.[jt]s$': [
      'babel-jest',
      { presets: [['@babel/preset-env', { targets: { node: 'current' } }], '@babel/preset-typescript'] },
    ],
  },
  moduleNameMapper: { '^(\\.\\/.+)\\.js$': '$1' },
};

/** Verifies reference solutions of public exercises, which must pass, and cheats, which must not; and what that costs against the steps alone. */
export async function measureVerification(
  environment: Record<string, string | undefined>,
  options: VerificationOptions,
  signal: AbortSignal,
): Promise<Measurement[]> {
  const corpus = options.corpus ?? join(homedir(), '.longhaul', 'cache', 'bench');
  if (!options.corpus) await fetchExercises(corpus);
  const limit = Number(options.exercises ?? 40);
  const read = await Promise.all(languages.map((language) => readExercises(corpus, language, limit)));
  const exercises = read.flat();
  const bench = await createBench(environment, exercises, signal);
  try {
    const solutions = await bench.commit(exercises.map((exercise) => [exercise, solve(exercise)]));
    const { verdicts, setUpMs } = await bench.verify(solutions, exercises);
    // With only what the image has, the reference solution of an exercise may not pass.
    const solvable = exercises.filter((exercise) => verdicts.get(exercise)?.all);
    const rows: Measurement[] = languages.map((language) => {
      const honest = solvable.filter((exercise) => exercise.language === language);
      const passed = honest.filter((exercise) => verdicts.get(exercise)?.all?.passed).length;
      return share(`verification: ${language} solutions that pass`, passed, honest.length, 0.99);
    });
    for (const count of featureCounts.filter((count) => count <= solvable.length)) {
      const chosen = mix(solvable).slice(0, count);
      const [withLayers, stepsAlone] = (['all', 'alone'] as const).map((layers) =>
        chosen.reduce((sum, exercise) => sum + (verdicts.get(exercise)?.[layers]?.ms ?? 0), setUpMs),
      ) as [number, number];
      const what = `verification: all layers against steps alone, ${count} features`;
      rows.push(compare(what, withLayers, stepsAlone, { most: 2 }));
    }
    // What takes long is said as soon as it is known.
    for (const line of renderTable(rows)) console.log(`  ${line}`);
    let tried = 0;
    let stopped = 0;
    for (const cheat of cheats) {
      const targets = cheat.languages.flatMap((language) =>
        solvable.filter((one) => one.language === language).slice(0, exercisesPerCheat),
      );
      const commit = await bench.commit(targets.map((exercise) => [exercise, cheat.work(exercise)]));
      const { verdicts } = await bench.verify(commit, targets);
      const passed = targets.filter((exercise) => verdicts.get(exercise)?.all?.passed);
      for (const exercise of passed) console.log(`  passed: ${exercise.folder} by a cheat: ${describe(cheat)}`);
      tried += targets.length;
      stopped += targets.length - passed.length;
    }
    return [...rows, share('verification: cheats stopped', stopped, tried, 1)];
  } finally {
    await bench.remove();
  }
}

/** Exercises of all languages by turns. */
function mix(exercises: Exercise[]): Exercise[] {
  const nameOf = ({ folder }: Exercise) => folder.slice(folder.indexOf('/'));
  return exercises.toSorted((one, other) => nameOf(one).localeCompare(nameOf(other)));
}

function solve({ solution }: Exercise): Record<string, string> {
  return { [solution.path]: solution.content };
}

function describe({ name, languages }: Cheat): string {
  return `${name} (${languages.join(', ')})`;
}

function share(what: string, part: number, whole: number, least: number): Measurement {
  const reached = whole > 0 && part / whole >= least;
  return { what, ours: `${part} of ${whole}`, goal: { text: `at least ${least * 100}%`, reached } };
}

/** A repository of all exercises without their solutions, and a host that verifies commits of it. */
async function createBench(
  environment: Record<string, string | undefined>,
  exercises: Exercise[],
  signal: AbortSignal,
) {
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-bench-'));
  // Thousands of loose objects would start a `git gc` in the background, which still writes when the folder is removed.
  const settings = ['user.name=Bench', 'user.email=bench@longhaul.invalid', 'gc.auto=0', 'maintenance.auto=false'];
  const git = (...values: string[]) =>
    execa('git', [...settings.flatMap((setting) => ['-c', setting]), ...values], { cwd: folder });
  const write = async (path: string, content: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  };
  await git('init', '-q', '-b', 'main');
  await write('package.json', '{}\n');
  await execa('npm', ['install', '--silent', '--no-audit', '--no-fund', ...packages], { cwd: folder });
  await write('jest.config.json', JSON.stringify(jestConfig));
  for (const exercise of exercises)
    for (const [path, content] of Object.entries(exercise.files)) await write(`${exercise.folder}/${path}`, content);
  const commitAll = async () => {
    await git('add', '-A', '--force');
    await git('commit', '-q', '--allow-empty', '-m', 'Work');
    return (await git('rev-parse', 'HEAD')).stdout;
  };
  const base = await commitAll();
  const repository = await openProjectRepository({ folder, branch: 'main' });
  const { docker, image, network, stack } = await findSandboxHost(environment);
  const sandboxes = createSandboxes({ docker, network, stack, gatewayImage: image });
  const { prepareCommit } = createVerificationSandbox({
    sandboxes,
    defaultImage: image,
    agents: { permissions: { rules: [] } },
  });
  let count = 0;
  return {
    /** Commits work on exercises on top of the base. */
    async commit(work: Array<[Exercise, Record<string, string>]>): Promise<string> {
      await git('checkout', '-q', '--detach', base);
      for (const [exercise, files] of work)
        for (const [path, content] of Object.entries(files)) await write(`${exercise.folder}/${path}`, content);
      return commitAll();
    },
    /** Verifies each exercise at a commit, with the steps alone and then, if they pass, with all layers; the milliseconds of the set-up are shared. */
    async verify(commit: string, chosen: Exercise[]) {
      const verdicts = new Map<Exercise, { alone: Verdict; all?: Verdict }>();
      const project = { id: 'project-bench', settings: defaultProjectSettings };
      const features = chosen.map(featureOf);
      const request = { project, features, repository, name: `${stack}-${++count}`, commit };
      const beginOfSetUp = performance.now();
      let setUpMs = 0;
      await prepareCommit(request, { cancel: signal, detach: signal }, async (prepared, failedSetUp) => {
        setUpMs = performance.now() - beginOfSetUp;
        if (failedSetUp) throw new Error(`Expected the set-up to pass: ${failedSetUp.output}`);
        for (const [index, exercise] of chosen.entries()) {
          const feature = features[index] as FeatureState;
          const alone = await judge(() => runSteps(prepared, feature));
          verdicts.set(exercise, { alone });
          if (!alone.passed) continue;
          const all = await judge(() => runWithLayers(prepared, repository, feature, commit));
          verdicts.set(exercise, { alone, all });
        }
      });
      return { verdicts, setUpMs };
    },
    async remove() {
      for (const { name } of await sandboxes.list()) await sandboxes.close(name);
      await sandboxes.closeGateways('all');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Verdict {
  passed: boolean;
  ms: number;
}

async function judge(verify: () => Promise<StepResult[]>): Promise<Verdict> {
  const begin = performance.now();
  const steps = await verify();
  const ms = performance.now() - begin;
  const failed = steps.find((step) => !step.passed);
  if (failed && process.env.BENCH_VERBOSE) console.log(`  ${failed.description}: ${failed.outcome}\n${failed.output}`);
  return { passed: !failed, ms };
}

async function runWithLayers(
  prepared: PreparedCommit,
  repository: ProjectRepository,
  feature: FeatureState,
  commit: string,
): Promise<StepResult[]> {
  const scrutiny = await readScrutiny(repository, feature, { commit });
  const changed = await repository.changedFiles(`${commit}^`, commit);
  const former = await readFormerFiles({ repository, feature, commit, changed }, { steeringFiles: [] });
  return runSteps(prepared, feature, { ...scrutiny, former, before: [] });
}

function featureOf({ folder, command, checks }: Exercise): FeatureState {
  const verification = {
    steps: [{ description: folder, command }],
    protectedPaths: checks.map((path) => `${folder}/${path}`),
    sealed: [],
  };
  return { name: folder, verification } as unknown as FeatureState; // nothing else of it is used
}
