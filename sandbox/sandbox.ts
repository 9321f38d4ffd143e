import type { Readable, Writable } from 'node:stream';
import type { FolderFacts, WorkspaceFile } from '../domain/chat/files.ts';
import type { HostRefusal } from '../domain/network/network-access.ts';
import type { NetworkPolicy } from '../domain/network/network-policy.ts';
import type { SandboxFiles } from './sandbox-files.ts';

/** Who a sandbox belongs to; stored as container labels so that pruning can tell which sandboxes are still needed. */
export type SandboxOwner =
  | {
      project: string;
      /** The session or run that opened it. */
      owner: string;
      purpose: 'session' | 'verification' | 'initializer' | 'tool';
    }
  | {
      /** The id of the chat, or of the user's own agent's run; the name of the MCP server. */
      owner: string;
      purpose: 'chat' | 'run' | 'mcp';
      project?: undefined;
    };

export interface SandboxLimits {
  /** Bytes of memory, swap included. */
  memoryBytes: number;
  /** CPUs, fractions allowed. */
  cpus: number;
  /** Processes and threads at once. */
  processes: number;
  /** Bytes of the in-memory /tmp. */
  tmpBytes: number;
  /** Bytes of the largest single file a process may write. */
  fileBytes: number;
  /** Bytes of the workspace; unlimited if absent. A limit puts the workspace in memory, so it is lost when the sandbox stops. */
  workspaceBytes?: number;
  /** The same for the home, which also stores the output of commands. */
  homeBytes?: number;
}

export interface SandboxSpec {
  /** Unique, chosen by the caller: the container is named after it, so a retry finds the sandbox of its first attempt. */
  name: string;
  owner: SandboxOwner;
  image: string;
  limits?: Partial<SandboxLimits>;
  /** What it reaches, through a proxy; nothing if absent. Without network it also gets none of the host's certificates. */
  network?: NetworkPolicy;
  /** Hosts that are refused all the same. */
  refusedHosts?: HostRefusal[];
  /** The tool call that found the previous sandbox of this name gone; stored, so that every attempt of that call knows. */
  reopenedBy?: string;
  /** Its files outlive its container: `release`, pruning and reopening keep them; only `close` removes them. */
  keepsFiles?: boolean;
}

/**
 * What `open` found: `created` is new and empty; `running` was already running; `restarted` had stopped and runs again with its files but without its
 * processes.
 */
export type SandboxOrigin = 'created' | 'running' | 'restarted';

export interface CommandRequest {
  /** The tool-call id: a second run with it attaches to the first or reads its result. Letters, digits, `.`, `_`, `-`. */
  id: string;
  /** A bash script. */
  script: string;
  /** Milliseconds until the whole process tree is killed. */
  timeoutMs: number;
  /** Relative to the workspace. */
  folder?: string;
  environment?: Record<string, string>;
  /** Standard input; empty if absent. */
  input?: string;
  /** Aborting kills the process tree; the result is `cancelled`. */
  cancel?: AbortSignal;
  /** Aborting detaches from the command, which keeps running for a later attach; `run` rejects with the signal's reason. */
  detach?: AbortSignal;
}

/** A program that stays connected with the caller. */
export interface ProgramRequest {
  /** The program and its arguments. */
  command: string[];
  environment: Record<string, string>;
}

export interface SandboxProgram {
  input: Writable;
  /** Its standard output, which ends with the program. */
  output: Readable;
  /** Ends the connection, and with it the program's standard input. A program that goes on all the same ends with its sandbox. */
  close(): void;
}

/** A script that a fork runs. */
export interface ExecutionRequest {
  /** A bash script. */
  script: string;
  /** Milliseconds until the fork is ended. */
  timeoutMs: number;
  /** Standard input; empty if absent. */
  input?: string;
  /** Aborting ends the fork; the result is `cancelled`. */
  cancel?: AbortSignal;
  /** Aborting detaches; `execute` rejects with the signal's reason, and the script goes on until the fork is closed. */
  detach?: AbortSignal;
}

/**
 * A container of its own over the files of a sandbox, without network: what it changes is seen by nothing else. Its processes and its /tmp begin
 * empty.
 */
export interface SandboxFork {
  readonly name: string;
  /**
   * Runs a script from the workspace. Its exit code is the one that the container host reports for the shell, which nothing else in the fork can change or
   * answer for. No record of it is kept, so that it cannot be attached to; what it leaves running goes with the fork.
   * @throws {SandboxError} SandboxStopped or SandboxLost if the fork ends for a reason other than the time limit or a cancellation.
   */
  execute(request: ExecutionRequest): Promise<CommandResult>;
}

/** A command's stdout and stderr in order of arrival; if longer than the limit, the middle is left out. */
export interface CommandOutput {
  text: string;
  totalBytes: number;
  truncated: boolean;
}

/** A command's output as it was written. */
export interface CommandLog {
  /** Of the full output. */
  totalBytes: number;
  bytes: Readable;
}

export interface CommandResult {
  /**
   * `exited` with `exitCode`; `timed-out` and `cancelled` commands were killed with all
   * their processes; an `interrupted` command was running when its sandbox stopped or died, and is not run again.
   */
  outcome: 'exited' | 'timed-out' | 'cancelled' | 'interrupted';
  exitCode: number | null;
  output: CommandOutput;
  durationMs: number;
}

