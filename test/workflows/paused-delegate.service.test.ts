import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Context } from '@temporalio/activity';
import type { AnswerSummary } from '../../activities/model/answer-summary.ts';
import type { chatWorkflow } from '../../workflows/chat/chat-workflow.ts';
import { pauseSignal, resumeSignal } from '../../workflows/project/requests/messages.ts';
import { waitFor } from '../support/wait-for.ts';
import { startWorkflows, taskQueue, type Workflows } from '../support/work/start-workflows.ts';

let workflows: Workflows;
beforeAll(async () => {
  workflows = await startWorkflows();
});
afterAll(() => workflows?.stop());

const call = { position: 0, name: 'delegate_code_task', readOnly: false, summary: 'delegate_code_task' };
const answer = (calls: AnswerSummary['calls']): AnswerSummary => ({ messageNumber: 2, tokens: 10, calls });

test('a pause that stops a delegate lets it continue after the resume', async () => {
  const chatId = `chat-${randomUUID()}`;
  const limits = { modelCalls: 5, toolCalls: 5, tokens: 1_000 };
  const turns = [{ id: 'm1', number: 1, runId: `${chatId}-r1`, turn: 1, limits }];
  const endings: Array<[string, string]> = [];
  let delegateAsked = 0;
  let stopped = false;
  const activities = {
    beginExchange: async () => ({ turn: turns.shift() ?? null, idleMinutes: 0.01 }),
    startDelegate: async () => limits,
    async callModel({ role, turn }: { role: string; turn: number }): Promise<AnswerSummary> {
      if (role === 'chat') return answer(turn === 1 ? [call] : []);
      delegateAsked += 1;
      if (delegateAsked > 1) return answer([]);
      const { cancelled, heartbeat } = Context.current();
      const beat = setInterval(() => heartbeat(), 100);
      return cancelled.finally(() => {
        stopped = true;
        clearInterval(beat);
      });
    },
    runTool: async () => ({ failed: false, preview: 'Done.', callHash: 'call', resultHash: 'result' }),
    endDelegate: async ({ status }: { status: string }) => void endings.push(['delegate', status]),
    releaseChatSandbox: async () => {},
    endExchange: async ({ status }: { status: string }) => void endings.push(['chat', status]),
  };
  await workflows.withActivities(activities as never, async () => {
    const handle = await workflows.client.workflow.start<typeof chatWorkflow>('chatWorkflow', {
      ...{ workflowId: chatId, taskQueue, args: [{ chatId }] },
    });
    await waitFor('the delegate to be at work', () => delegateAsked === 1);
    await handle.signal(pauseSignal, { now: true });
    await waitFor('its model call to be stopped', () => stopped);
    await handle.signal(resumeSignal);
    await handle.result();
  });
  expect(endings).toEqual([
    ['delegate', 'ANSWERED'],
    ['chat', 'ANSWERED'],
  ]);
});
