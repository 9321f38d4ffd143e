import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { APIError } from 'openai';
import { type ScriptedModel, startScriptedModel } from '../../../testing/index.ts';
import { connect, headers, says, tools, type Where } from './connect.ts';

let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel({
    script: {
      entries: [
        { role: 'planner', feature: 'report', turns: [{ text: 'A plan.' }] },
        { role: 'code', feature: 'report', attempt: 1, turns: [{ calls: [{ tool: 'git_diff' }] }] },
        { role: 'code', feature: 'import', turns: [{ text: 'Done.', expect: ['whole cents', 'Go.'] }] },
      ],
    },
  });
});
afterAll(() => model.close());

async function refusal(where: Where, offered = tools('git_diff'), extra: Record<string, string | null> = {}) {
  const error: unknown = await connect(model.url)
    .chat.completions.create(
      { model: 'any', messages: says('Go.'), tools: offered },
      { headers: { ...headers(where), ...extra } },
    )
    .then(
      () => undefined,
      (reason: unknown) => reason,
    );
  if (!(error instanceof APIError)) throw new Error(`Expected a refusal, got ${String(error)}`);
  expect(error.status).toBe(400);
  return { code: error.code, message: error.message };
}

test('a request without an entry is refused with the request and similar entries', async () => {
  const { code, message } = await refusal({ attempt: 2 });
  expect(code).toBe('script_has_no_entry');
  expect(message).toContain('role code, feature report, attempt 2, turn 1');
  expect(message).toContain('code, feature report, attempt 1');
  expect(message).toContain('code, feature import, any attempt');
});

test('an entry that has run out of turns refuses and says what came last', async () => {
  const { code, message } = await refusal({ turn: 2 });
  expect(code).toBe('script_has_no_turn');
  expect(message).toContain('has 1 turns for code, feature report, attempt 1, and was asked for turn 2');
  expect(message).toContain('The last message was: Go.');
});

test('a turn whose expected text is missing in the request is refused with that text', async () => {
  const { code, message } = await refusal({ feature: 'import' });
  expect(code).toBe('script_expectation_failed');
  expect(message).toContain('"whole cents"');
  expect(message).not.toContain('"Go."');
});

test('a scripted call of a tool that the agent does not have is refused', async () => {
  const { code, message } = await refusal({}, tools('read_file'));
  expect(code).toBe('script_tool_not_offered');
  expect(message).toContain('calls git_diff; the request offers read_file');
});

test('a request without the headers is refused with how to switch them on', async () => {
  const { code, message } = await refusal({}, tools('git_diff'), { 'X-Longhaul-Role': null });
  expect(code).toBe('script_address_missing');
  expect(message).toContain('LONGHAUL_MODEL_HEADERS=on');
});

test('a turn that is not a number is refused', async () => {
  const { message } = await refusal({}, tools('git_diff'), { 'X-Longhaul-Turn': '0' });
  expect(message).toContain('Expected X-Longhaul-Turn to be a count from 1, got "0"');
});

test('a body that is not a chat request and an unknown path are refused', async () => {
  const body = await fetch(`${model.url}/chat/completions`, { method: 'POST', headers: headers(), body: '{' });
  expect(body.status).toBe(400);
  expect(await body.json()).toMatchObject({ error: { code: 'invalid_request' } });
  const path = await fetch(`${model.url}/embeddings`, { method: 'POST' });
  expect(path.status).toBe(404);
});

const call = (id: string, name = 'git_diff', text = '{}') => ({
  id,
  type: 'function',
  function: { name, arguments: text },
});
const answered = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'Nothing.' });
const asks = (...calls: object[]) => ({ role: 'assistant', content: '', tool_calls: calls });

test.each([
  [
    'arguments that are not JSON',
    [asks(call('a', 'git_diff', '{"path": "a')), answered('a')],
    /expected a JSON object/,
  ],
  ['arguments that are no object', [asks(call('a', 'git_diff', '["a"]')), answered('a')], /expected a JSON object/],
  ['no arguments', [asks(call('a', 'git_diff', '')), answered('a')], /expected a JSON object/],
  [
    'a name that no tool may have',
    [asks(call('a', 'multi_tool_use.parallel')), answered('a')],
    /function\.name: expected/,
  ],
  ['the same id twice', [asks(call('a'), call('a')), answered('a'), answered('a')], /must be unique/],
  [
    'a call without a result',
    [asks(call('a'), call('b')), answered('a'), { role: 'user', content: 'Go.' }],
    /none for b/,
  ],
  ['a call without a result at the end', [asks(call('a'))], /before the end there is none for a/],
  ['a result without a call', [answered('a')], /must be a response to a preceding message/],
])('a chat completion with %s is refused, as real servers do', async (_, messages, message) => {
  const body = JSON.stringify({ model: 'any', messages: [{ role: 'user', content: 'Go.' }, ...messages] });
  const response = await fetch(`${model.url}/chat/completions`, { method: 'POST', headers: headers(), body });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { message: expect.stringMatching(message) } });
});

const text = (said: string, marks: object = {}) => ({ type: 'text', text: said, ...marks });
const kept = { cache_control: { type: 'ephemeral' } };
const use = { type: 'tool_use', id: 'a', name: 'git_diff', input: {} };
const result = { type: 'tool_result', tool_use_id: 'a', content: 'Nothing.' };
const thought = { type: 'thinking', thinking: 'Well.', signature: 's' };

test.each([
  ['a blank text', [[text(' \n')]], /non-whitespace/],
  ['an id of other characters', [[text('Go.')], [{ ...use, id: 'functions.a:0' }]], /messages\.1\.content\.0\.id/],
  ['thinking without its signature', [[text('Go.')], [{ ...thought, signature: '' }, use], [result]], /signature/],
  ['thinking at the end', [[text('Go.')], [thought], [text('Go on.')]], /final block .* cannot be `thinking`/],
  ['a mark for the cache at thinking', [[text('Go.')], [{ ...thought, ...kept }, use], [result]], /cache_control/],
  ['five marks for the cache', [Array.from({ length: 5 }, () => text('Go.', kept))], /maximum of 4 blocks/],
  ['a text before a result', [[text('Go.')], [use], [text('Here.'), result]], /must come first/],
])('a message with %s is refused, as the Messages API does', async (_, contents, message) => {
  const messages = contents.map((content, index) => ({ role: index % 2 ? 'assistant' : 'user', content }));
  const response = await fetch(`${model.url}/messages`, {
    method: 'POST',
    headers: { ...headers(), 'x-api-key': 'k', 'anthropic-version': '2023-06-01' },
    body: JSON.stringify({ model: 'any', max_tokens: 100, messages }),
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { message: expect.stringMatching(message) } });
});

test('refused requests are in the log as refused', () => {
  expect(model.requests().some((request) => request.outcome === 'refused')).toBe(true);
  expect(model.requests().every((request) => request.outcome !== 'answered')).toBe(true);
});
