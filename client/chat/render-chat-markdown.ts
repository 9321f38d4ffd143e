import type { ChatExchange, ChatStep } from '../../db/chats/read-history.ts';
import { plainMarkdown } from '../format/plain-markdown.ts';

/** Renders a chat as plain Markdown: without HTML, pictures and secrets in what was said. */
export function renderChatMarkdown(name: string, history: ChatExchange[]): string {
  const parts = history.flatMap(({ said, steps, reason, createdAt }) => [
    `## ${createdAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    said.replace(/^/gm, '> '),
    ...steps.map(renderStep),
    ...(reason === null ? [] : [`*${reason}*`]),
  ]);
  return plainMarkdown(`${[`# ${name}`, ...parts].join('\n\n')}\n`);
}

function renderStep(step: ChatStep): string {
  if (step.type === 'text') return step.text;
  const mark = step.failed ? ', which failed' : '';
  return [`\`${step.tool}\`${mark}:`, fenced(step.arguments), ...(step.result ? [fenced(step.result)] : [])].join(
    '\n\n',
  );
}

/** Uses a fence longer than any in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
