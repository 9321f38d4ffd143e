import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatHandle } from '../../client/chat/chat-handle.ts';
import { readOwnCommands } from '../../client/chat/own-commands.ts';
import { ClientError } from '../../client/errors.ts';
import type { Longhaul } from '../../client/longhaul.ts';
import type { ChatExchange } from '../../db/chats/read-history.ts';
import type { SayRequest } from '../chats/conversation-control.ts';
import { isYes } from '../program/ask.ts';
import type { CommandContext } from '../program/command-context.ts';
import { describeError } from '../program/describe-error.ts';
import { type ExitCode, exitCodes } from '../program/exit-code.ts';
import { inlinePicture } from '../render/inline-picture.ts';
import { loadMarkdown } from '../render/markdown/load-markdown.ts';
import { colorsFor } from '../render/style.ts';
import { commandNames, isChatCommand, runChatCommand } from './chat-commands.ts';
import { createCompleter } from './create-completer.ts';
import type { MessageListener } from './input/read-messages.ts';
import { sendMentioned } from './mentions.ts';
import { movesCursor, openScreen } from './open-screen.ts';

/** Earlier exchanges shown at the start. */
const shownBefore = 3;
/** Earlier messages that the arrows recall. */
const fetchedBefore = 50;
/** Ctrl-C this soon after an answer was meant to stop it. Milliseconds. */
const stillMeant = 1_000;
/** Milliseconds that leaving waits for a request to stop an answer: a person who presses Ctrl-C twice means both. */
const stopPatience = 3_000;

