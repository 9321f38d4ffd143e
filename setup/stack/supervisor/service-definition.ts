import type { StackAddresses } from '../../../config/stack-record.ts';
import type { EndRequest } from '../../processes/end-process.ts';
import type { LogReader } from './service-log.ts';

/** What to run, as `spawn` takes it. */
export interface ServiceCommand {
  file: string;
  parameters: string[];
  environment: Record<string, string | undefined>;
  folder?: string;
  user?: { uid: number; gid: number };
  /** For our own programs that end at 'disconnect': they get a channel that closes even if the supervisor is killed and cannot stop them. */
  endsWithSupervisor?: boolean;
}

export interface ServiceContext {
  /** The ports chosen for this service, by the names in its definition's `ports`. */
  ports: Record<string, number>;
  /** Those of the services that are ready, and of servers that run elsewhere. */
  addresses: StackAddresses;
  signal: AbortSignal;
}

export interface ServiceReadiness {
  /** Shown to a person; null if there is nothing to open. */
  url: string | null;
  /** Where other services reach it. */
  addresses?: StackAddresses;
}

/** A process that a stack keeps running. */
export interface ServiceDefinition {
  name: string;
  /** Names of the services that must be ready before it starts; services stop in the reverse order of the stack's list. */
  after: string[];
  /** The ports that it listens on, each with the number to try first. */
  ports: Record<string, number>;
  /** Handles what a killed predecessor may have left, and returns what to run. Called before each start. */
  command(context: ServiceContext): Promise<ServiceCommand>;
  /** Resolves once the service can be used; after a rejection it is called again until `readyMs` are over. */
  ready(context: ServiceContext, log: LogReader): Promise<ServiceReadiness>;
  /** Milliseconds after which a start counts as failed. */
  readyMs: number;
  stop: EndRequest;
}
