import { mkdtempSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NetworkAccess } from '../../domain/network/network-access.ts';
import type {
  NetworkRefusal,
  Sandbox,
  Sandboxes,
  SandboxFork,
  SandboxListing,
  SandboxOwner,
  SandboxSpec,
} from '../../sandbox/sandbox.ts';
import { type CommandScript, type ScriptedCommand, toAnswerer } from './command-script.ts';
import { lost, unavailable } from './scripted-errors.ts';
import { type ScriptedHost, ScriptedSandbox } from './scripted-sandbox.ts';

/**
 * Sandboxes without containers: their files are in a temporary folder, a script answers their commands, and nothing of an agent runs on this
 * machine. The harness's own commands are answered as a container would, so that whole sessions, verification and landing run on them; a set-up
 * script (`init.sh`) counts as a command of the project.
 */
export class ScriptedSandboxes implements Sandboxes {
  /** The commands that ran, in order; a retry that found its result is not among them. */
  readonly commands: ScriptedCommand[] = [];
  /** The spec of each sandbox that was created, in order. */
  readonly opened: SandboxSpec[] = [];
  private readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'longhaul-scripted-sandboxes-')));
  private readonly sandboxes = new Map<string, ScriptedSandbox>();
  private readonly kept = new Map<string, { owner: SandboxOwner; folder: string }>();
  private readonly refused = new Map<string, NetworkRefusal[]>();
  private readonly host: ScriptedHost;
  private away = new AbortController();
  private count = 0;

  /**
   * @param script Answers the commands of agents and projects; a command without an answer fails with an `UnscriptedCommandError`.
   */
  constructor(script: CommandScript = []) {
    this.host = {
      answer: toAnswerer(script),
      away: () => this.away.signal,
      onCommand: (command) => this.commands.push(command),
    };
  }

  /** The folder on this machine that stands for the `/workspace` of a sandbox; undefined if there is none of that name. */
  workspaceOf(name: string): string | undefined {
    return this.sandboxes.get(name)?.workspace;
  }

  /** What a sandbox may reach, which nothing enforces here; undefined if there is none of that name. */
  networkOf(name: string): NetworkAccess | undefined {
    const sandbox = this.sandboxes.get(name);
    return sandbox && { policy: sandbox.spec.network ?? 'none', refused: sandbox.spec.refusedHosts ?? [] };
  }

  /** Has its network policy refuse a sandbox something. */
  refuse(name: string, refusal: NetworkRefusal): void {
    this.refused.set(name, [...(this.refused.get(name) ?? []), refusal]);
  }

  /** While it is unavailable, the host answers no call; commands keep running. */
  setAvailable(available: boolean): void {
    if (!available) this.away.abort();
    else if (this.away.signal.aborted) this.away = new AbortController();
  }

  /** Removes every file; call it at the end of a test. */
  async dispose(): Promise<void> {
    for (const sandbox of this.sandboxes.values()) await sandbox.remove({ keepFiles: false });
    await rm(this.root, { recursive: true, force: true });
  }

  async open(spec: SandboxSpec): Promise<Sandbox> {
    const found = await this.find(spec.name);
    if (found) return found;
    const folder = this.kept.get(spec.name)?.folder ?? join(this.root, String(++this.count));
    const sandbox = new ScriptedSandbox(spec, folder, this.host);
    this.sandboxes.set(spec.name, sandbox);
    if (spec.keepsFiles) this.kept.set(spec.name, { owner: spec.owner, folder });
    this.opened.push(spec);
    await sandbox.create();
    return sandbox.handle('created');
  }

  async fork(base: string, name: string): Promise<SandboxFork> {
    const origin = this.get(base);
    if (!origin) throw lost(base);
    await this.close(name);
    const { sandbox, fork } = await origin.fork(name, join(this.root, String(++this.count)));
    this.sandboxes.set(name, sandbox);
    return fork;
  }

  async find(name: string): Promise<Sandbox | undefined> {
    const sandbox = this.get(name);
    return sandbox?.handle(sandbox.start());
  }

  async stop(name: string): Promise<void> {
    await this.get(name)?.stop();
  }

  async release(name: string): Promise<void> {
    await this.remove(name, { keepFiles: this.kept.has(name) });
  }

  async close(name: string): Promise<void> {
    await this.remove(name, { keepFiles: false });
    const kept = this.kept.get(name);
    if (kept) await rm(kept.folder, { recursive: true, force: true });
    this.kept.delete(name);
  }

  async list(): Promise<SandboxListing[]> {
    this.expectAvailable();
    return [...this.sandboxes.values()].map(({ spec, status, createdAt }) => ({
      name: spec.name,
      owner: spec.owner,
      running: status === 'running',
      createdAt,
    }));
  }

  async pruneVolumes(): Promise<string[]> {
    this.expectAvailable();
    return [];
  }

  async enforceQuota(): Promise<string[]> {
    return [];
  }

  async measure(): Promise<undefined> {
    return undefined;
  }

  async closeGateways(): Promise<void> {
    this.expectAvailable();
  }

  async refusals(name: string): Promise<NetworkRefusal[]> {
    this.expectAvailable();
    return this.refused.get(name) ?? [];
  }

  async listKept(): Promise<Array<{ name: string; owner: SandboxOwner }>> {
    this.expectAvailable();
    return [...this.kept].map(([name, { owner }]) => ({ name, owner }));
  }

  private async remove(name: string, options: { keepFiles: boolean }): Promise<void> {
    await this.get(name)?.remove(options);
    this.sandboxes.delete(name);
  }

  private get(name: string): ScriptedSandbox | undefined {
    this.expectAvailable();
    return this.sandboxes.get(name);
  }

  private expectAvailable(): void {
    if (this.away.signal.aborted) throw unavailable();
  }
}
