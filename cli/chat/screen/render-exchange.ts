import type { ChatExchange } from '../../../db/chats/read-history.ts';
import { truncateMiddle } from '../../render/columns.ts';
import { wrap } from '../../render/markdown/block-style.ts';
import type { Markdown } from '../../render/markdown/load-markdown.ts';
import { printable } from '../../render/printable.ts';
import type { Colors } from '../../render/style.ts';
import { aboutStep, describeEnding, describeTool } from './describe-chat-event.ts';
import { fold } from './fold.ts';

export interface ExchangeStyle {
  colors: Colors;
  markdown: Markdown;
  /** Of the terminal. */
  columns: number;
  /** Formats Longhaul's own lines. */
  formatLine(text: string): string;
  /** Most lines of a message and of a text of the answer. */
  most?: { said: number; answer: number };
}

const all = { said: Number.POSITIVE_INFINITY, answer: Number.POSITIVE_INFINITY };

/** A person's message in lines that fit the screen. */
export function renderSaid(
  text: string,
  { colors, columns, most = all }: Omit<ExchangeStyle, 'markdown' | 'formatLine'>,
) {
  const [first = '', ...rest] = fold(wrap(printable(text), columns - 2), most.said, colors);
  return [`${colors.bold('>')} ${first}`, ...rest];
}

/** An earlier exchange in lines that fit the screen. */
export function renderExchange(exchange: ChatExchange, style: ExchangeStyle): string[] {
  const { colors, columns, markdown, most = all } = style;
  const steps = exchange.steps.flatMap((step) =>
    step.type === 'text'
      ? fold(markdown.render(step.text, columns), most.answer, colors)
      : [truncateMiddle(describeTool(step.tool, step.failed, aboutStep(step), colors), columns)],
  );
  const ending = describeEnding(exchange, style).flatMap((line) => wrap(line, columns));
  return [...renderSaid(exchange.said, style), ...steps, ...ending];
}
