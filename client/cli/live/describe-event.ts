import type { ProjectEventData } from '../../../db/events/event.ts';
import { shortCheckpoint, shortCommit } from '../../format/commit.ts';
import { countOf, formatCount } from '../../format/count.ts';
import type { Colors } from '../text/colors.ts';
import { printableLine } from '../text/printable.ts';
import { featureMark, paintFeatureStatus, paintStatus } from '../text/status-marks.ts';

export interface EventLine {
  text: string;
  /** Worth a line even where the live region shows what is going on. */
  major: boolean;
}

/** An event as one line of a log; undefined for those that others tell better. */
export function describeEvent(data: ProjectEventData, colors: Colors): EventLine | undefined {
  const { bold, dim, green, red } = colors;
  const major = (text: string): EventLine => ({ text: printableLine(text), major: true });
  const minor = (text: string): EventLine => ({ text: dim(`  ${printableLine(text)}`), major: false });
  const because = (reason: string | undefined) => (reason ? `: ${printableLine(reason)}` : '');
  switch (data.type) {
    case 'project-changed':
      return { text: `project ${paintStatus(data.status, colors)}${because(data.reason)}`, major: true };
    case 'features-proposed':
      return major(`${countOf(data.count, 'feature')} planned. ${data.summary}`);
    case 'feature-changed':
      // A session's start says it better.
      if (data.status === 'IN_PROGRESS') return undefined;
      return {
        text: `${featureMark(data.status, colors)} ${bold(printableLine(data.feature))} ${paintFeatureStatus(data.status, colors)}${data.status === 'PASSING' ? '' : because(data.reason)}`,
        major: true,
      };
    case 'session-started':
      return {
        text: `session ${data.number}: ${bold(printableLine(data.feature))}, attempt ${data.attempt}`,
        major: true,
      };
    case 'session-ended':
      return {
        text: `session ${data.number} ${paintStatus(data.status, colors)}${data.commit ? ` at ${shortCommit(data.commit)}` : ''}, ${formatCount(data.tokens)} tokens${data.status === 'PASSED' ? '' : because(data.reason)}`,
        major: true,
      };
    case 'sandbox-opened':
      return minor(`sandbox ${data.sandbox} ${data.origin}`);
    case 'run-started':
      return minor(`${data.role} begins, on ${data.model}`);
    case 'run-ended':
      return minor(`${data.role} ${data.status}: ${data.result}`);
    case 'turn-completed':
      return minor(
        `turn ${data.turn}, ${formatCount(data.inputTokens)} in, ${formatCount(data.outputTokens)} out${data.text ? `: ${data.text}` : ''}`,
      );
    case 'tool-started':
      return undefined;
    case 'tool-completed': {
      const mark = data.failed ? red('✗') : green('✓');
      return { text: `  ${mark} ${dim(`${data.tool} ${printableLine(data.preview)}`)}`, major: false };
    }
    case 'decision-recorded':
      return major(`decision: ${data.title}: ${data.choice}`);
    case 'progress-logged':
      return isHarnessEntry(data.action) ? undefined : minor(`progress: ${data.action}: ${data.outcome}`);
    case 'verification-completed': {
      const mark = data.passed ? green('✓') : red('✗');
      const what = data.purpose === 'session' ? 'verification of' : 'still passing?';
      const text = `${mark} ${what} ${printableLine(data.feature)} at ${shortCommit(data.commit)}${data.passed ? '' : because(data.reason)}`;
      return { text, major: data.purpose === 'session' || !data.passed };
    }
    case 'checkpoint-created':
      return major(`checkpoint ${shortCheckpoint(data.checkpoint)}: ${data.title} at ${shortCommit(data.commit)}`);
    case 'project-reverted':
      return major(
        `reverted to ${shortCheckpoint(data.checkpoint)} at ${shortCommit(data.commit)}; what was left is at ${data.keptRef}${data.reason ? ` (${data.reason})` : ''}`,
      );
  }
}

/** Entries that come with a plan, the end of a session or a revert, which have an event of their own. */
function isHarnessEntry(action: string): boolean {
  return action === 'plan' || action === 'revert' || /, attempt \d+$/.test(action);
}
