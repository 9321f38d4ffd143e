import type { AgentMessage } from '../../domain/agent-run/message.ts';
import { storableText } from '../../domain/storable-text.ts';
import type { Answer, AskOnce, AskOptions } from './ask-model.ts';

/** A piece of the text, then the whole answer, or why there is none. */
export type AnswerPiece = { text: string } | { answer: Answer } | { failure: unknown };

/** Asks a model and gives its text while it is written, the rest of it once the answer is recorded. Whoever stops reading ends the call. */
export function streamAnswer(
  ask: AskOnce,
  messages: AgentMessage[],
  options: AskOptions,
  signal?: AbortSignal,
): ReadableStream<AnswerPiece> {
  const left = new AbortController();
  const both = signal ? AbortSignal.any([signal, left.signal]) : left.signal;
  return new ReadableStream<AnswerPiece>({
    async start(controller) {
      let said = '';
      const say = (text: string) => {
        said += text;
        if (text !== '' && !left.signal.aborted) controller.enqueue({ text });
      };
      try {
        const answer = await ask(messages, options, { signal: both, onText: say });
        if (left.signal.aborted) return;
        if (!answer.text.startsWith(storableText(said)))
          throw new Error('Another process has answered this call in other words.');
        say(answer.text.slice(said.length));
        controller.enqueue({ answer });
      } catch (failure) {
        if (left.signal.aborted) return;
        controller.enqueue({ failure });
      }
      controller.close();
    },
    cancel: () => left.abort(),
  });
}
