import { describeFeedback } from '../../domain/project/decision-feedback.ts';
import { shortCheckpoint, shortCommit } from '../format/commit.ts';
import { formatCost } from '../format/cost.ts';
import { countOf, formatCount } from '../format/count.ts';
import { plainMarkdown } from '../format/plain-markdown.ts';
import { formatDuration, formatElapsed, formatMoment } from '../format/time.ts';
import type { SessionSummary } from '../project/session-summaries.ts';
import type { Report } from './read-report.ts';

/** Renders a project's report as plain Markdown: without HTML, pictures and secrets in what others wrote. */
export function renderReport(report: Report): string {
  const sections = [
    head(report),
    `## Goal\n\n${quote(report.status.goal)}`,
    features(report),
    problems(report),
    sessions(report),
    decisions(report),
    checkpoints(report),
    reverts(report),
  ];
  return plainMarkdown(`${sections.filter(Boolean).join('\n\n')}\n`);
}

function head({ status, branch, summary }: Report): string {
  const { features: count, tokens } = status;
  const lines = [
    `# ${oneLine(status.name)}`,
    '',
    `**${status.status}**${status.reason ? `: ${oneLine(status.reason)}` : ''}`,
    '',
    `- ${count.PASSING} of ${countOf(count.total, 'feature')} passing after ${countOf(status.sessions, 'session')}`,
    `- begun ${formatMoment(status.startedAt)}, ${status.endedAt ? `ended ${formatMoment(status.endedAt)}` : 'not ended'}, ${formatDuration(status.elapsedMs)}`,
    `- ${countOf(status.turns, 'turn')}, ${formatCount(tokens.input)} input tokens (${formatCount(tokens.cached)} cached), ${formatCount(tokens.output)} output tokens; cost: ${formatCost(status.cost)}`,
    `- in \`${status.folder}\`, branch \`${branch}\``,
    `- project \`${status.id}\``,
  ];
  return summary ? `${lines.join('\n')}\n\n${summary}` : lines.join('\n');
}

function features({ features: all }: Report): string {
  if (!all.length) return '## Features\n\nThere are no features.';
  const rows = all.map(({ name, category, priority, status, attempts, commit }) => [
    name,
    category,
    String(priority),
    status,
    String(attempts),
    commit ? shortCommit(commit) : '',
  ]);
  return `## Features\n\n${table(['feature', 'category', 'priority', 'status', 'failed attempts', 'commit'], rows)}`;
}

function problems({ status, features: all }: Report): string {
  const open = all
    .filter((feature) => feature.status === 'BLOCKED' || feature.status === 'FAILING')
    .map(({ name, status, reason }) => `- **${name}** is ${status}${reason ? `: ${oneLine(reason)}` : ''}`);
  if (status.status === 'WAITING' || status.status === 'FAILED')
    open.unshift(`- The project is ${status.status}: ${oneLine(status.reason ?? 'no reason given')}`);
  return open.length ? `## Open problems\n\n${open.join('\n')}` : '';
}

function sessions({ sessions: all }: Report): string {
  if (!all.length) return '';
  return `## Sessions\n\n${all.map(session).join('\n\n')}`;
}

function session(one: SessionSummary): string {
  const facts = [
    one.commit && `commit \`${shortCommit(one.commit)}\``,
    countOf(one.turns, 'turn'),
    `${formatCount(one.tokens)} tokens`,
    formatElapsed(one.startedAt, one.endedAt),
  ].filter(Boolean);
  const shown = one.filesChanged.slice(0, 20).map((path) => `\`${path}\``);
  const more = one.filesChanged.length - shown.length;
  return [
    `### ${one.number}. ${one.feature}, attempt ${one.attempt}: ${one.status}`,
    '',
    facts.join(', '),
    ...(one.reason ? ['', quote(one.reason)] : []),
    ...(shown.length ? ['', `Files: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`] : []),
  ].join('\n');
}

function decisions({ decisions: all }: Report): string {
  if (!all.length) return '';
  const entries = all.map((one) =>
    [
      `### ${oneLine(one.title)}`,
      '',
      `- context: ${oneLine(one.context)}`,
      `- choice: ${oneLine(one.choice)}`,
      `- reasoning: ${oneLine(one.reasoning)}`,
      ...(one.tags.length ? [`- tags: ${one.tags.map(oneLine).join(', ')}`] : []),
      ...(one.feedback ? [`- outcome: ${oneLine(describeFeedback(one.feedback))}`] : []),
    ].join('\n'),
  );
  return `## Decisions\n\n${entries.join('\n\n')}`;
}

function checkpoints({ checkpoints: all, present }: Report): string {
  if (!all.length) return '';
  const rows = all.map(({ id, commit, title, createdAt }) => [
    shortCheckpoint(id),
    shortCommit(commit),
    title,
    formatMoment(createdAt),
    present.includes(id) ? '' : 'reverted',
  ]);
  return `## Checkpoints\n\n${table(['checkpoint', 'commit', 'what passed', 'when', ''], rows)}`;
}

function reverts({ reverts: all }: Report): string {
  if (!all.length) return '';
  const lines = all.map(
    ({ checkpoint, keptRef, reason, at }) =>
      `- ${formatMoment(at)}: back to ${shortCheckpoint(checkpoint)}${reason ? ` (${oneLine(reason)})` : ''}${keptRef ? `; the previous state is at \`${keptRef}\`` : ''}`,
  );
  return `## Reverts\n\n${lines.join('\n')}`;
}

/** Renders a table; each cell is put on one line, with `|` escaped. */
export function table(header: string[], rows: string[][]): string {
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n');
}

function cell(text: string): string {
  return oneLine(text).replaceAll('|', '\\|') || ' ';
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Quotes other people's text, so that its headings do not become the report's. */
export function quote(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => (line ? `> ${line}` : '>'))
    .join('\n');
}
