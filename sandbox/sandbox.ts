/** Who a sandbox belongs to; written as container labels so that pruning can tell which ones are still needed. */
export type SandboxOwner =
  | {
      project: string;
      /** The session or run that opened it. */
      owner: string;
      purpose: 'session' | 'verification' | 'initializer' | 'tool';
    }
  | {
      /** The chat's id. */
      owner: string;
      purpose: 'chat';
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
  /** Bytes of the workspace; unlimited where absent (a limit keeps the workspace in memory and loses it when the sandbox stops). */
  workspaceBytes?: number;
  /** The same for the home, which holds the output of commands too. */
  homeBytes?: number;
}

export interface SandboxSpec {
  /** Chosen by the caller and unique: the container carries it, so a retry finds the sandbox of its first attempt. */
  name: string;
  owner: SandboxOwner;
  image: string;
  limits?: Partial<SandboxLimits>;
  /** Whether it can reach the outside from its beginning; true where absent. Without, it has none of the host's proxies and certificates. */
  network?: boolean;
  /** The tool call that found its forerunner of the same name gone; kept with it, so that every attempt of the call can know. */
  reopenedBy?: string;
  /** Its files outlive its container: `release`, pruning and another `open` leave them. Only `close` removes them. */
  keepsFiles?: boolean;
}

/**
 * What `open` found: `created` is new and empty; `running` was there; `restarted` was stopped and runs again with its
 * files but without its processes.
 */
export type SandboxOrigin = 'created' | 'running' | 'restarted';

export interface CommandRequest {
  /** The tool-call id: running it again attaches to the first run or reads its result. Letters, digits, `.`, `_`, `-`. */
  id: string;
  /** A bash script. */
  script: string;
  /** Milliseconds until its whole process tree is killed. */
  timeoutMs: number;
  /** Relative to the workspace. */
  folder?: string;
  environment?: Record<string, string>;
  /** Standard input; empty where absent. */
  input?: string;
  /** Aborting kills the process tree; the result is `cancelled`. */
  cancel?: AbortSignal;
  /** Aborting lets go of the command, which runs on for a later attach; `run` rejects with the signal's reason. */
  detach?: AbortSignal;
}

/** Output of a command, stdout and stderr in order of arrival; the middle is left out where it was longer than the limit. */
export interface CommandOutput {
  text: string;
  totalBytes: number;
  truncated: boolean;
}

export interface CommandResult {
  /**
   * `exited` with `exitCode`, which is 0 only where the harness's own program saw that; `timed-out` and `cancelled` were killed with all their processes; `interrupted` was under way
   * when its sandbox stopped or died, and is not run again.
   */
  outcome: 'exited' | 'timed-out' | 'cancelled' | 'interrupted';
  exitCode: number | null;
  output: CommandOutput;
  durationMs: number;
}

/** One open sandbox. */
export interface Sandbox {
  readonly name: string;
  readonly origin: SandboxOrigin;
  /** As it was opened with. */
  readonly reopenedBy: string | undefined;
  /** Runs a command under its id, or attaches to the run that has it, or reads the result of the one that had it. */
  run(request: CommandRequest): Promise<CommandResult>;
  /** The full output of a command that ran here, from its first byte; undefined where it left none. */
  readLog(commandId: string): Promise<NodeJS.ReadableStream | undefined>;
  /** Fills an empty workspace with this repository (a tar of a bare `.git`) checked out at the commit, on branch `work`. */
  loadWorkspace(gitFolder: NodeJS.ReadableStream, commit: string): Promise<void>;
  /** The commit that `loadWorkspace` finished with; undefined while the workspace is empty or half-loaded. */
  loadedCommit(): Promise<string | undefined>;
  /** Records every file of the workspace as one commit on top of `base`; returns a git bundle that holds just it, as ref `refs/longhaul/snapshot`. */
  snapshot(base: string): Promise<{ bundle: Buffer; commit: string }>;
  /** Replaces a damaged `.git` (as for `loadWorkspace`), on branch `work` at the commit; no other file is touched. */
  repairRepository(gitFolder: NodeJS.ReadableStream, commit: string): Promise<void>;
  /**
   * Ends everything that runs in it by starting its container anew, once in its life: an attempt that finds it done leaves what runs since
   * alone. /tmp is empty then; workspace and home stay, unless they are in memory.
   */
  restartOnce(): Promise<void>;
  /** Takes the network away; what runs goes on without it. */
  disconnect(): Promise<void>;
}

/** The sandboxes of one container host. */
export interface Sandboxes {
  open(spec: SandboxSpec): Promise<Sandbox>;
  /** The sandbox of that name, started if it was stopped; undefined where none is. */
  find(name: string): Promise<Sandbox | undefined>;
  /** Stops its processes and keeps its files. No sandbox of that name is fine. */
  stop(name: string): Promise<void>;
  /** Removes its container; one that keeps its files has them again when it is opened. No sandbox of that name is fine. */
  release(name: string): Promise<void>;
  /** Removes it with its files. No sandbox of that name is fine. */
  close(name: string): Promise<void>;
  list(): Promise<SandboxListing[]>;
  /** Removes the files of sandboxes that are gone but for them, as an interrupted close leaves them; returns the volumes' names. */
  pruneVolumes(): Promise<string[]>;
  /** The sandboxes whose files are kept, whether they have a container or not. */
  listKept(): Promise<Array<{ name: string; owner: SandboxOwner }>>;
}

export interface SandboxListing {
  name: string;
  owner: SandboxOwner;
  running: boolean;
  createdAt: Date;
}
