import wrapAnsi from 'wrap-ansi';
import { expandCommand, type OwnCommands } from '../../client/chat/own-commands.ts';
import { formatCost } from '../../client/format/cost.ts';
import { countOf, formatCount } from '../../client/format/count.ts';
import { isAnswer } from '../../domain/permissions/request.ts';
import type { ConversationControl } from '../chats/conversation-control.ts';
import { wrapPairs } from '../render/columns.ts';
import { printableLine } from '../render/printable.ts';
import { describeTask } from '../tasks/describe-task.ts';
import { changeModel } from './change-model.ts';
import { memory } from './describe-memory.ts';
import { applyFolder, diffFolder, discardFolder } from './folder-changes.ts';
import { edit, retry } from './say-again.ts';
import { showResult } from './show-result.ts';

interface ChatCommand {
  usage: string;
  does: string;
  run(control: ConversationControl, rest: string): Promise<void> | void;
}

/** Conversations that `/sessions` lists. */
const maxListed = 20;

const commands: Record<string, ChatCommand> = {
  help: {
    usage: '/help',
    does: 'show this help',
    run: ({ print, width, ownCommands }) => print(help(width(), ownCommands())),
  },
  now: {
    usage: '/now <message>',
    does: 'send a message at once, stopping the current answer',
    run: ({ say, print }, text) => (text ? say(text, { now: true }) : print('Expected a message after /now.')),
  },
  show: {
    usage: '/show [<n>|answer|thoughts]',
    does: 'open the last result in full (also Ctrl-O), the n-th last, the last answer, or the thoughts behind it',
    run: showResult,
  },
  retry: { usage: '/retry', does: 'ask the last question again, in a new branch', run: retry },
  edit: {
    usage: '/edit [#<n>] <message>',
    does: 'replace the last message, or the n-th, in a new branch; without arguments list them',
    run: edit,
  },
  fork: {
    usage: '/fork [name]',
    does: 'continue in a new conversation that starts with a copy of this one',
    async run({ chat, change, print }, name) {
      const original = chat().name;
      await change(await chat().fork(name || undefined));
      print(`[files, variables and notes for one conversation stayed with ${original}]`);
    },
  },
  sessions: { usage: '/sessions [name]', does: 'list conversations, or switch to one', run: sessions },
  new: {
    usage: '/new [name]',
    does: 'start a new conversation with the same agent, model and memory setting',
    async run({ longhaul, chat, change, print }, name) {
      const next = await longhaul.chat(name || undefined, { fresh: true, memory: chat().memory });
      if (next.id !== undefined)
        return print(`There is a conversation "${name}" already; /sessions ${name} continues it.`);
      await next.setAgent(await chat().agent());
      await next.setModel(await chat().model());
      await change(next);
    },
  },
  model: {
    usage: '/model [provider/model]',
    does: 'show or change the model; "default" uses the settings',
    run: model,
  },
  tools: {
    usage: '/tools',
    does: "list the agent's tools",
    async run({ chat, print, width }) {
      const all = await chat().tools();
      if (!all.length) return print('This agent has no tools.');
      print(
        wrapPairs(
          all.map(({ name, description }) => [name, firstSentence(description)]),
          width(),
        ).join('\n'),
      );
    },
  },
  memory: {
    usage: '/memory',
    does: 'show what was recalled for the last messages and why, and what was learned',
    run: memory,
  },
  pause: {
    usage: '/pause',
    does: 'start nothing new until /resume or the next message; the running call finishes',
    async run({ chat, print, setPaused }) {
      const isRunning = await chat().pause();
      setPaused(isRunning);
      print(isRunning ? 'Paused. /resume or a message continues.' : 'Nothing is running.');
    },
  },
  resume: { usage: '/resume', does: 'continue after /pause', run: resume },
  tasks: {
    usage: '/tasks',
    does: 'list open tasks; `longhaul tasks` changes them',
    async run({ longhaul, print }) {
      const open = await longhaul.stores.tasks.list();
      print(open.map(describeTask).join('\n') || 'There is no open task.');
    },
  },
  answer: {
    usage: '/answer <id> yes|no',
    does: 'answer what an agent asks for; text after it is the reason',
    async run({ longhaul, print }, text) {
      const [, id = '', answer, reason] = /^(\S+)\s+(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
      if (!isAnswer(answer)) return print('Expected an id and yes, no or edit, as /answer 1f0c9a3e yes.');
      await longhaul.inbox.answer({ id, answer, ...(reason && { reason }) });
      print(`Answered ${id}: ${answer}.`);
    },
  },
  diff: {
    usage: '/diff',
    does: 'show what was changed in the copy of the folder (`--dir`)',
    run: (control) => diffFolder(control.chat(), control),
  },
  apply: {
    usage: '/apply',
    does: 'write those changes to the folder, after your yes',
    run: (control) => applyFolder(control.chat(), control),
  },
  discard: {
    usage: '/discard',
    does: 'drop those changes, and copy the folder again',
    run: (control) => discardFolder(control.chat(), control),
  },
  cost: { usage: '/cost', does: 'show what this conversation used', run: cost },
  exit: { usage: '/exit', does: 'exit; running answers are completed', run: ({ leave }) => leave() },
};

/** The names of Longhaul's own commands, which a person's own cannot have. */
export const commandNames: readonly string[] = Object.keys(commands);

/** Whether a text looks like a command: its first word is a slash and a name and, if it has several lines, names a command. */
export function isChatCommand(text: string, own?: Pick<OwnCommands, 'commands'>): boolean {
  const name = /^\/([a-z0-9-]*)(?=\s|$)/.exec(text)?.[1];
  return (
    name !== undefined &&
    (!text.trimEnd().includes('\n') || commandNames.includes(name) || own?.commands.has(name) === true)
  );
}

export async function runChatCommand(control: ConversationControl, line: string): Promise<void> {
  const [, name = '', rest = ''] = /^\/(\S*)\s*([\s\S]*)$/.exec(line) ?? [];
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command) return command.run(control, rest.trim());
  const own = control.ownCommands().commands.get(name);
  if (own) return control.say(expandCommand(own, rest.trim()));
  control.print(
    `There is no command /${name}. /help lists all. To send a message that starts with a slash, put a space before it.`,
  );
}

