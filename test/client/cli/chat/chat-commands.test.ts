import { expect, test } from '@jest/globals';
import { offeredTools } from '../../../../agents/definition-of.ts';
import { toolDeclarations } from '../../../../agents/tools/tool-declarations.ts';
import { type ConversationControl, runChatCommand } from '../../../../client/cli/chat/chat-commands.ts';

/** What `/tools` prints with these hosts allowed. */
async function toolsWith(fetch: '*' | string[]): Promise<string[]> {
  const printed: string[] = [];
  const offered = offeredTools({ role: 'chat' }, { chat: { fetch } });
  const control = {
    tools: async () => offered.map((name) => ({ name, description: toolDeclarations[name].description })),
    print: (text: string) => printed.push(text),
  };
  await runChatCommand(control as unknown as ConversationControl, '/tools'); // it asks for nothing else
  return printed.join('\n').split('\n');
}

test('/tools would leave a tool out, or name one that the settings do not allow', async () => {
  const lines = await toolsWith([]);
  const names = lines.map((line) => line.split(' ')[0]);
  expect(names).toEqual(
    expect.arrayContaining(['search_memory', 'execute_code', 'delegate_code_task', 'start_project']),
  );
  expect(names).not.toContain('fetch_url');
  expect((await toolsWith(['example.org'])).map((line) => line.split(' ')[0])).toEqual([...names, 'fetch_url']);
  expect(lines).toContain(
    'run_command                  Runs a bash command in the workspace and gives its output and exit code.',
  );
});
