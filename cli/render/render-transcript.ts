import type { Message, MessageContent } from '../../domain/run/message.ts';
import type { Transcript, TranscriptSummary } from '../../domain/run/transcript.ts';
import { printable, printableLine } from './printable.ts';
import type { Colors } from './style.ts';

/** Renders a run's messages, each summary after the last message that it replaced. */
export function renderTranscript(
  { run, messages, summaries }: Pick<Transcript, 'run' | 'messages' | 'summaries'>,
  colors: Colors,
): string {
  const status = run.role === 'chat' ? '' : `, ${run.status}`; // the run of a conversation lasts as long as that
  const head = `${colors.bold(run.id)}  ${run.role} on ${printableLine(run.model)}${status}`;
  const parts = messages.flatMap((message) => [
    renderMessage(message, colors),
    ...summaries
      .filter(({ upToMessage }) => upToMessage === message.number)
      .map((summary) => renderSummary(summary, colors)),
  ]);
  const result = run.result ? [`${colors.bold('result')}\n${printable(run.result)}`] : [];
  return [head, ...parts, ...result].join('\n\n');
}

function renderMessage({ number, turn, role, content }: Message, colors: Colors): string {
  const calls = (content.toolCalls ?? []).map(
    (call) => `${colors.cyan(printableLine(call.name))} ${printable(call.arguments)}`,
  );
  const title = colors.dim(`#${number} ${role}, turn ${turn}`);
  return [title, ...(content.text ? [renderText(content, colors)] : []), ...calls].join('\n');
}

/** Dims what was appended to a person's words for the model. */
function renderText({ text, said = text }: MessageContent, colors: Colors): string {
  const behind = text.slice(said.length);
  return `${printable(said)}${behind && colors.dim(printable(behind))}`;
}

function renderSummary({ upToMessage, turn, shown, failure, written }: TranscriptSummary, colors: Colors): string {
  if (shown === null) {
    const title = `summary of the messages up to #${upToMessage} failed before turn ${turn}: ${printableLine(failure ?? '')}`;
    return [colors.yellow(title), ...(written ? [printable(written)] : [])].join('\n');
  }
  const title = `summary of the messages up to #${upToMessage} except the task, used from turn ${turn} on`;
  return `${colors.yellow(title)}\n${printable(shown)}`;
}
