import { isSpoiledAnswer } from '../misbehaviour/spoil-answer.ts';
import { describeAddress, type RequestAddress } from '../request-address.ts';
import { RequestRefusedError } from '../request-refused-error.ts';
import { checkFits } from '../wires/answer-schema.ts';
import { type ChatRequest, type ChatRequestMessage, messagesText } from '../wires/chat-request.ts';
import { describeEntry, type Script, type ScriptEntry, type ScriptTurn } from './script.ts';

export interface FoundTurn {
  turn: ScriptTurn;
  /** How many spoiled answers this turn already has in the conversation. */
  spoiled: number;
}

/**
 * Finds the turn that answers a request, from the request alone. Deliberately spoiled answers are not counted, so that the script continues where it
 * was.
 * @throws {RequestRefusedError} if no entry matches, the entry has no such turn, or the turn expects or calls what the request lacks.
 */
export function findTurn(script: Script, address: RequestAddress, request: ChatRequest): FoundTurn {
  const entry = findEntry(script, address, request.messages);
  const { number, spoiled } = countTurn(script, entry, address, request.messages);
  const turn = entry.turns[number - 1];
  if (turn === undefined) {
    throw new RequestRefusedError(
      'script_has_no_turn',
      `The script has ${entry.turns.length} turns for ${describeEntry(entry)}, and was asked for turn ${number} (${describeAddress(address)}). The last message was: ${lastMessage(request)}`,
    );
  }
  const asked = `${describeEntry(entry)}, turn ${number}`;
  checkExpectations(turn, request, asked);
  checkTools(turn, request, asked);
  checkSchema(turn, request, asked);
  return { turn, spoiled };
}

/** A model that is only looked up answers without an entry of the script. */
const checkEntry: ScriptEntry = {
  role: 'check',
  turns: [{ text: 'ready', calls: [], expect: [], structured: false }],
};

function findEntry(script: Script, address: RequestAddress, messages: ChatRequestMessage[]): ScriptEntry {
  const said = messages.findLast(isSaid)?.content ?? '';
  const fitting = script.entries.filter(
    (entry) =>
      entry.role === address.role &&
      (entry.feature === undefined || entry.feature === address.feature) &&
      (entry.attempt === undefined || entry.attempt === address.attempt) &&
      (entry.after === undefined || said.includes(entry.after)),
  );
  const [best] = fitting.sort((one, other) => specificity(other) - specificity(one));
  if (best !== undefined) return best;
  if (address.role === checkEntry.role) return checkEntry;
  const nearby = script.entries.filter((entry) => entry.role === address.role || entry.feature === address.feature);
  const listed = (nearby.length > 0 ? nearby : script.entries).map((entry) => `  ${describeEntry(entry)}`);
  throw new RequestRefusedError(
    'script_has_no_entry',
    `The script has no entry for ${describeAddress(address)}. ${nearby.length > 0 ? 'Nearby entries' : 'Its entries'}:\n${listed.join('\n')}`,
  );
}

function specificity(entry: ScriptEntry): number {
  return (entry.feature === undefined ? 0 : 2) + (entry.attempt === undefined ? 0 : 1) + (entry.after?.length ?? 0) * 4;
}

/** A message that is only a note of Longhaul, e.g. after an answer that was cut off. */
const note = /^\[Longhaul: [^\]]*\]$/;

/** True for a message that a person wrote. */
function isSaid({ role, content }: ChatRequestMessage): boolean {
  return role === 'user' && content !== '' && !note.test(content);
}

function countTurn(script: Script, entry: ScriptEntry, address: RequestAddress, messages: ChatRequestMessage[]) {
  const { startAgainAfter } = script;
  const restart =
    entry.after !== undefined
      ? messages.findLastIndex(isSaid)
      : startAgainAfter === undefined
        ? -1
        : messages.findLastIndex(
            (message) => message.role !== 'assistant' && message.content.includes(startAgainAfter),
          );
  const answers = messages.slice(restart + 1).filter((message) => message.role === 'assistant');
  const wrong = answers.filter(isSpoiledAnswer).length;
  const number = restart === -1 ? address.turn - wrong : answers.length - wrong + 1;
  const lastGood = answers.findLastIndex((message) => !isSpoiledAnswer(message));
  return { number: Math.max(number, 1), spoiled: answers.length - 1 - lastGood };
}

function checkExpectations(turn: ScriptTurn, request: ChatRequest, asked: string): void {
  if (turn.expect.length === 0) return;
  const text = messagesText(request.messages);
  const missing = turn.expect.filter((expected) => !text.includes(expected));
  if (missing.length === 0) return;
  throw new RequestRefusedError(
    'script_expectation_failed',
    `The script (${asked}) expects the request's messages to say ${missing.map((expected) => JSON.stringify(expected)).join(' and ')}, and they do not. They begin: ${text.slice(0, 300)}`,
  );
}

function checkTools(turn: ScriptTurn, request: ChatRequest, asked: string): void {
  const offered = (request.tools ?? []).map((tool) => tool.function.name);
  const missing = turn.calls.map((call) => call.tool).filter((tool) => !offered.includes(tool));
  if (missing.length === 0) return;
  throw new RequestRefusedError(
    'script_tool_not_offered',
    `The script (${asked}) calls ${missing.join(', ')}; the request offers ${offered.join(', ') || 'no tools'}.`,
  );
}

function checkSchema({ structured, text, calls }: ScriptTurn, request: ChatRequest, asked: string): void {
  const schema = request.answer_schema;
  if (schema && calls.length === 0) checkFits(text ?? '', schema, asked);
  if (structured && !schema) {
    throw new RequestRefusedError('no_schema', `The script (${asked}) expects a request with a schema for its answer.`);
  }
}

function lastMessage(request: ChatRequest): string {
  return (request.messages.at(-1)?.content ?? '').slice(0, 300);
}
