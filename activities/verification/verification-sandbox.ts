import { dirname } from 'node:path/posix';
import type { FeatureState } from '../../db/features/features.ts';
import { foldersAbove } from '../../domain/folders-above.ts';
import type { StepResult } from '../../domain/project/settings.ts';
import type { ProjectRepository } from '../../git/repository/project-repository.ts';
import { SandboxError } from '../../sandbox/errors.ts';
import type { Sandbox, SandboxFork } from '../../sandbox/sandbox.ts';
import type { ActivitySignals } from '../heartbeat.ts';
import { toStepResult } from '../sandbox/harness-command.ts';
import {
  fillSandbox,
  type ProjectOfSandbox,
  readSetUp,
  runSetUp,
  type SandboxDependencies,
} from '../sandbox/prepare-sandbox.ts';
import { maxSideBySide, type PlainCommand, type PreparedCommand, type PreparedCommit } from './prepared-commit.ts';
import { protectedFilesCheck } from './protected-files.ts';
import { quoteForBash } from './quote-for-bash.ts';

/** Prepares what verifications run in. */
export function createVerificationSandbox(dependencies: SandboxDependencies) {
  const { sandboxes } = dependencies;
  return { prepareCommit, fork };

  /**
   * Fills a sandbox with a commit and sets it up by the set-up script of the commit before it, which the verified work cannot have changed, or by the
   * commit's own where a person allows that. The sandbox is removed afterwards; an earlier attempt's is never used.
   * @param work Gets the failed set-up, if it failed or changed protected files.
   */
  async function prepareCommit<Result>(
    request: {
      project: ProjectOfSandbox;
      features: Array<Pick<FeatureState, 'verification'>>;
      repository: ProjectRepository;
      name: string;
      commit: string;
      /** Whether the commit's own set-up script is used. */
      ownSetUp?: boolean;
    },
    signals: ActivitySignals,
    work: (prepared: PreparedCommit, failedSetUp: StepResult | undefined) => Promise<Result>,
  ): Promise<Result> {
    const { project, features, repository, name, commit, ownSetUp = false } = request;
    const owner = { project: project.id, owner: name, purpose: 'verification' } as const;
    await close(name);
    try {
      const sandbox = await fillSandbox(dependencies, { project, repository, sandbox: name, owner, commit });
      const script = await readSetUp({ repository, commit: ownSetUp ? commit : `${commit}^` });
      const setUp = script === undefined ? undefined : await runSetUp(sandbox, script, signals);
      await sandboxes.stop(name);
      const prepared = prepare(sandbox, signals);
      if (setUp?.passed === false) return await work(prepared, setUp);
      // The script ran code of the commit, such as what a package does when it is installed.
      const check = await protectedFilesCheck({ repository, features, commit });
      const intact = await prepared.look(check);
      return await work(prepared, intact.passed ? undefined : intact);
    } finally {
      // A worker that gives up leaves the sandboxes to the next attempt, which may already have its own.
      if (!signals.detach.aborted) await close(name);
    }
  }

  /** Runs commands in forks of an open sandbox whose files do not change meanwhile. */
  async function fork<Result>(
    sandbox: Sandbox,
    signals: ActivitySignals,
    work: (prepared: PreparedCommit) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await work(prepare(sandbox, signals));
    } finally {
      if (!signals.detach.aborted) await closeForks(sandbox.name);
    }
  }

  function prepare({ name: base, image }: Sandbox, signals: ActivitySignals) {
    const names = forksOf(base);
    let unused: SandboxFork | undefined;
    const takeFork = async () => {
      const fork = unused;
      unused = undefined;
      if (fork) return fork;
      const name = names.shift();
      if (!name) throw new Error(`Expected at most ${maxSideBySide} commands side by side on ${base}.`);
      return sandboxes.fork(base, name);
    };
    return {
      image,
      async run({ files = [], isSpoiled = false, runs: _, ...command }: PreparedCommand): Promise<StepResult> {
        const fork = await takeFork();
        if (files.length || isSpoiled) await placeFiles(fork, { files, isSpoiled }, signals);
        const result = await execute(fork, command, signals);
        await sandboxes.close(fork.name);
        names.unshift(fork.name);
        return result;
      },
      /** Runs a command of ours, which changes nothing: the fork is as good as new for the next command. */
      async look(command: PlainCommand): Promise<StepResult> {
        const fork = await takeFork();
        const result = await execute(fork, command, signals);
        unused = fork;
        return result;
      },
    };
  }

  async function execute(fork: SandboxFork, command: PlainCommand, signals: ActivitySignals): Promise<StepResult> {
    const { timeoutMs } = command;
    const result = await fork.execute({ script: command.command, timeoutMs, input: command.input ?? '', ...signals });
    signals.cancel.throwIfAborted(); // a stopped command says nothing about the work
    return toStepResult(command, result);
  }

  async function placeFiles(
    fork: SandboxFork,
    { files, isSpoiled }: Pick<Required<PreparedCommand>, 'files' | 'isSpoiled'>,
    signals: ActivitySignals,
  ): Promise<void> {
    const script = files.map(({ path, content }) => {
      const [place, folder] = [path, dirname(path)].map(quoteForBash);
      const remove = removing(path);
      if (content === null) return remove;
      const canRun = content.startsWith('#!') ? 'true' : `[ -f ${place} ] && [ -x ${place} ]`;
      const mode = `mode=644; if ${canRun}; then mode=755; fi`;
      // A file or a broken link of the work may be where a folder has to be.
      const clear = foldersAbove(path).map((above) => `[ -d ${quoteForBash(above)} ] || ${removing(above)}; `);
      const write = `/bin/mkdir -p -- ${folder} && /usr/bin/head -c ${Buffer.byteLength(content)} >${place}`;
      return `${clear.join('')}${mode}; ${remove} && ${write} && /bin/chmod $mode -- ${place}`;
    });
    const input = files.map(({ content }) => content ?? '').join('');
    const description = isSpoiled ? 'Put files in place, checks spoiled' : 'Put files in place';
    const command = `# ${description}\n${script.join(' || exit\n')}`;
    const placed = await execute(fork, { description, command, input, timeoutMs: 60_000 }, signals);
    if (!placed.passed)
      throw new SandboxError(
        'HarnessFailed',
        `Could not put files into ${fork.name}: ${placed.output || placed.outcome}`,
      );
  }

  /** The forks go first, since they use the sandbox's files. */
  async function close(name: string): Promise<void> {
    await closeForks(name);
    await sandboxes.close(name);
  }

  async function closeForks(name: string): Promise<void> {
    await Promise.all(forksOf(name).map((fork) => sandboxes.close(fork)));
  }
}

function removing(path: string): string {
  return `/bin/rm -rf -- ${quoteForBash(path)}`;
}

function forksOf(name: string): string[] {
  return Array.from({ length: maxSideBySide }, (_, index) => `${name}-step${index || ''}`);
}
