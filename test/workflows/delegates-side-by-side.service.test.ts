import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AnswerSummary } from '../../activities/model/answer-summary.ts';
import { type ToolName, toolDeclarations } from '../../agents/tools/tool-declarations.ts';
import type { chatWorkflow } from '../../workflows/chat/chat-workflow.ts';
import { startWorkflows, taskQueue, type Workflows } from '../support/work/start-workflows.ts';

let workflows: Workflows;
beforeAll(async () => {
  workflows = await startWorkflows();
});
afterAll(() => workflows?.stop());

/** How many delegates were at work at once, and in all, when an answer called these tools. */
async function atOnce(names: ToolName[]): Promise<{ most: number; all: number }> {
  const chatId = `chat-${randomUUID()}`;
  const limits = { modelCalls: 5, toolCalls: 9, tokens: 1_000 };
  const turns = [{ id: 'm1', number: 1, runId: `${chatId}-r1`, turn: 1, limits }];
  const calls = names.map((name, position) => ({
    ...{ position, name, summary: name },
    readOnly: toolDeclarations[name].readOnly,
  }));
  let working = 0;
  let most = 0;
  let all = 0;
  const activities = {
    beginExchange: async () => ({ turn: turns.shift() ?? null, idleMinutes: 0.01 }),
    startDelegate: async () => limits,
    async callModel({ role, turn }: { role: string; turn: number }): Promise<AnswerSummary> {
      if (role === 'chat') return { messageNumber: 2, tokens: 10, calls: turn === 1 ? calls : [] };
      working += 1;
      all += 1;
      most = Math.max(most, working);
      await sleep(1_000);
      working -= 1;
      return { messageNumber: 2, tokens: 10, calls: [] };
    },
    runTool: async () => ({ failed: false, preview: 'Done.', callHash: 'call', resultHash: 'result' }),
    endDelegate: async () => {},
    releaseChatSandbox: async () => {},
    endExchange: async () => {},
  };
  await workflows.withActivities(activities as never, () =>
    workflows.client.workflow.execute<typeof chatWorkflow>('chatWorkflow', {
      ...{ workflowId: chatId, taskQueue, args: [{ chatId }] },
    }),
  );
  return { most, all };
}

test('two researchers of one answer work at the same time, since each may use half of its tokens', async () => {
  const research = 'delegate_research_task';
  expect(await atOnce([research, research, research])).toEqual({ most: 2, all: 3 });
});

test('delegates that work on the same files wait for each other', async () => {
  expect(await atOnce(['delegate_code_task', 'delegate_testing_task'])).toEqual({ most: 1, all: 2 });
});
