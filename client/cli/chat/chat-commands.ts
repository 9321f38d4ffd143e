import type { TaskRow } from '../../../db/tasks.ts';
import type { ChatHandle } from '../../chat/chat-handle.ts';
import { formatCost } from '../../format/cost.ts';
import { countOf, formatCount } from '../../format/count.ts';
import type { Longhaul } from '../../longhaul.ts';
import { printableLine } from '../text/printable.ts';
import { edit, retry } from './say-again.ts';
import { memory } from './tell-memory.ts';

/** What the commands of a conversation work with. */
export interface ConversationControl {
  longhaul: Longhaul;
  chat(): ChatHandle;
  say(text: string, options?: { now?: boolean; instead?: string }): Promise<void>;
  /** What the agent can do, as its model is told. */
  tools(): Promise<Array<{ name: string; description: string }>>;
  /** Goes on in another conversation. */
  change(chat: ChatHandle): Promise<void>;
  print(text: string): void;
  leave(): void;
}

interface ChatCommand {
  usage: string;
  does: string;
  run(control: ConversationControl, rest: string): Promise<void> | void;
}

const commands: Record<string, ChatCommand> = {
  help: { usage: '/help', does: 'show this', run: ({ print }) => print(help()) },
  now: {
    usage: '/now <message>',
    does: 'say it at once: the answer that is being given is stopped',
    run: ({ say, print }, text) => (text ? say(text, { now: true }) : print('Expected a message behind /now.')),
  },
  retry: { usage: '/retry', does: 'ask the last question again, in a branch', run: retry },
  edit: {
    usage: '/edit [#<n>] <message>',
    does: 'say the last message, or the n-th, otherwise, in a branch; by itself it lists them',
    run: edit,
  },
  fork: {
    usage: '/fork [name]',
    does: 'go on in a new conversation that begins with all of this one',
    run: async ({ chat, change }, name) => change(await chat().fork(name || undefined)),
  },
  sessions: { usage: '/sessions [name]', does: 'the conversations, or go on in another one', run: sessions },
  new: {
    usage: '/new [name]',
    does: 'begin a new conversation',
    async run({ longhaul, change, print }, name) {
      const chat = await longhaul.chat(name || undefined);
      if (chat.id !== undefined)
        return print(`There is a conversation "${name}" already; /sessions ${name} goes on in it.`);
      await change(chat);
    },
  },
  model: {
    usage: '/model <provider/model>',
    does: 'the model it asks from the next message on; "default" for that of the settings',
    async run({ chat, print }, model) {
      if (!model) return print('Expected provider/model behind /model; `longhaul models` shows those of the settings.');
      await chat().setModel(model === 'default' ? null : model);
      print(`From the next message on: ${model}.`);
    },
  },
  tools: {
    usage: '/tools',
    does: 'what the agent can do',
    async run({ tools, print }) {
      const all = await tools();
      const width = Math.max(...all.map(({ name }) => name.length));
      print(all.map(({ name, description }) => `${name.padEnd(width)}  ${firstSentence(description)}`).join('\n'));
    },
  },
  memory: {
    usage: '/memory',
    does: 'what was recalled for the last messages and why, and what was learned',
    run: memory,
  },
  pause: {
    usage: '/pause',
    does: 'begin nothing new until /resume or the next message; the call in flight finishes',
    run: async ({ chat, print }) =>
      print((await chat().pause()) ? 'Paused. /resume or a message goes on.' : 'Nothing is at work.'),
  },
  resume: { usage: '/resume', does: 'go on after /pause', run: ({ chat }) => chat().resume() },
  tasks: {
    usage: '/tasks',
    does: 'what is to be done, of all conversations',
    async run({ longhaul, print }) {
      const open = await longhaul.tasks();
      print(open.map(describeTask).join('\n') || 'There is no open task.');
    },
  },
  cost: { usage: '/cost', does: 'what this conversation used', run: cost },
  exit: { usage: '/exit', does: 'leave; answers are given to their end', run: ({ leave }) => leave() },
};

/** Does what a line that begins with a slash asks for. */
export async function runChatCommand(control: ConversationControl, line: string): Promise<void> {
  const [, name = '', rest = ''] = /^\/(\S*)\s*([\s\S]*)$/.exec(line) ?? [];
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command) return command.run(control, rest.trim());
  control.print(
    `There is no command /${name}. /help shows all; a message that begins with a slash is said with a space before it.`,
  );
}

function help(): string {
  const rows = Object.values(commands);
  const width = Math.max(...rows.map(({ usage }) => usage.length));
  return [
    ...rows.map(({ usage, does }) => `${usage.padEnd(width)}  ${does}`),
    'A backslash at the end of a line goes on in the next one. Ctrl-C stops the answer, and where there is none, leaves.',
  ].join('\n');
}

async function sessions({ longhaul, chat, change, print }: ConversationControl, name: string): Promise<void> {
  if (name) {
    const next = await longhaul.chat(name);
    if (next.id === undefined) return print(`No conversation is called "${name}". /new ${name} begins one.`);
    return change(next);
  }
  const all = await longhaul.chats();
  const lines = all.slice(0, 20).map((one) => `${one.id === chat().id ? '*' : ' '} ${one.name}`);
  print(lines.join('\n') || 'There is none yet.');
}

async function cost({ chat, print }: ConversationControl): Promise<void> {
  const { inputTokens, outputTokens, turns, costUsd: usd, unpricedTurns } = await chat().usage();
  const tokens = `${formatCount(inputTokens)} tokens in, ${formatCount(outputTokens)} out`;
  print(`${countOf(turns, 'model call')}, ${tokens}, ${formatCost({ usd, unpricedTurns })}`);
}

function firstSentence(text: string): string {
  return printableLine(/^.*?[.:;](?= |$)/.exec(text)?.[0].replace(/[:;]$/, '.') ?? text);
}

function describeTask({ number, title, status, due }: TaskRow): string {
  return printableLine(`${number}. ${title} (${status}${due === null ? '' : `, due ${due}`})`);
}
