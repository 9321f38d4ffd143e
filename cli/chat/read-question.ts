import { fstatSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { ClientError } from '../../client/errors.ts';
import { asText } from '../program/as-text.ts';
import type { CommandContext } from '../program/command-context.ts';

/** Milliseconds to wait for a pipe's first words: an open pipe without input looks like a running command. */
const defaultTimeoutMs = 5_000;

const onInput = 'on standard input';

/**
 * The one question to answer: `-m` followed by the text of a pipe or file on standard input, or without `-m` that text alone; undefined
 * on a terminal without `-m`.
 * @throws {ClientError} `InvalidInput` if it is blank, or the input is no text.
 */
export async function readQuestion(
  context: Pick<CommandContext, 'stdin' | 'note'>,
  { message, command }: { message: string | undefined; command: string },
  timeoutMs = defaultTimeoutMs,
): Promise<string | undefined> {
  if (message === undefined && context.stdin.isTTY) return undefined;
  const question = message ?? asText(await buffer(context.stdin), onInput);
  if (!question.trim()) {
    throw new ClientError(
      'InvalidInput',
      `Expected a question with -m or from a pipe, got no text. In a terminal, \`longhaul ${command}\` without -m starts a conversation.`,
    );
  }
  if (message === undefined || !isPipeOrFile(context.stdin)) return question.trimEnd();
  const below = await readBelow(context.stdin, timeoutMs);
  if (below === undefined) {
    context.note(
      `The pipe sent nothing for ${timeoutMs / 1_000} s, so the question is asked without it. For a slow command, use { echo "<question>"; <command>; } | longhaul ${command}. To send nothing, use < /dev/null.`,
    );
  }
  return [question, below ? asText(below, onInput) : '']
    .map((part) => part.trimEnd())
    .filter(Boolean)
    .join('\n\n');
}

/** Other kinds of input, such as a socket or a device, are taken as inherited rather than meant for the question. */
function isPipeOrFile({ fd }: NodeJS.ReadStream & { fd?: number }): boolean {
  if (fd === undefined) return false;
  try {
    const kind = fstatSync(fd);
    return kind.isFIFO() || kind.isFile();
  } catch {
    return false; // it is closed
  }
}

/** The whole input once it has begun; undefined if it does not begin in time. */
function readBelow(stdin: NodeJS.ReadStream, timeoutMs: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const read: Buffer[] = [];
    const timer = setTimeout(() => {
      stdin.destroy();
      resolve(undefined);
    }, timeoutMs);
    stdin.on('data', (piece: Buffer) => {
      clearTimeout(timer);
      read.push(piece);
    });
    stdin.once('end', () => resolve(Buffer.concat(read)));
    stdin.once('error', reject);
    stdin.once('close', () => clearTimeout(timer));
  });
}
