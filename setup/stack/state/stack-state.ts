import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { SetupError } from '../../setup-error.ts';
import { writeFileAtomically } from '../../write-file-atomically.ts';

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
  supervisor: z.object({ pid: z.number().int().positive(), startMark: z.string() }).nullable(),
  startedAt: z.string(),
  services: z.array(serviceRecordSchema),
  addresses: addressesSchema,
  asks: asksSchema.optional(),
  /** Why it failed, as told to the person. */
  failure: z.string().optional(),
});

/** Where the parts of a stack can be reached. */
export type StackAddresses = z.infer<typeof addressesSchema>;
/** Which model the worker of a stack asks, as configured when the stack started. */
export type StackAsks = z.infer<typeof asksSchema>;
/** One service as `longhaul ps` shows it. */
export type ServiceRecord = z.infer<typeof serviceRecordSchema>;
/** The content of `<home>/stack.json`. It holds no password and no key. */
export type StackState = z.infer<typeof stackStateSchema>;

/** The state as last written, whether or not its supervisor still runs; undefined before the first stack. */
export function readStateFile(home: string): StackState | undefined {
  const file = stateFile(home);
  if (!existsSync(file)) return undefined;
  try {
    return stackStateSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new SetupError(
      'StackStateUnreadable',
      `Expected the state of a stack in ${file}, it cannot be read: ${(error as Error).message}. ` +
        'Stop what runs of it by hand and remove the file; no data is in it.',
      { cause: error },
    );
  }
}

export function writeStateFile(home: string, state: StackState): void {
  writeFileAtomically(stateFile(home), `${JSON.stringify(state, null, 2)}\n`);
}

function stateFile(home: string): string {
  return join(home, 'stack.json');
}
