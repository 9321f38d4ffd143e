import type { AnswerMessage, AnswerStart } from '../../db/bus/answer-messages.ts';
import { maxPayloadBytes } from '../../db/bus/event-bus.ts';
import type { AnswerDelta } from '../../domain/run/message.ts';

/** Milliseconds between two messages of a stream: ten a second, faster than anyone reads. */
const messagePause = 100;
/** Bytes of a message reserved for everything but its pieces. */
const headBytes = 1_400;
const maxWhyCharacters = 400;

/** How a stream reaches its watchers. */
export interface Wires {
  isWatched(): boolean;
  send(message: AnswerMessage): Promise<void>;
  onEnd(): void;
}

/** The output of one model call, streamed to watchers. */
export class AnswerStream {
  #wires: Wires;
  #start: AnswerStart;
  #begun = false;
  /** The output of the current request so far, cut into the pieces that are sent. */
  #said: AnswerDelta[] = [];
  /** Output not yet cut into pieces. */
  #pending: AnswerDelta[] = [];
  /** How many pieces of `#said` were sent. */
  #sent = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Settles when the last message is sent, so that messages go out in order. */
  #sending: Promise<void> = Promise.resolve();

  constructor(call: Omit<AnswerStart, 'askedAt'>, wires: Wires) {
    this.#start = { ...call, askedAt: 0 };
    this.#wires = wires;
  }

  /** The model is asked, or asked again: its output so far no longer counts. */
  begin(why?: string): void {
    const { run, turn, attempt, askedAt } = this.#start;
    const now = Math.max(Date.now(), askedAt + 1);
    this.#start = { run, turn, attempt, askedAt: now, ...(why && { why: why.slice(0, maxWhyCharacters) }) };
    this.#said = [];
    this.#pending = [];
    this.#begun = true;
    this.sendAll();
  }

  add(delta: AnswerDelta): void {
    mergeDelta(this.#pending, delta);
    if (!this.#timer && this.#wires.isWatched()) this.#flushNowAndThen();
  }

  /** `failure`: why the model is asked again after a pause. */
  end(outcome: 'answered' | 'failed', failure?: string): void {
    clearTimeout(this.#timer);
    if (this.#begun && this.#wires.isWatched()) {
      if (this.#pending.length) this.#flush();
      this.#send({ ...this.#start, outcome, ...(failure && { failure: failure.slice(0, maxWhyCharacters) }) });
    }
    this.#wires.onEnd();
  }

  /** Sends the output so far from its start, for a watcher that has just arrived or missed something. */
  sendAll(): void {
    this.#sent = 0;
    if (this.#begun && this.#wires.isWatched()) this.#flush();
  }

  /** Sends at once, and after each pause whatever came in meanwhile. */
  #flushNowAndThen(): void {
    this.#flush();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#pending.length && this.#wires.isWatched()) this.#flushNowAndThen();
    }, messagePause);
  }

  #flush(): void {
    for (const delta of this.#pending.splice(0)) this.#said.push(...cutDelta(delta));
    for (const deltas of packDeltas(this.#said.slice(this.#sent), maxPayloadBytes - headBytes)) {
      this.#send({ ...this.#start, from: this.#sent, deltas });
      this.#sent += deltas.length;
    }
  }

  #send(message: AnswerMessage): void {
    this.#sending = this.#sending.then(() => this.#wires.send(message));
  }
}

/** Appends a piece, merged into the last one if both belong to the same text or tool call. */
function mergeDelta(deltas: AnswerDelta[], delta: AnswerDelta): void {
  const last = deltas.at(-1);
  if (last?.type === 'tool-call' && delta.type === 'tool-call' && last.index === delta.index) {
    deltas[deltas.length - 1] = { ...delta, arguments: last.arguments + delta.arguments };
  } else if (last && last.type === delta.type && last.type !== 'tool-call' && delta.type !== 'tool-call') {
    deltas[deltas.length - 1] = { ...delta, text: last.text + delta.text };
  } else {
    deltas.push(delta);
  }
}

/** Maximum length of one piece in characters; as JSON each takes at most 6 bytes, so that a piece fits into one message. */
const maxCharacters = 1_000;
const maxNameCharacters = 60;

/** Splits a piece into pieces that each fit into one message. */
function cutDelta(delta: AnswerDelta): AnswerDelta[] {
  if (delta.type !== 'tool-call') return cutText(delta.text).map((text) => ({ ...delta, text }));
  const name = delta.name.slice(0, maxNameCharacters);
  return cutText(delta.arguments).map((part) => ({ ...delta, name, arguments: part }));
}

function cutText(text: string): string[] {
  const count = Math.max(1, Math.ceil(text.length / maxCharacters));
  return Array.from({ length: count }, (_, index) => text.slice(index * maxCharacters, (index + 1) * maxCharacters));
}

/**
 * Groups pieces by at most `maxBytes` of JSON; an oversized piece gets a group of its own. There is always a group, empty if there are no pieces.
 */
function packDeltas(deltas: AnswerDelta[], maxBytes: number): AnswerDelta[][] {
  const groups: AnswerDelta[][] = [[]];
  let bytes = 0;
  for (const delta of deltas) {
    const size = Buffer.byteLength(JSON.stringify(delta)) + 1;
    if (bytes + size > maxBytes && bytes > 0) {
      groups.push([]);
      bytes = 0;
    }
    groups.at(-1)?.push(delta);
    bytes += size;
  }
  return groups;
}
