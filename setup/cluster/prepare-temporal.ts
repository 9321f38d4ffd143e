import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '@temporalio/client';
import { searchAttributes } from '../../domain/search-attributes.ts';

/** How long finished projects stay in Temporal's UI, in seconds: 30 days. What they made stays in Postgres and git. */
const retentionSeconds = 30 * 24 * 60 * 60;
/** temporal.api.enums.v1.IndexedValueType */
const keywordType = 2;
/** gRPC status codes */
const notFound = 5;
const permissionDenied = 7;
const unimplemented = 12;
/** Milliseconds; servers pick up a new namespace or attribute within about 10 s. */
const takenOverMs = 30_000;

/**
 * Creates the namespace and registers the search attributes that the server lacks. Returns what was added, and what is left to its operators if the
 * server does not let us look or add (Temporal Cloud).
 */
export async function prepareTemporal(
  connection: Connection,
  namespace: string,
): Promise<{ added: string[]; leftToOperators?: string }> {
  const added: string[] = [];
  try {
    if (!(await hasNamespace(connection, namespace))) {
      // The generated types require a Long, but the encoder accepts any number.
      const period = { seconds: retentionSeconds } as unknown as { seconds: never };
      await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: period });
      added.push(`namespace ${namespace}`);
    }
    const missing = await missingAttributes(connection, namespace);
    if (missing.length > 0) {
      await connection.operatorService.addSearchAttributes({
        namespace,
        searchAttributes: Object.fromEntries(missing.map((name) => [name, keywordType])),
      });
      added.push(...missing.map((name) => `search attribute ${name}`));
    }
    await takenOver(connection, namespace);
    return { added };
  } catch (error) {
    const code = grpcCode(error);
    if (code !== permissionDenied && code !== unimplemented) throw error;
    return {
      added,
      leftToOperators: `Temporal does not let this client manage the namespace "${namespace}". Make sure that it has the keyword search attributes ${Object.values(searchAttributes).join(', ')}.`,
    };
  }
}

async function hasNamespace(connection: Connection, namespace: string): Promise<boolean> {
  try {
    await connection.workflowService.describeNamespace({ namespace });
    return true;
  } catch (error) {
    if (grpcCode(error) === notFound) return false;
    throw error;
  }
}

/** The attributes that the namespace lacks; waits while the server does not know the namespace yet. */
async function missingAttributes(connection: Connection, namespace: string): Promise<string[]> {
  const deadline = Date.now() + takenOverMs;
  for (;;) {
    try {
      const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
      return Object.values(searchAttributes).filter((name) => !(name in (customAttributes ?? {})));
    } catch (error) {
      if (grpcCode(error) !== notFound || Date.now() > deadline) throw error;
      await sleep(500); // the namespace was just created
    }
  }
}

async function takenOver(connection: Connection, namespace: string): Promise<void> {
  const deadline = Date.now() + takenOverMs;
  for (;;) {
    const missing = await missingAttributes(connection, namespace);
    if (missing.length === 0) return;
    if (Date.now() > deadline) {
      throw new Error(
        `Expected Temporal to know the search attributes ${missing.join(', ')} after they were added; it does not.`,
      );
    }
    await sleep(500);
  }
}

function grpcCode(error: unknown): unknown {
  return (error as { code?: unknown }).code;
}
