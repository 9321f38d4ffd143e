import { expect, test } from '@jest/globals';
import { createPermitTool } from '../../../activities/agent-host/permit-tool.ts';
import type { Database } from '../../../db/connection/database.ts';
import { parseRules } from '../../../domain/permissions/parse-rules.ts';

const untouched = new Proxy({} as Database, {
  get() {
    throw new Error('Expected nobody to be asked.');
  },
});

function permit(
  texts: { deny?: string[]; allow?: string[] },
  tool: { name: string; on?: 'agent' | 'sandbox' },
  input: string,
) {
  const permissions = { rules: parseRules(texts, 'settings'), requests: { defaultAnswer: 'no' as const } };
  const call = { id: '1', tool: { on: 'agent' as const, requiresConfirmation: false, ...tool }, input };
  return createPermitTool({ database: untouched, permissions })('run-1', 'buyer', call);
}

test('a rule that denies a tool refuses it by its text, and another tool goes on unasked', async () => {
  const rules = { deny: ['Tool(pay*)'] };
  expect(await permit(rules, { name: 'pay_now' }, '{}')).toEqual({
    verdict: 'no',
    text: 'Not allowed: `deny Tool(pay*)` of the settings decides on Tool(pay_now). Do without it.',
  });
  expect(await permit(rules, { name: 'look' }, '{}')).toEqual({ verdict: 'yes' });
});

test("rules on commands and files count for Longhaul's own tools in the sandbox", async () => {
  const rules = { deny: ['Run(rm *)', 'Write(.github/**)'] };
  const sandboxed = (name: string, input: object) => permit(rules, { name, on: 'sandbox' }, JSON.stringify(input));
  expect((await sandboxed('run_command', { command: 'cd x && rm -rf y' })).verdict).toBe('no');
  expect((await sandboxed('write_file', { path: '.github/workflows/ci.yml', content: '' })).verdict).toBe('no');
  expect((await sandboxed('run_command', { command: 'ls' })).verdict).toBe('yes');
});

test("rules by default, which are about Longhaul's own tools, do not ask about a user's tool of the same name", async () => {
  expect(await permit({}, { name: 'resume_project' }, '{}')).toEqual({ verdict: 'yes' });
});
