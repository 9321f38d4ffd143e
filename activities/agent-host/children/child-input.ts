import { fence } from '../../../agents/fence.ts';
import type { GivenContext } from '../../../agents/runtime/tools/define-tool.ts';
import type { AgentMessage } from '../../../domain/agent-run/message.ts';
import type { Message } from '../../../domain/run/message.ts';
import { renderConversation } from '../../compaction/render-conversation.ts';

/** Characters of a conversation that a called agent is given; about 50,000 tokens. */
const maxCharacters = 200_000;

/** What an agent that another one calls reads: what it is given, after what it learns of the conversation. */
export async function childInput(
  value: unknown,
  context: GivenContext,
  { conversation, summarize }: { conversation: Message[]; summarize(conversation: Message[]): Promise<string> },
): Promise<AgentMessage[]> {
  const spoken = conversation.filter(({ role }) => role !== 'system');
  const content = textOf(value);
  if (context === 'message' || !spoken.length) return [{ role: 'user', content }];
  const told =
    context === 'full'
      ? fence('the conversation so far', renderConversation(spoken, maxCharacters))
      : fence('a summary of the conversation so far', await summarize(spoken));
  return [{ role: 'user', content: `${told}\n\n${content}` }];
}

/** A message alone is read as it is. */
function textOf(value: unknown): string {
  const entries = Object.entries(value ?? {});
  const [only] = entries;
  if (only && entries.length === 1 && only[0] === 'message' && typeof only[1] === 'string') return only[1];
  return JSON.stringify(value, null, 2);
}