/** One open sandbox. */
export interface Sandbox {
  readonly name: string;
  /** The id of its image, as its container host has it. */
  readonly image: string;
  readonly origin: SandboxOrigin;
  /** As given to `open`. */
  readonly reopenedBy: string | undefined;
  readonly files: SandboxFiles;
  /** Runs a command under its id, attaches to a running command with that id, or reads the result of a finished one. */
  run(request: CommandRequest): Promise<CommandResult>;
  /** Starts a program, with the caller at its standard input and output. It is not kept: nothing can attach to it again. */
  start(request: ProgramRequest): Promise<SandboxProgram>;
  /** The output of a command that ran here, in full or from byte `offset` on, at most `limit` bytes; undefined if it left none. */
  readLog(commandId: string, range?: { offset: number; limit: number }): Promise<CommandLog | undefined>;
  /** Fills an empty workspace with a repository (a tar of a bare `.git`), checked out at the commit on branch `work`. */
  loadWorkspace(gitFolder: NodeJS.ReadableStream, commit: string): Promise<void>;
  /** The commit that `loadWorkspace` completed; undefined while the workspace is empty or half-loaded. */
  loadedCommit(): Promise<string | undefined>;
  /**
   * Records every file of the workspace as one commit on top of `base`; returns a git bundle of just that commit, as ref `refs/longhaul/snapshot`.
   */
  snapshot(base: string): Promise<{ bundle: Buffer; commit: string }>;
  /** Replaces a damaged `.git` (given as for `loadWorkspace`) by one on branch `work` at the commit; touches no other file. */
  repairRepository(gitFolder: NodeJS.ReadableStream, commit: string): Promise<void>;
  /**
   * Writes files into the workspace and creates their folders; what else is there stays. With `copy`, the workspace is emptied first but for
   * `givenFolder`, and remembers that it holds the copy of this id.
   * @throws {SandboxError} FileRefused if a folder is in the way.
   */
  placeFiles(files: WorkspaceFile[], copy?: string): Promise<void>;
  /**
   * Reads files of the workspace.
   * @throws {SandboxError} FileRefused for a path without a readable file, or if they have more than `maxBytes` together.
   */
  takeFiles(paths: string[], maxBytes: number): Promise<WorkspaceFile[]>;
  /**
   * What the files of the workspace are: those of the `known` paths, and all others that are neither ignored by its .gitignore nor left out of copies.
   * @throws {SandboxError} FileRefused if there are more than `maxFiles`, or unreadable ones.
   */
  lookAtFiles(known: string[], maxFiles: number): Promise<{ copy: string | undefined; files: FolderFacts }>;
}

/** The sandboxes of one container host. */
export interface Sandboxes {
  open(spec: SandboxSpec): Promise<Sandbox>;
  /**
   * Starts a fork of a sandbox, whose files must not change until the fork is closed, as sandboxes are, by its name: what the fork would see of such a
   * change is undefined. An earlier one of that name is removed. It has the owner and the image of that sandbox.
   */
  fork(base: string, name: string): Promise<SandboxFork>;
  /** The sandbox of that name, started if it was stopped; undefined if there is none. */
  find(name: string): Promise<Sandbox | undefined>;
  /** Stops its processes and keeps its files. Does nothing if there is no sandbox of that name. */
  stop(name: string): Promise<void>;
  /** Removes its container; if it keeps its files, reopening it finds them. Does nothing if there is no sandbox of that name. */
  release(name: string): Promise<void>;
  /** Removes it with its files. Does nothing if there is no sandbox of that name. */
  close(name: string): Promise<void>;
  list(): Promise<SandboxListing[]>;
  /** Removes the volumes that an interrupted close left without a sandbox; returns the volumes' names. */
  pruneVolumes(): Promise<string[]>;
  /**
   * Stops the running sandboxes that have more on disk than their share; returns a sentence for each. Call it every second: it looks at a sandbox only
   * now and then. What is called on a stopped one throws a `SandboxError` QuotaExceeded.
   */
  enforceQuota(): Promise<string[]>;
  /** What a running sandbox uses at the moment; undefined if it does not run. Takes two seconds or more. */
  measure(name: string): Promise<SandboxUsage | undefined>;
  /** Removes the network gateways that no sandbox uses, or all; a sandbox that needs one again has it made when it is next found. */
  closeGateways(which: 'unused' | 'all'): Promise<void>;
  /** What its network policy refused an open sandbox so far, each host and port once, at most some hundred. */
  refusals(name: string): Promise<NetworkRefusal[]>;
  /** The sandboxes that keep their files, with or without a container. */
  listKept(): Promise<Array<{ name: string; owner: SandboxOwner }>>;
}

export interface SandboxUsage {
  /** Percent of one CPU. */
  cpuPercent: number;
  memoryBytes: number;
  processes: number;
  /** Undefined if it has more files than its share. */
  diskBytes: number | undefined;
  files: number;
}

/** A connection that a sandbox was not allowed. */
export interface NetworkRefusal {
  host: string;
  port: number;
  /** Part of a sentence. */
  why: string;
}

export interface SandboxListing {
  name: string;
  owner: SandboxOwner;
  running: boolean;
  createdAt: Date;
}