/** A conversation in a terminal until the person leaves it; running answers are completed. */
export async function converse(context: CommandContext, longhaul: Longhaul, first: ChatHandle): Promise<ExitCode> {
  const own = new Set<string>();
  const { home } = await context.configuration();
  const ownCommands = () => readOwnCommands([home, context.folder], commandNames);
  const colors = colorsFor(context.stdout, context.environment);
  const loading = movesCursor(context) ? loadMarkdown(colors) : undefined;
  let chat = first;
  /** Messages without an answer, as far as this screen knows. */
  const open = new Set<string>();
  /** The message whose answer is running. */
  let answering: string | undefined;
  /** When the last answer ended, in milliseconds since 1970. */
  let endedAt = 0;
  /** Messages that came while a line was being written: each is shown when its answer begins. */
  const held = new Map<string, string>();
  let watching = { stop: async () => {} };
  /** Waits for Temporal until the chat is woken. */
  let waking: AbortController | undefined;
  /** Takes the answer to a question of a command; undefined if none waits. */
  let answerQuestion: ((answer: string) => void) | undefined;
  /** Inputs are handled one after the other. */
  let doing: Promise<void> = Promise.resolve();
  /** The input that is being handled, as the person typed it. */
  let typed = '';
  /** Sends the request to stop an answer. */
  let stopping: Promise<void> = doing;
  let leave = () => {};
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });

  function watch(watched: ChatHandle): { stop(): Promise<void> } {
    const leaving = new AbortController();
    const onTrouble = (trouble: Error | undefined) =>
      screen.line(trouble ? `${trouble.message} Waiting for the server.` : 'The server is back.');
    const ended = (async () => {
      for await (const event of watched.watch({ from: 'open', signal: leaving.signal, onTrouble })) {
        if (event.type === 'message.received' || event.type === 'answer.started') open.add(event.message);
        if (event.type === 'answer.started') answering = event.message;
        const ends = event.type === 'answer' || event.type === 'failure';
        if (event.type === 'answer.started' || ends) release(event.message);
        screen.event(event);
        for (const picture of event.type === 'tool-ended' ? (event.pictures ?? []) : [])
          input.write((await inlinePicture(picture, context)) ?? '');
        if (!ends) continue;
        open.delete(event.message);
        if (answering === event.message) answering = undefined;
        if (event.type === 'answer') endedAt = Date.now();
        if (open.size === 0) input.showAgain();
      }
    })().catch((error: unknown) => {
      screen.line(describeError(error));
      leave();
    });
    return {
      async stop() {
        leaving.abort();
        await ended;
      },
    };
  }

  function hold(id: string, text: string): void {
    held.set(id, text);
    input.setWaiting(held.size);
  }

  function release(id: string): void {
    const text = held.get(id);
    if (text === undefined) return;
    held.delete(id);
    screen.said(text);
    input.setWaiting(held.size);
  }

  function releaseAll(): void {
    for (const id of [...held.keys()]) release(id);
  }

  function show(shown: ChatHandle, { before, waiting }: Latest): void {
    if (before.length > shownBefore) screen.line(`[earlier messages: \`longhaul sessions show "${shown.name}"\`]`);
    for (const exchange of before.slice(-shownBefore)) screen.exchange(exchange);
    for (const { id, said } of waiting) {
      if (!own.has(id)) screen.said(said);
      own.add(id);
      open.add(id);
    }
    if (open.size) wake(shown);
  }

  /** The person can continue meanwhile. */
  function wake(waiting: ChatHandle): void {
    waking?.abort();
    waking = new AbortController();
    const { signal } = waking;
    const onTrouble = (trouble: Error | undefined) =>
      screen.line(trouble ? `${trouble.message} Waiting for the server.` : 'The server is back.');
    void waiting.wake({ signal, onTrouble }).catch((error: unknown) => screen.line(describeError(error)));
  }

  const control = {
    longhaul,
    chat: () => chat,
    async say(text: string, { now = false, instead, hidden = false }: SayRequest = {}) {
      const id = crypto.randomUUID();
      own.add(id);
      open.add(id);
      if (hidden) hold(id, text);
      try {
        const note = (line: string) => screen.line(context.withCommandName(line));
        const whole = await sendMentioned(chat, { text, typed, folder: context.folder, note });
        await chat.say(whole.text, { id, now, instead, images: whole.images });
        screen.setPaused(false);
      } catch (error) {
        if (!(error instanceof ClientError && error.code === 'MessageWaits')) {
          open.delete(id);
          release(id);
          throw error;
        }
        screen.line(describeError(error));
        wake(chat);
      }
    },
    async change(next: ChatHandle) {
      // If the messages cannot be read, the current conversation stays.
      const [title, latest] = await Promise.all([titleOf(next), readLatest(next, shownBefore + 1)]);
      await watching.stop();
      waking?.abort();
      screen.end();
      screen.setPaused(false);
      releaseAll();
      open.clear();
      answering = undefined;
      chat = next;
      screen.line(`[${title}]`);
      show(next, latest);
      watching = watch(next);
    },
    print: (text: string) => screen.line(text),
    ownCommands,
    page: (text: string, options?: { markdown: boolean }) => opened.page(text, options),
    thoughts: () => opened.thoughts(),
    setPaused: (paused: boolean) => screen.setPaused(paused),
    async ask(question: string) {
      screen.line(`${question} [y/N]`);
      input.showAgain();
      const answer = await new Promise<string>((resolve) => {
        answerQuestion = resolve;
      });
      answerQuestion = undefined;
      return isYes(answer);
    },
    width: () => opened.width(),
    leave: () => leave(),
  };

  async function take(text: string, isGone: boolean, asTyped: string): Promise<void> {
    typed = asTyped;
    const isCommand = isChatCommand(text, ownCommands());
    try {
      if (isCommand && isGone) screen.said(text);
      if (isCommand) await runChatCommand(control, text);
      else if (text.trim()) await control.say(text.trim(), { hidden: isGone });
    } catch (error) {
      screen.line(describeError(error));
    }
    if (open.size === 0) input.showAgain();
  }

  const said = (await chat.history({ last: fetchedBefore })).map((exchange) => exchange.said);
  const listener: MessageListener = {
    onMessage: (text, isGone, typed) => {
      if (answerQuestion) return answerQuestion(text);
      doing = doing.then(() => take(text, isGone, typed));
    },
    onInterrupt: () => {
      if (answerQuestion) return answerQuestion('no');
      if (open.size === 0 && Date.now() - endedAt > stillMeant) return leave();
      endedAt = 0;
      if (open.size === 0) return screen.line('[already answered; Ctrl-C again exits]');
      screen.line('[stopping; Ctrl-C again exits]');
      const [first] = open;
      const [stopped, meant] = [chat, answering ?? first];
      open.clear();
      // By its id, so that it is stopped even if its answer has not begun; a message that is still being sent must arrive first.
      stopping = doing.then(() => stopped.stop(meant)).catch((error: unknown) => screen.line(describeError(error)));
    },
    onOpen: () => {
      doing = doing.then(() => take('/show', false, ''));
    },
    onEnd: () => leave(),
    complete: createCompleter(longhaul, context.folder, () => [...commandNames, ...ownCommands().commands.keys()]),
  };
  const markdown = await loading;
  const opened = openScreen(context, listener, { colors, markdown, said, isOwn: (id) => own.has(id) });
  const { input, screen } = opened;
  try {
    screen.line(`[${await titleOf(chat)}; /help shows the commands]`);
    for (const problem of ownCommands().problems) screen.line(`[${problem}]`);
    show(chat, await readLatest(chat, shownBefore + 1));
    watching = watch(chat);
    input.show();
    await left;
  } finally {
    screen.end();
    input.close();
    answerQuestion?.('no');
    releaseAll();
    await doing;
    await Promise.race([stopping, sleep(stopPatience, undefined, { ref: false })]);
    waking?.abort();
    await watching.stop();
    screen.end();
  }
  return exitCodes.done;
}

async function titleOf(chat: ChatHandle): Promise<string> {
  const { name = 'a new conversation', memory } = chat;
  const agent = await chat.agent();
  return [name, ...(agent ? [`with ${agent.name}`] : []), ...(memory ? [] : ['without memory'])].join(', ');
}

/** Exchanges of a chat, in order. */
export interface Latest {
  /** Ended ones. */
  before: ChatExchange[];
  /** Unfinished ones. */
  waiting: ChatExchange[];
}

/** At least `count` of the latest ended exchanges, if there are so many, and all unfinished ones, without reading more of a long chat. */
export async function readLatest(chat: ChatHandle, count: number): Promise<Latest> {
  for (let last = count; ; last *= 4) {
    const history = await chat.history({ last });
    const before = history.filter(({ status }) => status !== 'WAITING' && status !== 'RUNNING');
    const waiting = history.filter((one) => !before.includes(one));
    if (before.length >= count || history.length < last) return { before, waiting };
  }
}
