import { randomUUID } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { ClientError } from '../../client/errors.ts';
import { formatCost } from '../../client/format/cost.ts';
import { countOf, formatCount } from '../../client/format/count.ts';
import { type Memories, openMemories } from '../../client/memory/open-memories.ts';
import type { MemoryFilter, NewMemory, Reader } from '../../db/memory/memory.ts';
import { findSecret } from '../../domain/secrets/find-secrets.ts';
import type { CommandContext } from '../program/command-context.ts';
import { exitCodes } from '../program/exit-code.ts';
import { alignColumns } from '../render/columns.ts';
import { printableJson } from '../render/printable.ts';
import { renderMemories, renderMemory, renderMemoryStats, renderReindexing } from '../render/render-memories.ts';
import { listStyle } from '../render/style.ts';
import { expectMemory, unknownMemory } from './find-memory.ts';

export interface MemoryFilterOptions {
  project?: string;
  kind?: string[];
  tag?: string[];
  after?: Date;
  before?: Date;
  history?: boolean;
  limit: number;
  json?: boolean;
}

export interface ReindexOptions {
  status?: boolean;
  here?: boolean;
  json?: boolean;
}

export interface EditOptions {
  kind?: string;
  tag?: string[];
  importance?: number;
  expires?: Date;
}

async function withMemories<Result>(
  context: CommandContext,
  work: (memories: Memories) => Promise<Result>,
): Promise<Result> {
  const memories = await openMemories(await context.configurationWithFile(), (text) => context.note(text));
  try {
    return await work(memories);
  } finally {
    await memories.close();
  }
}

async function toFilter(context: CommandContext, options: MemoryFilterOptions): Promise<MemoryFilter> {
  const { project, kind, tag, after, before, history } = options;
  const scope = project === undefined ? 'everything' : await readerOf(context, project);
  return { scope, kinds: kind, tags: tag, after, before, history };
}

/** A project's lineage is in Postgres, so this needs a running stack. */
async function readerOf(context: CommandContext, project: string): Promise<Reader> {
  return context.withLonghaul((longhaul) => longhaul.memoryReader(project));
}

export async function listMemories(context: CommandContext, options: MemoryFilterOptions): Promise<void> {
  const filter = await toFilter(context, options);
  const found = await withMemories(context, (memories) => memories.list(filter, { limit: options.limit }));
  if (options.json) return context.printJson(found);
  context.print(renderMemories(found, listStyle(context)).join('\n') || 'No memory matches.');
}

export async function searchMemories(
  context: CommandContext,
  query: string,
  options: MemoryFilterOptions & { diverse?: boolean; tokens?: number },
): Promise<void> {
  if (!query.trim()) throw new ClientError('InvalidInput', 'Expected words to search for, got an empty text.');
  const filter = await toFilter(context, options);
  const { limit, tokens, diverse: diversity } = options;
  const found = await withMemories(context, (memories) =>
    memories.search({ ...filter, query, limit, tokens, diversity }),
  );
  if (options.json) return context.printJson(found);
  context.print(renderMemories(found, listStyle(context)).join('\n') || 'No memory matches.');
}

export async function showMemory(context: CommandContext, id: string, { json }: { json?: boolean }): Promise<void> {
  const found = await withMemories(context, (memories) => expectMemory(memories, id));
  if (json) return context.printJson(found);
  context.print(renderMemory(found));
}

export async function addMemoryByHand(
  context: CommandContext,
  text: string,
  { kind = 'fact', tag, importance, expires, project }: EditOptions & { project?: string },
): Promise<void> {
  const secret = findSecret([text, ...(tag ?? [])].join('\n'));
  if (secret !== undefined) {
    throw new ClientError(
      'InvalidInput',
      `Expected a text without secrets, got one that seems to contain ${secret}. Nothing was written. Name the place where the secret is stored instead.`,
    );
  }
  const reader = project === undefined ? {} : await readerOf(context, project);
  const memory: NewMemory = {
    id: `memory-${randomUUID()}`,
    text,
    kind,
    scope: reader.project ? 'project' : 'global',
    projectId: reader.project?.id,
    origin: 'person',
    tags: tag,
    importance,
    expiresAt: expires,
  };
  const { id, outcome, superseded } = await withMemories(context, (memories) => memories.learn(memory, reader));
  if (outcome === 'known') return context.print(`${id} already says so.`);
  context.print(superseded.length ? `${id}, replacing ${superseded.join(', ')}` : id);
}

