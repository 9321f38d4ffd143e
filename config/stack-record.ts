import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ConfigurationError } from '../domain/configuration-error.ts';
import type { Configuration } from './configuration.ts';
import { isRunning, processIdentitySchema } from './process-identity.ts';

const addressesSchema = z.object({
  temporal: z.string().optional(),
  ui: z.string().optional(),
  /** Without its password. */
  database: z.string().optional(),
  /** The scripted model, if the stack runs one. */
  model: z.string().optional(),
});

const asksSchema = z.object({
  /** Of the role `code`; absent if it is the scripted model. */
  model: z.string().optional(),
  /** The folder that the scripted model answers from; absent if it is the example's. */
  script: z.string().optional(),
});

const serviceRecordSchema = z.object({
  name: z.string(),
  state: z.enum(['waiting', 'starting', 'ready', 'restarting', 'stopping', 'stopped', 'failed']),
  pid: z.number().int().positive().nullable(),
  /** See ProcessIdentity. */
  startMark: z.string().nullable(),
  startedAt: z.string().nullable(),
  ports: z.record(z.string(), z.number()),
  url: z.string().nullable(),
  restarts: z.number().int(),
  log: z.string(),
  /** How another supervisor stops this process if its own is gone. */
  stop: z.object({ signal: z.string(), graceMs: z.number() }),
});

const stackStateSchema = z.object({
  status: z.enum(['starting', 'ready', 'stopping', 'stopped', 'failed']),
  supervisor: processIdentitySchema.nullable(),
  startedAt: z.string(),
  services: z.array(serviceRecordSchema),
  addresses: addressesSchema,
  asks: asksSchema.optional(),
  /** Why it failed, for the person. */
  failure: z.string().optional(),
});

/** Where the parts of a stack can be reached. */
export type StackAddresses = z.infer<typeof addressesSchema>;
/** Which model the worker of a stack asks, as configured when the stack started. */
export type StackAsks = z.infer<typeof asksSchema>;
/** One service as `longhaul ps` shows it. */
export type ServiceRecord = z.infer<typeof serviceRecordSchema>;
/** The content of `<home>/stack.json`, without passwords and keys. */
export type StackState = z.infer<typeof stackStateSchema>;

/** The state as last written, whether or not its supervisor still runs; undefined before the first stack. */
export function readStateFile(home: string): StackState | undefined {
  const file = stateFile(home);
  if (!existsSync(file)) return undefined;
  try {
    return stackStateSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new ConfigurationError(
      `Could not read the stack's state in ${file}: ${(error as Error).message}. Stop its remaining processes by hand and remove the file; it contains no data.`,
      { cause: error },
    );
  }
}

/** Where a stack records its state. */
export function stateFile(home: string): string {
  return join(home, 'stack.json');
}

/** The state of the stack that runs now; undefined if its supervisor does not. */
function runningState(home: string): StackState | undefined {
  const state = readStateFile(home);
  return state?.supervisor && isRunning(state.supervisor) ? state : undefined;
}

/** The services whose own process still runs, not another with its pid. */
export function runningServices(state: StackState): Array<ServiceRecord & { pid: number; startMark: string }> {
  return state.services.filter(
    (service): service is ServiceRecord & { pid: number; startMark: string } =>
      service.pid !== null &&
      service.startMark !== null &&
      isRunning({ pid: service.pid, startMark: service.startMark }),
  );
}

/** Whether the supervisor was killed and services of it still run. */
export function isLeftOver(home: string): boolean {
  const state = readStateFile(home);
  return state !== undefined && runningState(home) === undefined && runningServices(state).length > 0;
}

/** Which model the running stack asks; undefined if none runs. */
export function readAsks(home: string): StackAsks | undefined {
  return runningState(home)?.asks;
}

/** Where a client reaches the stack, with the database's password; without servers that are neither configured nor running. */
export function readAddresses({ home, temporal, database }: Configuration): StackAddresses {
  const own = { ...runningState(home)?.addresses };
  if (own.database !== undefined && database.url === undefined) own.database = withPassword(own.database, home);
  return {
    ...own,
    ...(temporal.address && { temporal: temporal.address }),
    ...(temporal.uiUrl && { ui: temporal.uiUrl }),
    ...(database.url && { database: database.url }),
  };
}

/** The folder that set-up chose for this home's Postgres; undefined before that. */
export function readPostgresFolder(home: string): string | undefined {
  const file = postgresFolderFile(home);
  return existsSync(file) ? postgresFolderSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).folder : undefined;
}

/** Where set-up records the folder of Postgres. */
export function postgresFolderFile(home: string): string {
  return join(home, 'postgres.json');
}

const postgresFolderSchema = z.object({ folder: z.string() });

function withPassword(url: string, home: string): string {
  const folder = readPostgresFolder(home);
  if (folder === undefined) return url;
  const parsed = new URL(url);
  parsed.password = readFileSync(join(folder, 'password'), 'utf8').trim();
  return parsed.href;
}
