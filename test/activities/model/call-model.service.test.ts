import { describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { setBudget } from '../../../db/budget/set-budget.ts';
import type { Database } from '../../../db/connection/database.ts';
import { readEvents } from '../../../db/events/read-events.ts';
import { projects } from '../../../db/schema/projects.ts';
import { runs } from '../../../db/schema/runs.ts';
import { usage } from '../../../db/schema/usage.ts';
import { ModelError } from '../../../domain/model/model-error.ts';
import type { ModelProvider } from '../../../domain/model/model-provider.ts';
import { defaultProjectSettings, type ProjectSettings } from '../../../domain/project/settings.ts';
import { createModels } from '../../../models/create-models.ts';
import { seedProject } from '../../client/seed-project.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';
import { beginRunOfTurns } from '../../support/work/run-of-turns.ts';

const { database } = await databaseOfFile();

describe('which model is asked', () => {
  let count = 0;

  /** A run that began with `old/x`, of a project of these settings; `gone` are the providers that have no model any more. */
  async function runOf(options: {
    settings?: Partial<ProjectSettings>;
    namesNow?: string;
    gone: string[];
    contextWindows?: Record<string, { value: number }>;
  }) {
    count += 1;
    const { settings, namesNow, gone, contextWindows } = options;
    const projectId = `project-names-${count}`;
    await seedProject(database, projectId);
    await database
      .update(projects)
      .set({ settings: { ...defaultProjectSettings, ...settings } })
      .where(eq(projects.id, projectId));
    const asked: string[] = [];
    const provider = (name: string): ModelProvider => ({
      name,
      async complete({ model }) {
        asked.push(`${name}/${model}`);
        if (gone.includes(name)) throw new ModelError('No such model.', { code: 'ModelNotFound' });
        return { text: 'Well.', toolCalls: [], finish: 'done', usage: null, firstTokenMs: 1, requestId: null };
      },
    });
    const models = createModels({
      providers: {},
      own: ['old', 'new', 'other'].map(provider),
      ...(contextWindows && { contextWindows }),
    });
    const names = 'old/x';
    const run = await beginRunOfTurns({ database, models, projectId, runId: `${projectId}-work`, names, namesNow });
    return { ...run, asked };
  }

  test('a run whose model is gone uses the one named at a resume', async () => {
    const { callModel, compactRun, asked } = await runOf({ namesNow: 'new/y', gone: ['old'] });
    await callModel(1);
    expect(asked).toEqual(['old/x', 'new/y']);
    asked.length = 0;
    await compactRun(2, 2);
    expect(asked).toEqual(['new/y']); // which the summarizer has too
  });

  test("a project's own models are used, and a run keeps its model", async () => {
    const named = await runOf({ settings: { model: 'new/y' }, namesNow: 'other/z', gone: ['old', 'new'] });
    await expect(named.callModel(1)).rejects.toMatchObject({ type: 'ModelNotFound', nonRetryable: true });
    expect(named.asked).toEqual(['old/x', 'new/y']);
    const sound = await runOf({ namesNow: 'new/y', gone: [] });
    await sound.callModel(1);
    expect(sound.asked).toEqual(['old/x']);
    // Nor is its conversation shortened for a model that it does not need.
    const small = await runOf({
      namesNow: 'new/y',
      gone: [],
      contextWindows: { 'old/x': { value: 100_000 }, 'new/y': { value: 10 } },
    });
    expect(await small.callModel(1)).not.toHaveProperty('compact');
    expect(small.asked).toEqual(['old/x']);
  });
});

describe('which budgets are warned of', () => {
  let count = 0;

  /** A project in which so many runs work, the first of which delegated to the others. Each call of their model takes 10,000 tokens, which is believed. */
  async function runsOf(many: number, on = database) {
    count += 1;
    const projectId = `project-warned-${count}`;
    await seedProject(database, projectId);
    let expected = 0;
    let arrived: Array<() => void> = [];
    const models = createModels({
      providers: {},
      own: [
        {
          name: 'openai',
          async complete() {
            await new Promise<void>((resolve) => {
              arrived.push(resolve);
              if (arrived.length < expected) return;
              for (const answer of arrived) answer();
              arrived = [];
            });
            const counted = {
              inputTokens: 6_000,
              cachedTokens: 0,
              cacheWriteTokens: 0,
              outputTokens: 4_000,
              reasoningTokens: 0,
            };
            const toolCalls = [{ id: 'call', name: 'read_output', arguments: '{"message": 1}' }];
            return { text: '', toolCalls, finish: 'done', usage: counted, firstTokenMs: 1, requestId: null };
          },
        },
      ],
    });
    const names = Array.from({ length: many }, (_, index) => `${projectId}-run-${index}`);
    const begun: Array<Awaited<ReturnType<typeof beginRunOfTurns>>> = [];
    for (const runId of names) begun.push(await beginRunOfTurns({ database: on, models, projectId, runId }));
    for (const runId of names.slice(1))
      await database
        .update(runs)
        .set({ parentId: names[0] ?? null, rootId: names[0] ?? null })
        .where(eq(runs.id, runId));
    return {
      projectId,
      spend: (tokens: number) =>
        database.insert(usage).values({ runId: names[0], turn: 0, model: 'm', inputTokens: tokens, outputTokens: 0 }),
      /** Asks for these runs, none of which is answered before all have asked. */
      ask: (turn: number, ...indexes: number[]) => {
        expected = indexes.length;
        return Promise.all(indexes.map((index) => begun[index]?.callModel(turn)));
      },
      warnings: async () =>
        (await readEvents(database, projectId)).flatMap(({ data }) =>
          data.type === 'budget.warned' ? [data.text] : [],
        ),
    };
  }

  test.each(['project', 'run'] as const)('parallel calls warn of a %s once', async (scope) => {
    const { projectId, spend, ask, warnings } = await runsOf(4);
    await setBudget(database, { projectId, scope, limits: { tokens: 100_000, turns: 100 } });
    await spend(75_000);
    const answers = await ask(1, 0, 1, 2, 3);
    expect(await warnings()).toEqual([expect.stringContaining(`of the ${scope}'s budget of 100,000 tokens are used`)]);
    for (const answer of answers) expect(answer?.remark).toContain('85,000 tokens of the'); // as far as it can know
  });

  test('what parallel calls use together is warned of', async () => {
    const { projectId, spend, ask, warnings } = await runsOf(2);
    await setBudget(database, { projectId, limits: { tokens: 100_000 } });
    await spend(65_000);
    await ask(1, 0, 1);
    const told = ["85,000 tokens of the project's budget of 100,000 tokens are used"];
    const [answer] = await ask(2, 0);
    expect(await warnings()).toEqual(told);
    expect(answer).toMatchObject({ remark: `[${told[0]}.]` });
    const [later] = await ask(2, 1);
    expect(later).not.toHaveProperty('remark');
    expect(await warnings()).toEqual(told);
  });

  test('a limit that parallel calls spend together is warned of', async () => {
    const { projectId, spend, ask, warnings } = await runsOf(4);
    await setBudget(database, { projectId, limits: { tokens: 100_000 } });
    await spend(65_000);
    await ask(1, 0, 1, 2, 3);
    expect((await ask(2, 0))[0]).toMatchObject({ overBudget: { reason: expect.stringContaining('is spent') } });
    expect(await warnings()).toEqual(["105,000 tokens of the project's budget of 100,000 tokens are used"]);
  });

  test('a raised limit is warned of once more', async () => {
    const { projectId, spend, ask, warnings } = await runsOf(1);
    const set = (tokens: number) => setBudget(database, { projectId, limits: { tokens: tokens * 1_000 } });
    const told = (tokens: number, limit: number) =>
      `${tokens},000 tokens of the project's budget of ${limit},000 tokens are used`;
    await set(100);
    await spend(75_000);
    await ask(1, 0);
    await set(125);
    await ask(2, 0);
    await ask(3, 0);
    expect(await warnings()).toEqual([told(85, 100), told(105, 125)]);
    await set(110); // warned of as it is set
    await ask(4, 0);
    await set(125);
    await ask(5, 0);
    expect((await warnings()).slice(2)).toEqual([told(105, 110), told(115, 125)]);
  });

  test('a warning is given once although its acknowledgement is lost', async () => {
    let lost = 0;
    const away = new Proxy(database, {
      get(target, name, receiver) {
        if (name !== 'transaction') return Reflect.get(target, name, receiver);
        return async (...given: Parameters<Database['transaction']>) => {
          const result = await target.transaction(...given);
          lost += 1;
          if (lost === 1) throw Object.assign(new Error('It closed.'), { code: 'CONNECTION_CLOSED' });
          return result;
        };
      },
    });
    const { projectId, ask, warnings } = await runsOf(1, away);
    await setBudget(database, { projectId, limits: { tokens: 12 } });
    await ask(1, 0);
    expect(lost).toBe(1);
    await ask(2, 0);
    expect(await warnings()).toHaveLength(1);
  });
});
