import { shortCheckpoint, shortCommit } from '../../client/format/commit.ts';
import { countOf, formatCount, formatTokens } from '../../client/format/count.ts';
import type { ProjectEventData } from '../../domain/run/event.ts';
import { shorten } from '../../domain/storable-text.ts';
import { printableLine } from '../render/printable.ts';
import { featureMark, paintFeatureStatus, paintStatus } from '../render/status-marks.ts';
import type { Colors } from '../render/style.ts';

export interface EventLine {
  text: string;
  /** Worth a line even while the live region shows the current activity. */
  major: boolean;
  /** Says why a project stands still: never cut. */
  whole?: boolean;
}

/** Maximum length of a line for a minor step, in characters. */
const minorLength = 180;

const verificationOf = {
  base: 'fails without the work?',
  session: 'verification of',
  regression: 'still passing?',
} as const;

/** An event as one line of a log; undefined if another event says it better. `call` is the preview of a completed tool call's arguments. */
export function describeEvent(data: ProjectEventData, colors: Colors, call?: string): EventLine | undefined {
  const { bold, dim, green, red } = colors;
  const major = (text: string): EventLine => ({ text: printableLine(text), major: true });
  const minor = (text: string): EventLine => ({ text: dim(`  ${short(text)}`), major: false });
  const because = (reason: string | undefined) => (reason ? `: ${printableLine(reason)}` : '');
  switch (data.type) {
    case 'project.changed':
      if (data.status === 'INITIALIZING' && !data.reason) return undefined; // the next event says what is being done
      return { text: `project ${paintStatus(data.status, colors)}${because(data.reason)}`, major: true, whole: true };
    case 'features.proposed':
      return major(`${countOf(data.count, 'feature')} planned. ${data.summary}`);
    case 'feature.changed':
      // `session.started` says it better.
      if (data.status === 'IN_PROGRESS') return undefined;
      return {
        text: `${featureMark(data.status, colors)} ${bold(printableLine(data.feature))} ${paintFeatureStatus(data.status, colors)}${data.status === 'PASSING' ? '' : because(data.reason)}`,
        major: true,
        whole: data.status === 'BLOCKED',
      };
    case 'session.started':
      return {
        text: `session ${data.number}: ${bold(printableLine(data.feature))}, attempt ${data.attempt}`,
        major: true,
      };
    case 'session.ended':
      return {
        // Why it did not pass is in the `feature.changed` event.
        text: `session ${data.number} ${paintStatus(data.status, colors)}${data.commit ? ` at ${shortCommit(data.commit)}` : ''}, ${formatCount(data.tokens)} tokens`,
        major: true,
      };
    case 'sandbox.opened':
      return minor(`sandbox ${data.sandbox} ${data.origin}`);
    case 'network.refused':
      return major(`network refused: ${data.refusals.map(({ why }) => why).join('; ')}`);
    case 'run.started':
      return minor(`${data.role} begins, on ${data.model}`);
    case 'run.ended':
      return minor(`${data.role} ${data.status}: ${data.result}`);
    case 'assistant.message':
      return minor(
        `turn ${data.turn}, ${formatTokens(data.inputTokens)} in, ${formatTokens(data.outputTokens)} out${data.text ? `: ${data.text}` : ''}`,
      );
    case 'tool.result': {
      const mark = data.failed ? red('✗') : green('✓');
      return {
        text: `  ${mark} ${dim(short(`${data.tool} ${call ? `${call} → ` : ''}${data.preview}`))}`,
        major: false,
      };
    }
    case 'context.shortened':
      return minor(`older output shortened: ${data.why}`);
    case 'context.compacted':
      return data.failure
        ? major(`summary failed: ${data.failure}`)
        : minor(
            `older turns summarized (${data.why}): from about ${formatCount(data.tokensBefore)} to ${formatCount(data.tokensAfter)} tokens`,
          );
    case 'steering.received':
      return major(`you: ${data.text}`);
    case 'steering.delivered':
      return minor(`steering message: ${data.text}`);
    case 'budget.changed':
      return major(`budget of the ${data.scope}: ${data.text}`);
    case 'models.changed':
      return major(`models: ${data.text}`);
    case 'work.delayed':
      return { ...major(`waiting to retry: ${data.reason}`), whole: true };
    case 'budget.warned':
      return { ...major(`budget: ${data.text}`), whole: true };
    case 'request.opened':
      return { ...major(`waits for you: ${data.text} \`longhaul answer ${data.request} yes|no\``), whole: true };
    case 'request.answered':
      return major(
        `${data.by === 'deadline' ? 'deadline' : 'you'}: ${data.answer} to ${data.request}${because(data.reason)}`,
      );
    case 'checks.changed':
      return major(`checks of ${data.feature} changed`);
    case 'decision.recorded':
      return major(`decision: ${data.title}: ${data.choice}`);
    case 'progress.logged':
      return isHarnessEntry(data.action) ? undefined : minor(`progress: ${data.action}: ${data.outcome}`);
    case 'verification.completed': {
      const mark = data.passed ? green('✓') : red('✗');
      const text = `${mark} ${verificationOf[data.purpose]} ${printableLine(data.feature)} at ${shortCommit(data.commit)}`;
      return { text, major: data.purpose === 'session' || !data.passed };
    }
    case 'checkpoint.created':
      return major(`checkpoint ${shortCheckpoint(data.checkpoint)}: ${data.title} at ${shortCommit(data.commit)}`);
    case 'project.reverted':
      return major(
        `reverted to ${shortCheckpoint(data.checkpoint)} at ${shortCommit(data.commit)}; the previous state is at ${data.keptRef}${data.reason ? ` (${data.reason})` : ''}`,
      );
  }
}

function short(text: string): string {
  return shorten(printableLine(text), minorLength);
}

/** Entries written with a plan, the end of a session or a revert, each of which has an event of its own. */
function isHarnessEntry(action: string): boolean {
  return action === 'plan' || action === 'revert' || /, attempt \d+$/.test(action);
}
