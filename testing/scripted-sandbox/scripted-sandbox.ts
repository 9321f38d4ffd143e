import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { composeOutput, shownBytes } from '../../sandbox/command-report.ts';
import { SandboxError } from '../../sandbox/errors.ts';
import type {
  CommandLog,
  CommandRequest,
  CommandResult,
  Sandbox,
  SandboxFork,
  SandboxOrigin,
  SandboxSpec,
} from '../../sandbox/sandbox.ts';
import type { SandboxFiles } from '../../sandbox/sandbox-files.ts';
import {
  type CommandAnswerer,
  type ScriptedCommand,
  type ScriptedResult,
  UnscriptedCommandError,
} from './command-script.ts';
import { createCopiedFiles } from './copied-files.ts';
import { answerHarness, spoilsChecks } from './harness-commands.ts';
import { lost, unavailable } from './scripted-errors.ts';
import { createScriptedFiles, rememberOperations } from './scripted-files.ts';
import { WorkspaceRepository } from './workspace-repository.ts';

type Ending = 'cancelled' | 'interrupted';

/** A command that a sandbox ran or runs. */
interface Running {
  result: Promise<{ result: CommandResult; log: Buffer }>;
  end: (ending: Ending) => void;
}

/** What a sandbox needs from its host. */
export interface ScriptedHost {
  answer: CommandAnswerer;
  /** Aborts when the host becomes unavailable. */
  away: () => AbortSignal;
  onCommand: (command: ScriptedCommand) => void;
}

/** One sandbox, whose files are in a temporary folder and whose commands a script answers. */
export class ScriptedSandbox {
  readonly spec: SandboxSpec;
  readonly createdAt = new Date();
  readonly workspace: string;
  status: 'running' | 'stopped' | 'gone' = 'running';
  private readonly folder: string;
  private readonly host: ScriptedHost;
  private readonly repository: WorkspaceRepository;
  private readonly files: SandboxFiles;
  private readonly commands = new Map<string, Running>();
  private loaded: string | undefined;
  private hasSpoiledChecks = false;

  constructor(spec: SandboxSpec, folder: string, host: ScriptedHost) {
    this.spec = spec;
    this.folder = folder;
    this.host = host;
    this.workspace = join(folder, 'workspace');
    this.repository = new WorkspaceRepository(this.workspace, join(folder, 'git'));
    this.files = rememberOperations(createScriptedFiles(this.workspace, this.repository), () => this.expectRunning());
  }

  async create(): Promise<void> {
    await mkdir(this.workspace, { recursive: true });
  }

  /** What `Sandboxes.open` and `find` return. */
  handle(origin: SandboxOrigin): Sandbox {
    const running = async <Result>(work: () => Result | Promise<Result>): Promise<Result> => {
      this.expectRunning();
      return work();
    };
    const copied = createCopiedFiles(this.workspace, join(this.folder, 'copy'));
    return {
      name: this.spec.name,
      image: this.spec.image,
      origin,
      reopenedBy: this.spec.reopenedBy,
      files: this.files,
      run: (request) => running(() => this.run(request)),
      start: ({ command }) => running(() => refuseProgram(command)),
      readLog: (id, range) => running(() => this.readLog(id, range)),
      loadWorkspace: (gitFolder, commit) => running(() => this.load(gitFolder, commit)),
      loadedCommit: () => running(() => this.loaded),
      snapshot: (base) => running(() => this.repository.snapshot(base)),
      repairRepository: (gitFolder, commit) => running(() => this.repository.repair(gitFolder, commit)),
      placeFiles: (files, copy) => running(() => copied.placeFiles(files, copy)),
      takeFiles: (paths, maxBytes) => running(() => copied.takeFiles(paths, maxBytes)),
      lookAtFiles: (known, maxFiles) => running(() => copied.lookAtFiles(known, maxFiles)),
    };
  }

  /** Another sandbox with these files; what it runs is no part of this one. */
  async fork(name: string, folder: string): Promise<{ sandbox: ScriptedSandbox; fork: SandboxFork }> {
    const { owner, image } = this.spec;
    const sandbox = new ScriptedSandbox({ name, owner, image }, folder, this.host);
    await cp(this.workspace, sandbox.workspace, { recursive: true, verbatimSymlinks: true });
    let count = 0;
    return {
      sandbox,
      fork: { name, execute: (request) => sandbox.run({ ...request, id: `${name}.${++count}` }) },
    };
  }

  start(): SandboxOrigin {
    if (this.status === 'running') return 'running';
    this.status = 'running';
    return 'restarted';
  }

  /** Ends its commands; files in memory are lost. */
  async stop(): Promise<void> {
    if (this.status !== 'running') return;
    this.status = 'stopped';
    this.interrupt();
    if (this.spec.limits?.workspaceBytes === undefined) return;
    await rm(this.folder, { recursive: true, force: true });
    await mkdir(this.workspace, { recursive: true });
    this.loaded = undefined;
  }

