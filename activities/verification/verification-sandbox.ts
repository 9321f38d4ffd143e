import type { FeatureState } from '../../db/project/features.ts';
import type { ProjectRow } from '../../db/project/project-transaction.ts';
import type { StepResult } from '../../domain/project/settings.ts';
import type { ProjectRepository } from '../../git/repository/project-repository.ts';
import { SandboxError } from '../../sandbox/errors.ts';
import type { SandboxFork } from '../../sandbox/sandbox.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ActivitySignals } from '../heartbeat.ts';
import { toStepResult } from '../sandbox/harness-command.ts';
import { fillSandbox, readSetUp, runSetUp } from '../sandbox/prepare-sandbox.ts';
import type { PreparedCommand, PreparedCommit } from './prepared-commit.ts';
import { checkProtectedFiles } from './protected-files.ts';
import { quoteForBash } from './quote-for-bash.ts';

/** Prepares commits for verification. */
export function createVerificationSandbox(dependencies: Dependencies) {
  const { sandboxes } = dependencies;
  return prepareCommit;

  /**
   * Fills a sandbox with a commit and sets it up by the set-up script of the commit before it, which the verified work cannot have changed. The sandbox
   * is removed afterwards; an earlier attempt's is never used.
   * @param work Gets the failed set-up, if it failed or changed protected files.
   */
  async function prepareCommit<Result>(
    request: {
      project: ProjectRow;
      features: FeatureState[];
      repository: ProjectRepository;
      name: string;
      commit: string;
    },
    signals: ActivitySignals,
    work: (prepared: PreparedCommit, failedSetUp: StepResult | undefined) => Promise<Result>,
  ): Promise<Result> {
    const { project, features, repository, name, commit } = request;
    const owner = { project: project.id, owner: name, purpose: 'verification' } as const;
    await close(name);
    try {
      const sandbox = await fillSandbox(dependencies, { project, repository, sandbox: name, owner, commit });
      const script = await readSetUp({ repository, commit: `${commit}^` });
      const setUp = script === undefined ? undefined : await runSetUp(sandbox, script, signals);
      await sandboxes.stop(name);
      const prepared: PreparedCommit = { run: (command) => runInFork(name, command, signals) };
      if (setUp?.passed === false) return await work(prepared, setUp);
      // The script ran code of the commit, such as what a package does when it is installed.
      const intact = await checkProtectedFiles({ repository, features, prepared, commit });
      return await work(prepared, intact.passed ? undefined : intact);
    } finally {
      // A worker that gives up leaves the sandboxes to the next attempt, which may already have its own.
      if (!signals.detach.aborted) await close(name);
    }
  }

  async function runInFork(
    base: string,
    { files = [], ...command }: PreparedCommand,
    signals: ActivitySignals,
  ): Promise<StepResult> {
    const fork = await sandboxes.fork(base, forkOf(base));
    const { timeoutMs } = command;
    if (files.length) await replaceFiles(fork, files, signals);
    const result = await fork.execute({ script: command.command, timeoutMs, input: command.input ?? '', ...signals });
    signals.cancel.throwIfAborted(); // a stopped command says nothing about the work
    await sandboxes.close(fork.name);
    return toStepResult(command, result);
  }

  async function replaceFiles(
    fork: SandboxFork,
    files: Array<[path: string, content: string]>,
    signals: ActivitySignals,
  ): Promise<void> {
    const script = files.map(([path, content]) => {
      const place = quoteForBash(path);
      return `/bin/rm -f -- ${place} && /usr/bin/head -c ${Buffer.byteLength(content)} >${place} || exit`;
    });
    const input = files.map(([, content]) => content).join('');
    const { outcome, exitCode, output } = await fork.execute({
      script: script.join('\n'),
      timeoutMs: 60_000,
      input,
      ...signals,
    });
    signals.cancel.throwIfAborted();
    if (outcome === 'exited' && exitCode === 0) return;
    throw new SandboxError('HarnessFailed', `Could not replace files in ${fork.name}: ${output.text || outcome}`);
  }

  /** The fork goes first, since it uses the sandbox's files. */
  async function close(name: string): Promise<void> {
    await sandboxes.close(forkOf(name));
    await sandboxes.close(name);
  }
}

function forkOf(name: string): string {
  return `${name}-step`;
}
