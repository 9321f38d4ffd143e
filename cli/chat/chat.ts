import { assistantName } from '../../agents/own-agents/parse-agent.ts';
import { refuseScriptedModel } from '../../client/start/refuse-scripted-model.ts';
import type { CommandContext } from '../program/command-context.ts';
import type { ExitCode } from '../program/exit-code.ts';
import { askOnce } from './ask-once.ts';
import type { ChatOptions } from './chat-command.ts';
import { chooseChat } from './choose-chat.ts';
import { converse } from './converse.ts';
import { readQuestion } from './read-question.ts';

/** `longhaul chat`, or the command named `command`: asks one question if it is given or piped, otherwise starts a conversation. */
export async function chat(context: CommandContext, options: ChatOptions, command = 'chat'): Promise<ExitCode> {
  const question = await readQuestion(context, { message: options.message, command });
  const agent = await resolveAgent(context, options.agent, command);
  const { configurationWithFile: settings } = context;
  await refuseScriptedModel({ configuration: await context.configuration(), settings }, ', and ask again.');
  return context.withLonghaul(async (longhaul) => {
    const chosen = await chooseChat(longhaul, { ...options, agent });
    if (agent !== undefined) await chosen.setAgent(agent);
    if (options.model !== undefined) await chosen.setModel(options.model);
    return question === undefined ? converse(context, longhaul, chosen) : askOnce(context, chosen, question);
  });
}

/** The agent's folder; null for the assistant, which only `longhaul chat` can select. */
async function resolveAgent(
  context: CommandContext,
  reference: string | undefined,
  command: string,
): Promise<string | null | undefined> {
  if (reference === undefined) return undefined;
  if (reference === assistantName && command === 'chat') return null;
  const { findAgentFolder } = await import('../../client/agents/agent-folder.ts');
  return findAgentFolder(reference, { home: (await context.configuration()).home, folder: context.folder });
}
