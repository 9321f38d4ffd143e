import assert from 'node:assert';
import { test } from 'node:test';
import { travel_time } from './tool.mjs';

test('a short way has no pause', () => {
  assert.equal(travel_time({ kilometres: 100, speed: 100 }).minutes, 60);
});

test('a long way has a pause for each two hours but the last', () => {
  assert.deepEqual(travel_time({ kilometres: 500, speed: 100 }), { minutes: 330, text: '5 h 30 min' });
});
