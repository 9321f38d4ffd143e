import { expect, test } from '@jest/globals';
import { createFreshAnswers } from '../../../activities/model/fresh-answers.ts';
import type { Message } from '../../../domain/run/message.ts';
import { inActivity } from '../../support/in-activity.ts';

function answerOf(calls: number, number = 2): Message {
  const toolCalls = Array.from({ length: calls }, (_, index) => ({
    id: `call-${index}`,
    name: 'log_progress',
    arguments: '{}',
  }));
  return { number, turn: 1, role: 'assistant', content: { text: '', toolCalls } };
}

/** The fresh answers of a worker, asked from an activity of that execution of the workflow. */
function workerWith(...answers: Message[]) {
  const fresh = createFreshAnswers();
  const infoOf = (execution: string, attempt: number) => ({
    info: { attempt, workflowExecution: { workflowId: 'work', runId: execution } },
  });
  const add = (answer: Message) => inActivity(async () => fresh.add('run', answer), infoOf('first', 1));
  const take = (position: number, { execution = 'first', attempt = 1, number = 2, run = 'run' } = {}) =>
    inActivity(async () => fresh.take(run, number, position), infoOf(execution, attempt));
  return Promise.all(answers.map(add)).then(() => take);
}

test('each call would be looked for in Postgres, although its answer has only just been stored', async () => {
  const answer = answerOf(2);
  const take = await workerWith(answer);
  expect(await take(1)).toBe(answer);
  expect(await take(0)).toBe(answer);
});

test('a call that is asked for again would be done again', async () => {
  const take = await workerWith(answerOf(2));
  await take(0);
  expect(await take(0)).toBeUndefined();
  expect(await take(1, { attempt: 2 })).toBeUndefined(); // another worker may have done it
});

test('after a reset of the workflow a call that was done would be done again', async () => {
  const take = await workerWith(answerOf(1));
  expect(await take(0, { execution: 'after the reset' })).toBeUndefined();
});

test('the answer of another run or turn would be taken', async () => {
  const take = await workerWith(answerOf(1), answerOf(0, 4));
  expect(await take(0, { run: 'other' })).toBeUndefined();
  expect(await take(0, { number: 3 })).toBeUndefined();
  expect(await take(0, { number: 4 })).toBeUndefined();
});

test('a worker would keep every answer that it ever stored', async () => {
  const answers = Array.from({ length: 40 }, (_, index) => answerOf(1, index));
  const take = await workerWith(...answers);
  expect(await take(0, { number: 0 })).toBeUndefined();
  expect(await take(0, { number: 39 })).toBe(answers[39]);
});
