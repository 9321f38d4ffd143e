import type { ChatStep } from '../../db/chats/read-history.ts';
import { describeCall } from '../../db/transcript/describe-call.ts';
import type { ConversationControl } from '../chats/conversation-control.ts';
import { printableLine } from '../render/printable.ts';

/** Exchanges in which a result is looked for. */
const maxExchanges = 20;
/** Maximum characters shown of a call's subject. */
const maxSubject = 1_000;

/** What may follow `/show`. */
export const showable = ['answer', 'thoughts'];

/** `/show`: opens the result of the last tool call or of the n-th last, the last answer, or the thoughts behind it. */
export async function showResult({ chat, print, page, thoughts }: ConversationControl, what: string): Promise<void> {
  if (what === 'thoughts')
    return page(thoughts() || 'The model has shown no thoughts since you opened this conversation.');
  const history = await chat().history({ last: maxExchanges });
  if (what === 'answer') {
    const answered = history.findLast(({ answer }) => answer);
    return answered ? page(answered.answer, { markdown: true }) : print('There is no answer yet.');
  }
  const number = what === '' ? 1 : Number(what);
  if (!Number.isInteger(number) || number < 1)
    return print(`Expected /show, /show <n>, /show answer or /show thoughts, got /show ${what}.`);
  const calls = history.flatMap(({ steps }) => steps.filter(isCall));
  const call = calls.at(-number);
  if (!call) return print(calls.length ? `There are only ${calls.length} results.` : 'There are no results yet.');
  const subject = describeCall({ id: '', name: call.tool, arguments: call.arguments }, maxSubject);
  const result = call.failed === null ? '(still running)' : call.result;
  await page(`${printableLine(`${call.tool} ${subject}`)}\n\n${result}`);
}

type Call = Extract<ChatStep, { type: 'tool' }>;

function isCall(step: ChatStep): step is Call {
  return step.type === 'tool';
}
