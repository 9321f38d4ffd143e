import wrapAnsi from 'wrap-ansi';
import { formatCount } from '../../client/format/count.ts';
import { formatElapsed } from '../../client/format/time.ts';
import { isTerminal } from '../../domain/project/statuses.ts';
import { alignColumns, truncate } from '../render/columns.ts';
import { printableLine } from '../render/printable.ts';
import { describeCounts, featureMark, paintFeatureStatus, paintStatus } from '../render/status-marks.ts';
import type { Colors } from '../render/style.ts';
import type { LiveAnswer, LiveFeature, LiveState } from './live-state.ts';

export interface Screen {
  columns: number;
  rows: number;
  colors: Colors;
  now: number;
}

/** Lines besides the features and below the rule: head, rule, the summary of hidden features, and two to spare. */
const otherLines = 5;
/** Lines of the activity and the model's words; with fewer, features would jump. */
const minBelow = 4;
/** Maximum features shown: active ones are among them, and the log above stays visible. */
const maxFeatures = 16;

/** Renders the live region at the bottom of the screen. */
export function renderLive(state: LiveState, screen: Screen): string[] {
  const { columns, colors } = screen;
  const below = [...activity(state, screen), ...speech(state, screen)];
  const lines = [
    head(state, screen),
    ...features(state, screen, below.length),
    colors.dim('─'.repeat(Math.max(1, Math.min(columns, 80)))),
    ...below,
  ];
  return lines.map((line) => truncate(line, columns));
}

function head(state: LiveState, { colors, now }: Screen): string {
  const passing = state.features.filter(({ status }) => status === 'PASSING').length;
  const elapsed = formatElapsed(state.startedAt, state.endedAt ?? null, now);
  const parts = [
    colors.bold(printableLine(state.name)),
    paintStatus(state.status, colors),
    ...(state.features.length ? [`${passing}/${state.features.length} passing`] : []),
    elapsed,
    `${formatCount(state.inputTokens + state.outputTokens)} tokens`,
  ];
  return parts.join(colors.dim(' · '));
}

function features({ features: all }: LiveState, { columns, rows, colors }: Screen, below: number): string[] {
  const room = Math.max(1, Math.min(maxFeatures, rows - otherLines - Math.max(minBelow, below)));
  const shown = all.length <= room ? all : pick(all, room - 1);
  const cells = shown.map((feature) => [
    ` ${featureMark(feature.status, colors)}`,
    printableLine(feature.name),
    ...(columns >= 60 ? [colors.dim(feature.category ?? '')] : []),
    paintFeatureStatus(feature.status, colors) + (feature.attempts ? colors.dim(`, ${feature.attempts} failed`) : ''),
  ]);
  const hidden = all.filter((feature) => !shown.includes(feature));
  return [...alignColumns(cells), ...(hidden.length ? [colors.dim(`   and ${describeHidden(hidden)}`)] : [])];
}

/** Picks active and stuck features first, then upcoming ones, then passing ones; returns them in the order of the list. */
function pick(all: LiveFeature[], count: number): LiveFeature[] {
  const urgency = { IN_PROGRESS: 0, INTERRUPTED: 1, FAILING: 1, BLOCKED: 1, NOT_STARTED: 2, PASSING: 3 } as const;
  const chosen = new Set(
    all
      .map((feature, position) => ({ feature, position }))
      .sort(
        (one, other) => urgency[one.feature.status] - urgency[other.feature.status] || one.position - other.position,
      )
      .slice(0, count)
      .map(({ feature }) => feature),
  );
  return all.filter((feature) => chosen.has(feature));
}

function describeHidden(hidden: LiveFeature[]): string {
  const counts = { NOT_STARTED: 0, IN_PROGRESS: 0, INTERRUPTED: 0, PASSING: 0, FAILING: 0, BLOCKED: 0 };
  for (const { status } of hidden) counts[status] += 1;
  return describeCounts(counts);
}

/** The current activity in one line, or why there is none, which is never cut. */
function activity(state: LiveState, { columns, colors }: Screen): string[] {
  const { session, run, reason, status } = state;
  const wrap = (text: string) => wrapAnsi(text, columns, { hard: true }).split('\n');
  if (status === 'PAUSED' || status === 'WAITING') return wrap(colors.yellow(printableLine(reason ?? status)));
  if (isTerminal(status) && reason) return wrap(printableLine(reason));
  const where = session ? `session ${session.number}, ${session.feature}, attempt ${session.attempt}` : undefined;
  const answer = answerOf(state);
  const call = answer ? undefined : run?.tools[0];
  const more = run && run.tools.length > 1 ? ` (and ${run.tools.length - 1} more)` : '';
  const what = run
    ? `${run.role}, turn ${answer?.turn ?? run.turn}: ${call ? `${call.tool} ${call.preview}${more}` : describeAnswer(answer)}`
    : (state.doing ?? reason ?? 'waiting for a worker');
  return [printableLine([where, what].filter(Boolean).join(' · '))];
}

/**
 * The model's answer in the current turn. Answers stream immediately while events are polled a few times a second, so an answer to a later turn means
 * that the previous turn's tools are done.
 */
function answerOf({ run, answer }: LiveState): LiveAnswer | undefined {
  if (!run || answer?.run !== run.id) return undefined;
  const isNow = answer.turn > run.turn || (answer.turn === run.turn && run.tools.length === 0);
  return isNow ? answer : undefined;
}

function describeAnswer(answer: LiveAnswer | undefined): string {
  const again = answer?.why ?? (answer && answer.attempt > 1 ? `attempt ${answer.attempt}` : undefined);
  const what = {
    waiting: 'waiting for the model',
    reasoning: 'thinking',
    text: 'answering',
    'tool-call': `calling ${answer?.tool}`,
  }[answer?.kind ?? 'waiting'];
  return again ? `${what} (asked again: ${again})` : what;
}

/** How many lines of the model's words are shown. */
const speechLines = 3;

/** The end of what the model is saying. */
function speech(state: LiveState, { columns, colors }: Screen): string[] {
  const answer = answerOf(state);
  // A call's arguments are JSON; unescape them, since a person would rather read the text inside.
  const said = answer?.kind === 'tool-call' ? answer.text.replaceAll('\\n', ' ').replaceAll('\\"', '"') : answer?.text;
  const text = printableLine(said ?? '');
  const width = Math.max(1, columns - 2);
  const from = Math.max(0, Math.ceil(text.length / width) - speechLines) * width;
  return Array.from({ length: Math.ceil((text.length - from) / width) }, (_, line) =>
    colors.dim(`  ${text.slice(from + line * width, from + (line + 1) * width)}`),
  );
}
