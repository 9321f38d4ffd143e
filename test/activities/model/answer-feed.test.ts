import { expect, test } from '@jest/globals';
import { createAnswerFeed } from '../../../activities/model/answer-feed.ts';
import { answerChannel, type WatchMessage, watchChannel } from '../../../db/bus/answer-messages.ts';
import type { EventBus } from '../../../db/bus/event-bus.ts';
import { createMemoryEventBus } from '../../../db/bus/memory-event-bus.ts';

/** A bus whose payloads to one owner wait until they are let through. */
function slowBus(owner: string) {
  const bus = createMemoryEventBus();
  const sent: string[] = [];
  let letThrough = () => {};
  const slow: EventBus = {
    ...bus,
    async publish(channel, payload) {
      if (channel === answerChannel(owner)) {
        sent.push(payload);
        await new Promise<void>((resolve) => {
          letThrough = resolve;
        });
      }
      await bus.publish(channel, payload);
    },
  };
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
  const next = async () => {
    letThrough();
    await settled();
  };
  return { slow, bus, sent, next };
}

test('what is stored while watchers are being told is told once more, however much it is', async () => {
  const { slow, bus, sent, next } = slowBus('run-1');
  const feed = createAnswerFeed(slow, () => {});
  feed.tellStored('run-1');
  await next();
  expect(sent).toEqual([]); // nobody watches
  const watching: WatchMessage = { owner: 'run-1', wants: 'news' };
  await bus.publish(watchChannel, JSON.stringify(watching));
  for (let count = 0; count < 100; count += 1) feed.tellStored('run-1');
  expect(sent).toEqual(['{"stored":true}']);
  await next();
  expect(sent).toHaveLength(2);
  await next();
  await next();
  expect(sent).toHaveLength(2);
  feed.tellStored('run-1');
  expect(sent).toHaveLength(3);
});
