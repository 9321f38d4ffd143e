import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { assistantName } from '../../agents/own-agents/parse-agent.ts';
import type { ChatHandle } from '../../client/chat/chat-handle.ts';
import { ClientError } from '../../client/errors.ts';
import { countOf } from '../../client/format/count.ts';
import type { Longhaul } from '../../client/longhaul.ts';
import { refuseScriptedModel } from '../../client/start/refuse-scripted-model.ts';
import type { CommandContext } from '../program/command-context.ts';
import { type ExitCode, exitCodes } from '../program/exit-code.ts';
import { askOnce } from './ask-once.ts';
import { changeModel } from './change-model.ts';
import { converse } from './converse.ts';
import { describeCopy } from './folder-changes.ts';
import { readQuestion } from './read-question.ts';

export interface ChatOptions {
  session?: string;
  continue?: boolean;
  new?: boolean;
  model?: string;
  /** False with `--no-memory`. */
  memory?: boolean;
  agent?: string;
  message?: string;
  /** The folder to work on a copy of. */
  dir?: string;
}

/** `longhaul chat`, or the command named `command`: asks one question if it is given or piped, otherwise starts a conversation. */
export async function chat(context: CommandContext, options: ChatOptions, command = 'chat'): Promise<ExitCode> {
  const question = await readQuestion(context, { message: options.message, command });
  const agent = await resolveAgent(context, options.agent, command);
  const { configurationWithFile: settings } = context;
  await refuseScriptedModel({ configuration: await context.configuration(), settings }, ', and ask again.');
  return context.withLonghaul(async (longhaul) => {
    const chosen = await chooseChat(longhaul, { ...options, agent });
    if (agent !== undefined) await chosen.setAgent(agent);
    if (options.model !== undefined) {
      const isChanged = await changeModel({ longhaul, chat: chosen, print: context.note }, options.model);
      if (question !== undefined && !isChanged) return exitCodes.failed; // the person wanted that model's answer
    }
    if (options.dir !== undefined) await useFolder(context, chosen, resolve(context.folder, options.dir));
    if (question === undefined) return converse(context, longhaul, chosen);
    const exitCode = await askOnce(context, chosen, { question, typed: options.message ?? '' });
    if (options.dir !== undefined) await noteChanges(context, chosen);
    return exitCode;
  });
}

async function useFolder(context: CommandContext, chat: ChatHandle, path: string): Promise<void> {
  if (!(await stat(path).catch(() => undefined))?.isDirectory())
    throw new ClientError('InvalidInput', `Expected a folder at ${path}, found none.`);
  await chat.begin(basename(path));
  const { folder, copied } = await chat.useFolder(path);
  if (copied) context.note(describeCopy(folder, copied));
}

/** Says what an answer changed in the copy of the folder, for a command that ends with it. */
async function noteChanges(context: CommandContext, chat: ChatHandle): Promise<void> {
  const changes = (await (await chat.folder())?.changes()) ?? [];
  if (changes.length === 0) return;
  const { name } = chat;
  context.note(
    `${countOf(changes.length, 'file')} changed in the copy. \`longhaul chats diff "${name}"\` shows the changes, \`longhaul chats apply "${name}"\` writes them.`,
  );
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

/**
 * The chat that the options select; `agent` is the folder of the agent that answers, null for the assistant.
 * @throws {ClientError} `InvalidInput` if the options contradict each other, or there is no such chat.
 */
export async function chooseChat(
  longhaul: Longhaul,
  {
    session,
    continue: latest,
    new: fresh,
    memory,
    agent,
  }: { session?: string; continue?: boolean; new?: boolean; memory?: boolean; agent?: string | null | undefined },
): Promise<ChatHandle> {
  if (latest && (fresh || session !== undefined)) {
    throw new ClientError(
      'InvalidInput',
      'Expected --continue alone, got it with --new or --session. Leave one of them out.',
    );
  }
  if (latest) {
    const last = (await longhaul.chats()).find((one) => agent === undefined || (one.agent?.folder ?? null) === agent);
    if (last) return expectMemory(await longhaul.chat(last.id), memory);
    throw new ClientError(
      'InvalidInput',
      `There is no conversation${agent === undefined ? '' : ` with ${agent ?? 'the assistant'}`} to continue yet. Leave --continue out to start one.`,
    );
  }
  const chosen = await longhaul.chat(session, { memory: memory ?? true, fresh: fresh ?? false });
  if (fresh && chosen.id !== undefined) {
    throw new ClientError(
      'InvalidInput',
      `There is a conversation "${session}" already. Choose another name, or leave --new out.`,
    );
  }
  return expectMemory(chosen, memory);
}

/** An option cannot undo what was already recalled and learned. */
function expectMemory(chat: ChatHandle, wanted: boolean | undefined): ChatHandle {
  if (wanted !== false || !chat.memory) return chat;
  throw new ClientError(
    'InvalidInput',
    `The conversation "${chat.name}" has memory; --no-memory applies only to new conversations. Leave it out, or start a conversation with --new.`,
  );
}
