import type { z } from 'zod';
import { SearchError } from './search-error.ts';

const maxBytes = 2 * 1024 ** 2;

/**
 * Reads JSON of a search engine that a person has set. It may be on this machine or its network; redirects are not followed, since they would take
 * the key along.
 * @throws {SearchError}
 */
export async function requestJson<Schema extends z.ZodType>(
  url: URL,
  schema: Schema,
  { headers = {}, signal, hint = '' }: { headers?: Record<string, string>; signal: AbortSignal; hint?: string },
): Promise<z.output<Schema>> {
  const place = url.host;
  let status: number;
  let text: string;
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json', ...headers },
      redirect: 'manual',
      signal,
    });
    status = response.status;
    text = await readText(response, place);
  } catch (error) {
    if (error instanceof SearchError || signal.aborted) throw error;
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    throw new SearchError(`The search engine at ${place} does not answer: ${cause}.`);
  }
  if (status !== 200) throw new SearchError(`The search engine at ${place} answered with status ${status}.${hint}`);
  const parsed = schema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new SearchError(`Expected results in JSON from the search engine at ${place}, got something else.${hint}`);
}

async function readText(response: Response, place: string): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    pieces.push(piece as Uint8Array);
    size += (piece as Uint8Array).length;
    if (size > maxBytes) throw new SearchError(`The search engine at ${place} answered with more than 2 MB.`);
  }
  return Buffer.concat(pieces).toString();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
