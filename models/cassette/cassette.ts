import { appendFile, readFile } from 'node:fs/promises';
import { parseAllDocuments, stringify } from 'yaml';
import { z } from 'zod';
import { LonghaulError } from '../../domain/longhaul-error.ts';

const headersSchema = z.record(z.string(), z.string());

const exchangeSchema = z.strictObject({
  /** When the request was sent, ISO 8601. */
  at: z.string(),
  request: z.strictObject({
    method: z.string(),
    /** With the query, without the server's address. */
    path: z.string(),
    headers: headersSchema,
    /** Parsed if it is JSON. */
    body: z.unknown(),
  }),
  response: z.strictObject({
    status: z.int(),
    headers: headersSchema,
    /** The body in the pieces in which it arrived. */
    chunks: z.array(z.string()),
    /** Why the body is incomplete: the connection broke, or the client left. */
    brokeOff: z.string().optional(),
  }),
});

/** One HTTP exchange with a provider, without its secrets. */
export type RecordedExchange = z.output<typeof exchangeSchema>;

/** Thrown if a file is not a cassette, or if a replay receives a request that its cassette does not have. */
export class CassetteError extends LonghaulError<'CassetteUnusable'> {
  constructor(message: string, options: ErrorOptions = {}) {
    super(message, { code: 'CassetteUnusable', kind: 'input', ...options });
  }
}

/** Appends an exchange to a cassette: a file of YAML documents, in the order in which the exchanges ended. */
export async function appendExchange(file: string, exchange: RecordedExchange): Promise<void> {
  const text = `---\n${stringify(exchange, { lineWidth: 0, aliasDuplicateObjects: false })}`;
  await appendFile(file, text, { mode: 0o600 });
}

/**
 * Reads the exchanges of a cassette in order.
 * @throws {CassetteError} if the file holds anything else, or nothing.
 */
export async function readCassette(file: string): Promise<RecordedExchange[]> {
  const text = await readFile(file, 'utf8');
  const exchanges = [...parseAllDocuments(text)].map((document, index) => {
    const [broken] = document.errors;
    if (broken) throw new CassetteError(`${file} is not YAML: ${broken.message}`, { cause: broken });
    const parsed = exchangeSchema.safeParse(document.toJS());
    if (parsed.success) return parsed.data;
    throw new CassetteError(`${file}, exchange ${index + 1}: ${z.prettifyError(parsed.error)}`, {
      cause: parsed.error,
    });
  });
  if (exchanges.length === 0) throw new CassetteError(`Expected recorded exchanges in ${file}, found none.`);
  return exchanges;
}

/** A body as a cassette stores it. */
export function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // not JSON: kept as it is
  }
}
