import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { AgentContext } from '../../../../agents/runtime/agent-context.ts';
import { type Agent, defineAgent } from '../../../../agents/runtime/definition/define-agent.ts';
import { steps } from '../../../../agents/runtime/steps/run-steps.ts';
import { step } from '../../../../agents/runtime/steps/step.ts';
import { holdSecrets } from '../../../../domain/secrets/scrub.ts';
import { recordRun } from '../../../../testing/agents/replay/record-run.ts';
import { expectUnchanged, replayRuns } from '../../../../testing/agents/replay/replay-runs.ts';
import { runAgentTest } from '../../../../testing/agents/run-agent-test.ts';
import { cashier, clerk, effects, stock } from '../shop.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longhaul-records-'));
  effects.splice(0);
});
afterEach(() => rm(folder, { recursive: true }));

const coded = (run: (context: AgentContext) => Promise<{ finalOutput: unknown }>, key = 'cashier') =>
  defineAgent({ key, tools: cashier.tools, run });

async function record(agent: Agent<never> | Agent, model: Parameters<typeof runAgentTest>[2]): Promise<void> {
  const run = await runAgentTest(agent as Agent, 'A pen', { runId: `${agent.key}-1`, ...model });
  await recordRun(run, folder);
  effects.splice(0);
}

const sold = { model: [{ calls: [{ tool: 'charge', arguments: { cents: 3 } }] }, { text: 'Sold.' }] };
const priced = { model: [{ json: { cents: 120 } }] };

test('runs of agents that are as they were go as they went, without an effect', async () => {
  await record(cashier, priced);
  await record(clerk, sold);
  const replay = await replayRuns(folder, [cashier, clerk]);
  expect(replay).toEqual({ runs: 2, changes: [] });
  expectUnchanged(replay);
  expect(effects).toEqual([]);
});

test('a declared agent that is told otherwise, or lost a tool, is found at its turn', async () => {
  await record(clerk, sold);
  const changesOf = async (agent: Agent) => (await replayRuns(folder, agent)).changes;
  const [politely] = await changesOf({ ...clerk, instructions: 'You sell, politely.' });
  expect(politely).toMatchObject({ run: 'clerk-1', turn: 1 });
  expect(politely?.what).toMatch(/^The model is told otherwise\. message\[0\]: expected "system: You sell\./);
  const without = await changesOf({ ...clerk, tools: [stock] });
  expect(without).toMatchObject([{ turn: 2, what: expect.stringContaining('There is no tool \\"charge\\"') }]);
  const limited = await changesOf({ ...clerk, limits: { modelCalls: 1 } });
  expect(limited.map(({ turn, what }) => `${turn} ${what}`)).toEqual([
    '1 The model is asked 1 times, and was asked 2 times.',
    '1 It ends otherwise. status: expected "SUCCEEDED", got "FAILED"',
  ]);
});

test('a coded agent that asks, calls or returns something else is found at its turn', async () => {
  await record(
    coded(async (context) => {
      const { text } = await context.generate('How much?');
      await context.callTool('charge', { cents: Number(text) });
      return { finalOutput: (await context.generate('Thanks')).text };
    }),
    { model: [{ text: '5' }, { text: 'Bye.' }] },
  );
  const changed = coded(async (context) => {
    const { text } = await context.generate('What does it cost?');
    await context.callTool('charge', { cents: Number(text) + 1 });
    return { finalOutput: `${text} ${(await context.generate('Thanks')).text}` };
  });
  const replay = await replayRuns(folder, changed);
  expect(() => expectUnchanged(replay)).toThrow(
    [
      'Expected 1 recorded runs to go as they went, but:',
      'cashier-1, turn 1: The model is asked something else: What does it cost?',
      'cashier-1, turn 1: The tool "charge" is called with something else: {"cents":6}',
      'cashier-1, turn 2: It ends otherwise. output: expected "Bye.", got "5 Bye."',
    ].join('\n  '),
  );
  const more = await replayRuns(
    folder,
    coded(async (context) => {
      for (const question of ['How much?', 'Thanks', 'And now?']) await context.generate(question);
      return { finalOutput: '' };
    }),
  );
  expect(more.changes).toEqual([{ run: 'cashier-1', turn: 3, what: 'The model is asked once more, with: And now?' }]);
  const less = await replayRuns(
    folder,
    coded(async () => ({ finalOutput: 'Bye.' })),
  );
  expect(less.changes.map(({ what }) => what)).toEqual([
    'The model is asked less often.',
    'The tool "charge" is called less often.',
    'The model is asked less often.',
  ]);
});

test('steps and work of `once` that were recorded are not done again, and new ones are not done', async () => {
  const did: string[] = [];
  const walker = (...names: string[]) =>
    coded(async (context) => {
      await context.once('mail', async () => did.push('mail'));
      const { results } = await steps(context).run(
        names.map((name) =>
          step(name, async () => {
            did.push(name);
            return (await context.generate(`Do ${name}`)).text;
          }),
        ),
      );
      return { finalOutput: results };
    });
  await record(walker('one', 'two'), { model: [{ text: 'a' }, { text: 'b' }] });
  expect(did.splice(0)).toEqual(['mail', 'one', 'two']);
  expect((await replayRuns(folder, walker('one', 'two'))).changes).toEqual([]);
  expect((await replayRuns(folder, walker('one', 'three'))).changes).toEqual([
    { run: 'cashier-1', turn: 0, what: 'The step "three" runs, and the record has no result of it.' },
  ]);
  expect(did).toEqual([]);
  const running = await replayRuns(folder, walker('one', 'two'), { steps: 'run' });
  expect(running.changes).toEqual([]);
  expect(did).toEqual(['one', 'two']);
  const mailing = coded(async (context) => ({
    finalOutput: await context.once('other', async () => did.push('other')),
  }));
  expect((await replayRuns(folder, mailing)).changes).toEqual([
    { run: 'cashier-1', turn: 0, what: 'The work "other" of `once` is done, and the record has no result of it.' },
  ]);
  expect(did).toEqual(['one', 'two']);
});

test('a record has no secrets', async () => {
  holdSecrets(['sk-shop-11223344']);
  await record(clerk, { model: [{ text: 'The key is sk-shop-11223344.' }] });
  const text = await readFile(join(folder, 'clerk-1.json'), 'utf8');
  expect(text).toContain('The key is');
  expect(text).not.toContain('11223344');
});

test('what is no record is named', async () => {
  await expect(replayRuns(folder, clerk)).rejects.toMatchObject({ code: 'RecordUnusable' });
  await record(clerk, sold);
  await expect(replayRuns(folder, cashier as Agent)).rejects.toThrow(
    'Expected the agent "clerk" of the recorded run clerk-1, got only: cashier.',
  );
  await writeFile(join(folder, 'a.json'), '{"format": 2}');
  await expect(replayRuns(folder, clerk)).rejects.toThrow(
    `Expected a recorded run in ${join(folder, 'a.json')}:\n  format`,
  );
  await writeFile(join(folder, 'a.json'), '{');
  await expect(replayRuns(folder, clerk)).rejects.toThrow('got text that is no JSON');
});