  async remove({ keepFiles }: { keepFiles: boolean }): Promise<void> {
    this.status = 'gone';
    this.interrupt();
    if (!keepFiles) await rm(this.folder, { recursive: true, force: true });
  }

  private async run(request: CommandRequest): Promise<CommandResult> {
    const { cancel, detach } = request;
    detach?.throwIfAborted();
    const command = this.commands.get(request.id) ?? this.begin(request);
    const listening = new AbortController();
    const { signal } = listening;
    const onAbort = (aborting: AbortSignal | undefined, work: () => void): void => {
      if (aborting?.aborted) work();
      else aborting?.addEventListener('abort', work, { once: true, signal });
    };
    onAbort(cancel, () => command.end('cancelled'));
    const left = new Promise<never>((_resolve, reject) => {
      onAbort(detach, () => reject(detach?.reason));
      onAbort(this.host.away(), () => reject(unavailable()));
    });
    try {
      const { result } = await Promise.race([command.result, left]);
      if (result.outcome === 'interrupted') this.expectRunning();
      return result;
    } catch (error) {
      if (error instanceof UnscriptedCommandError) this.commands.delete(request.id);
      throw error;
    } finally {
      listening.abort();
    }
  }

  private begin({ detach: _, ...request }: CommandRequest): Running {
    const ending = new AbortController();
    const command = { ...request, sandbox: this.spec.name, workspace: this.workspace, cancel: ending.signal };
    const ended = new Promise<ScriptedResult>((resolve) => {
      ending.signal.addEventListener('abort', () => resolve({ outcome: ending.signal.reason }));
    });
    const running = { result: this.perform(command, ended, ending), end: (how: Ending) => ending.abort(how) };
    running.result.catch(() => undefined);
    this.commands.set(request.id, running);
    return running;
  }

  private async perform(
    command: ScriptedCommand,
    ended: Promise<ScriptedResult>,
    ending: AbortController,
  ): Promise<{ result: CommandResult; log: Buffer }> {
    const began = performance.now();
    await Promise.resolve(); // A command that was cancelled before it began never begins.
    const timer = setTimeout(() => ending.abort('timed-out'), command.timeoutMs);
    try {
      const answered = await (ending.signal.aborted ? ended : Promise.race([this.answer(command), ended]));
      const { output = '', outcome = 'exited', exitCode = 0, durationMs = performance.now() - began } = answered;
      const log = Buffer.from(output);
      const isLong = log.length > shownBytes.head + shownBytes.tail;
      const shown = isLong
        ? composeOutput(log.subarray(0, shownBytes.head), log.subarray(-shownBytes.tail), log.length)
        : composeOutput(log, Buffer.alloc(0), log.length);
      const code = outcome === 'exited' ? exitCode : null;
      return { result: { outcome, exitCode: code, output: shown, durationMs: Math.round(durationMs) }, log };
    } finally {
      clearTimeout(timer);
    }
  }

  private async answer(command: ScriptedCommand): Promise<ScriptedResult> {
    this.host.onCommand(command);
    // What runs on checks that the harness has spoiled fails, as it would in a container.
    if (this.hasSpoiledChecks) return { exitCode: 1 };
    this.hasSpoiledChecks = spoilsChecks(command);
    if (this.hasSpoiledChecks) return {};
    const result = await (this.host.answer(command) ?? answerHarness(command));
    if (result === undefined) throw new UnscriptedCommandError(command);
    return result;
  }

  private async readLog(id: string, range?: { offset: number; limit: number }): Promise<CommandLog | undefined> {
    const command = this.commands.get(id);
    if (!command) return undefined;
    const { log } = await command.result;
    const part = range ? log.subarray(range.offset, range.offset + range.limit) : log;
    return { totalBytes: log.length, bytes: Readable.from([part], { objectMode: false }) };
  }

  private async load(gitFolder: NodeJS.ReadableStream, commit: string): Promise<void> {
    if (this.loaded !== undefined) {
      (gitFolder as Readable).destroy();
      if (this.loaded === commit) return;
      throw new SandboxError(
        'WorkspaceLoaded',
        `Expected sandbox ${this.spec.name} to be empty or at ${commit}, found it at ${this.loaded}. Open another sandbox for another commit.`,
      );
    }
    for (const name of await readdir(this.workspace)) await rm(join(this.workspace, name), { recursive: true });
    await this.repository.load(gitFolder, commit);
    this.loaded = commit;
  }

  private interrupt(): void {
    for (const command of this.commands.values()) command.end('interrupted');
  }

  private expectRunning(): void {
    const { name } = this.spec;
    if (this.host.away().aborted) throw unavailable();
    if (this.status === 'gone') throw lost(name);
    if (this.status === 'stopped')
      throw new SandboxError(
        'SandboxStopped',
        `The sandbox ${name} is not running. Open it again, then repeat the call.`,
      );
  }
}

function refuseProgram(command: string[]): never {
  throw new SandboxError(
    'HarnessFailed',
    `A scripted sandbox runs nothing, so "${command.join(' ')}" has to be tried in a real one.`,
  );
}