export async function editMemory(
  context: CommandContext,
  id: string,
  options: EditOptions & { text?: string },
): Promise<void> {
  if (!Object.keys(options).length) {
    throw new ClientError(
      'InvalidInput',
      `Expected --text, --kind, --tag, --importance or --expires to change "${id}"; got none of them.`,
    );
  }
  const { text, kind, tag, importance, expires } = options;
  const changes = { text, kind, tags: tag, importance, expiresAt: expires };
  if (!(await withMemories(context, (memories) => memories.change(id, changes)))) throw unknownMemory(id);
  context.print(`Changed ${id}.`);
}

/** Lets everyone find a memory of one project or chat: only a person decides that. */
export async function promoteMemory(context: CommandContext, id: string): Promise<void> {
  await withMemories(context, async (memories) => {
    const { scope } = await expectMemory(memories, id);
    if (scope === 'global') return context.print(`Every project and chat finds ${id} already.`);
    if (!(await memories.change(id, { scope: 'global' }))) throw unknownMemory(id);
    context.print(`Every project and chat finds ${id} from now on.`);
  });
}

const whereItIsLeft = 'Maintenance removes their text from the files within two hours.';

export async function forgetMemories(context: CommandContext, ids: string[]): Promise<void> {
  const asked = [...new Set(ids)];
  const { count, missing } = await withMemories(context, async (memories) => {
    const found = new Set((await memories.get(asked)).map(({ id }) => id));
    return { count: await memories.forget(asked), missing: asked.filter((id) => !found.has(id)) };
  });
  if (missing.length) {
    context.setExitCode(exitCodes.failed);
    context.note(
      `There is no memory ${missing.map((id) => `"${id}"`).join(', ')}. \`longhaul memory list\` shows ids.`,
    );
  }
  context.print(`Forgot ${count} of ${asked.length}.${count ? ` ${whereItIsLeft}` : ''}`);
}

export async function exportMemories(context: CommandContext, file: string | undefined): Promise<void> {
  await withMemories(context, async (memories) => {
    const target = file === undefined ? undefined : await open(file, 'w', 0o600);
    let count = 0;
    for await (const { model: _, ...memory } of memories.export({ scope: 'everything', history: true })) {
      const line = printableJson(memory);
      if (target) await target.write(`${line}\n`);
      else context.print(line);
      count += 1;
    }
    await target?.close();
    if (file !== undefined) context.print(`Wrote ${countOf(count, 'memory', 'memories')} to ${file}.`);
  });
}

export async function importMemories(context: CommandContext, given: string): Promise<void> {
  const file = resolve(context.folder, given);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
    throw new ClientError(
      'InvalidInput',
      `Expected a file that \`longhaul memory export\` wrote at ${file}, found none.`,
    );
  }
  const count = await withMemories(context, (memories) => memories.import(readLines(file)));
  context.print(`Wrote ${countOf(count, 'memory', 'memories')}.`);
}

async function* readLines(file: string): AsyncGenerator<unknown> {
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    if (line.trim() === '') continue;
    try {
      yield JSON.parse(line);
    } catch (error) {
      throw new ClientError('InvalidInput', `Expected JSON in line ${number} of ${file}: ${(error as Error).message}`);
    }
  }
}

export async function showMemoryStats(context: CommandContext, { json }: { json?: boolean }): Promise<void> {
  const stats = await withMemories(context, (memories) => memories.stats());
  if (json) return context.printJson(stats);
  context.printMessage(renderMemoryStats(stats));
}

export async function reindexMemories(context: CommandContext, options: ReindexOptions): Promise<void> {
  if (options.here) return reindexHere(context);
  const status = await context.withLonghaul(({ reindexing }) =>
    options.status ? reindexing.status() : reindexing.start(),
  );
  if (options.json) return context.printJson(status);
  context.printMessage(renderReindexing(status));
}

async function reindexHere(context: CommandContext): Promise<void> {
  const signal = context.interruptSignal();
  const onProgress = (done: number, of: number) => context.note(`${done} of ${of}`);
  const count = await withMemories(context, (memories) => memories.reindex({ onProgress, signal }));
  context.print(
    count ? `Embedded ${countOf(count, 'memory', 'memories')}.` : 'Every memory has a vector of the current model.',
  );
}

/** Prints the cost of model calls for the memories, without those of agents. */
export async function showMemoryCost(context: CommandContext, { json }: { json?: boolean }): Promise<void> {
  const sums = await context.withLonghaul((longhaul) => longhaul.memoryCost());
  if (json) return context.printJson(sums);
  if (!sums.length)
    return context.print('The memories have cost nothing: no model was called for them, or only the local one.');
  const rows = sums.map(({ purpose, calls, inputTokens, outputTokens, costUsd: usd, ...unknown }) => [
    purpose,
    countOf(calls, 'call'),
    `${formatCount(inputTokens)} tokens in, ${formatCount(outputTokens)} out`,
    formatCost({ usd, ...unknown }),
  ]);
  context.print(alignColumns(rows).join('\n'));
}
