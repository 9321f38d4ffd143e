import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Memory, MemoryFilter, NewMemory, Reader } from '../../db/memory/memory.ts';
import { InvalidInputError } from '../errors.ts';
import { type Memories, openMemories } from '../memory/open-memories.ts';
import type { CommandContext } from './command-context.ts';
import { exitCodes } from './exit-code.ts';
import { listStyle } from './list-style.ts';
import { renderMemories, renderMemory, renderMemoryStats, renderReindexing } from './text/render-memories.ts';

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
  const memories = await openMemories(await context.configuration(), (text) => context.note(text));
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

/** A project's lineage is in Postgres, so that the stack has to run. */
async function readerOf(context: CommandContext, project: string): Promise<Reader> {
  return context.withLonghaul((longhaul) => longhaul.memoryReader(project));
}

export async function listMemories(context: CommandContext, options: MemoryFilterOptions): Promise<void> {
  const filter = await toFilter(context, options);
  const found = await withMemories(context, (memories) => memories.list(filter, { limit: options.limit }));
  if (options.json) return context.printJson(found);
  context.print(renderMemories(found, await listStyle(context)).join('\n') || 'There is no such memory.');
}

export async function searchMemories(
  context: CommandContext,
  query: string,
  options: MemoryFilterOptions & { diverse?: boolean; tokens?: number },
): Promise<void> {
  const filter = await toFilter(context, options);
  const { limit, tokens, diverse: diversity } = options;
  const found = await withMemories(context, (memories) =>
    memories.search({ ...filter, query, limit, tokens, diversity }),
  );
  if (options.json) return context.printJson(found);
  context.print(renderMemories(found, await listStyle(context)).join('\n') || 'Nothing that fits is remembered.');
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
  const reader = project === undefined ? {} : await readerOf(context, project);
  const memory: NewMemory = {
    id: `memory-${randomUUID()}`,
    text,
    kind,
    scope: reader.project ? 'project' : 'global',
    projectId: reader.project?.id,
    tags: tag,
    importance,
    expiresAt: expires,
  };
  const { id, outcome, superseded } = await withMemories(context, (memories) => memories.learn(memory, reader));
  if (outcome === 'known') return context.print(`${id} says so already.`);
  context.print(superseded.length ? `${id}, in the place of ${superseded.join(', ')}` : id);
}

export async function editMemory(
  context: CommandContext,
  id: string,
  { text, kind, tag, importance, expires }: EditOptions & { text?: string },
): Promise<void> {
  await withMemories(context, async (memories) => {
    const { supersededBy, ...memory } = await expectMemory(memories, id);
    await memories.remember([
      {
        ...memory,
        text: text ?? memory.text,
        kind: kind ?? memory.kind,
        tags: tag ?? memory.tags,
        importance: importance ?? memory.importance,
        expiresAt: expires ?? memory.expiresAt,
      },
    ]);
    if (supersededBy !== undefined) await memories.supersede([id], supersededBy);
  });
  context.print(`Changed ${id}.`);
}

export async function forgetMemories(context: CommandContext, ids: string[]): Promise<void> {
  const count = await withMemories(context, (memories) => memories.forget(ids));
  if (count < ids.length) context.setExitCode(exitCodes.failed);
  context.print(`Forgot ${count} of ${ids.length}.`);
}

export async function exportMemories(context: CommandContext, file: string | undefined): Promise<void> {
  await withMemories(context, async (memories) => {
    const target = file === undefined ? undefined : await open(file, 'w', 0o600);
    let count = 0;
    for await (const { model: _, ...memory } of memories.export({ scope: 'everything', history: true })) {
      const line = JSON.stringify(memory);
      if (target) await target.write(`${line}\n`);
      else context.print(line);
      count += 1;
    }
    await target?.close();
    if (file !== undefined) context.print(`Wrote ${count} memories to ${file}.`);
  });
}

export async function importMemories(context: CommandContext, file: string): Promise<void> {
  const count = await withMemories(context, (memories) => memories.import(readLines(file)));
  context.print(`Wrote ${count} memories.`);
}

async function* readLines(file: string): AsyncGenerator<unknown> {
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    if (line.trim() === '') continue;
    try {
      yield JSON.parse(line);
    } catch (error) {
      throw new InvalidInputError(`Expected JSON in line ${number} of ${file}: ${(error as Error).message}`);
    }
  }
}

export async function showMemoryStats(context: CommandContext, { json }: { json?: boolean }): Promise<void> {
  const stats = await withMemories(context, (memories) => memories.stats());
  if (json) return context.printJson(stats);
  context.print(renderMemoryStats(stats));
}

export async function reindexMemories(context: CommandContext, options: ReindexOptions): Promise<void> {
  if (options.here) return reindexHere(context);
  const status = await context.withLonghaul(({ reindexing }) =>
    options.status ? reindexing.status() : reindexing.start(),
  );
  if (options.json) return context.printJson(status);
  context.print(renderReindexing(status));
}

async function reindexHere(context: CommandContext): Promise<void> {
  const signal = context.interruptSignal();
  const onProgress = (done: number, of: number) => context.note(`${done} of ${of}`);
  const count = await withMemories(context, (memories) => memories.reindex({ onProgress, signal }));
  context.print(count ? `Embedded ${count} memories.` : 'Every memory has a vector of the present model.');
}

async function expectMemory(memories: Memories, id: string): Promise<Memory> {
  const [memory] = await memories.get([id]);
  if (memory) return memory;
  throw new InvalidInputError(`Expected the id of a memory, got "${id}". \`longhaul memory list\` shows them.`);
}
