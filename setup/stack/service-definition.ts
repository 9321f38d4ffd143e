import type { EndRequest } from '../processes/end-process.ts';
import type { LogReader } from './service-log.ts';
import type { StackAddresses } from './stack-state.ts';

/** What to run, as `spawn` takes it. */
export interface ServiceCommand {
  file: string;
  parameters: string[];
  environment: Record<string, string | undefined>;
  folder?: string;
  user?: { uid: number; gid: number };
}

export interface ServiceContext {
  /** The ports that were chosen for this service, by the names of `ports`. */
  ports: Record<string, number>;
  /** Those of the services that are ready, and of what runs elsewhere. */
  addresses: StackAddresses;
  signal: AbortSignal;
}

export interface ServiceReadiness {
  /** Shown to a person; null where there is nothing to open. */
  url: string | null;
  /** What others reach it by. */
  addresses?: StackAddresses;
}

/** A process that a stack keeps running. */
export interface ServiceDefinition {
  name: string;
  /** Names of the services that must be ready before it starts; services stop in the reverse order of the list they stand in. */
  after: string[];
  /** The ports that it listens on, with the number that is tried first. */
  ports: Record<string, number>;
  /** Prepares what a killed predecessor may have left, and says what to run. Called before each start. */
  command(context: ServiceContext): Promise<ServiceCommand>;
  /** Resolves once it can be used; what it rejects with is tried again until `readyMs` are over. */
  ready(context: ServiceContext, log: LogReader): Promise<ServiceReadiness>;
  /** Milliseconds until a start counts as failed. */
  readyMs: number;
  stop: EndRequest;
}

/** Thrown by `command` where trying again would not help: what the person must do is in the message. */
export class ServiceUnstartableError extends Error {
  override name = 'ServiceUnstartableError';
}