function help(width: number, own: OwnCommands): string {
  const ofPerson = [...own.commands.values()].map(({ name, description, path }): [string, string] => [
    `/${name}`,
    printableLine(description ?? `send ${path}`),
  ]);
  const rows = [...Object.values(commands).map(({ usage, does }): [string, string] => [usage, does]), ...ofPerson];
  const keys =
    'A backslash at the end of a line continues it on the next one. Tab completes commands, names and @paths. Ctrl-C clears the typed text, then stops the answer, then exits.';
  const problems = own.problems.map((one) => wrapAnsi(printableLine(one), width));
  return [...wrapPairs(rows, width), wrapAnsi(keys, width), ...problems].join('\n');
}

async function model({ longhaul, chat, print }: ConversationControl, name: string): Promise<void> {
  if (!name) return print(`The model is ${await chat().models()}. /model <provider/model> changes it.`);
  await changeModel({ longhaul, chat: chat(), print }, name === 'default' ? null : name);
}

async function resume({ chat, print, setPaused }: ConversationControl): Promise<void> {
  await chat().resume();
  setPaused(false);
  print('Resumed.');
}

async function sessions({ longhaul, chat, change, print }: ConversationControl, name: string): Promise<void> {
  if (name) {
    const next = await longhaul.chat(name);
    if (next.id === undefined) return print(`There is no conversation "${name}". /new ${name} starts one.`);
    return change(next);
  }
  const all = await longhaul.chats();
  const lines = all.slice(0, maxListed).map((one) => `${one.id === chat().id ? '*' : ' '} ${printableLine(one.name)}`);
  if (all.length > maxListed) lines.push(`  and ${all.length - maxListed} more: \`longhaul sessions list\``);
  print(lines.join('\n') || 'There are no conversations yet.');
}

async function cost({ chat, print }: ConversationControl): Promise<void> {
  const { inputTokens, outputTokens, calls, costUsd: usd, unpricedTurns, unknownCalls } = await chat().usage();
  const tokens = `${formatCount(inputTokens)} tokens in, ${formatCount(outputTokens)} out`;
  print(`${countOf(calls, 'model call')}, ${tokens}, cost ${formatCost({ usd, unpricedTurns, unknownCalls })}`);
}

function firstSentence(text: string): string {
  return printableLine(/^.*?[.:;](?= |$)/.exec(text)?.[0].replace(/[:;]$/, '.') ?? text);
}
