import type { ToolContext } from '../../../activities/tools/tool.ts';

let calls = 0;

/** The context of a new tool call in the first run of a chat; the chat's id is `chat-<name>`. */
export function inChat(name: string): ToolContext {
  calls += 1;
  const { signal } = new AbortController();
  const run = {
    owner: { kind: 'chat' as const, id: `chat-${name}` },
    runId: `chat-${name}-r1`,
    role: 'chat' as const,
    maxTurns: 15,
  };
  return { run, id: `chat-${name}-r1.${calls}.0`, cancel: signal, detach: signal };
}
