import { setTimeout as sleep } from 'node:timers/promises';
import { readEvents } from '../../db/events/read-events.ts';
import { readSession, type SessionRow } from '../../db/project/sessions.ts';
import { readInbox } from '../../db/requests/requests.ts';
import type { ProjectEventData } from '../../domain/run/event.ts';
import { fence } from '../fence.ts';
import type { ProjectToolCall, ProjectToolDependencies, ProjectToolResult } from './project-tools.ts';

/** Milliseconds between looks. */
const lookPause = 500;
/** Milliseconds after which the caller is told to look later; a person answers a chat meanwhile, and a client may have given up. */
const maxWait = 30 * 60_000;

interface Verification {
  projectId: string;
  feature: string;
  sessionId: string;
  /** The number of the last event before it. */
  from: number;
  /** The project's status if the session had begun earlier. */
  standing?: ProjectChanged | undefined;
}

type ProjectChanged = Extract<ProjectEventData, { type: 'project.changed' }>;

/** Waits for the end of a session that verifies a feature, and reports what happens; the verdict is Longhaul's. */
export async function followVerification(
  use: ProjectToolDependencies['use'],
  { projectId, feature, sessionId, from, standing }: Verification,
  { signal, report }: ProjectToolCall,
): Promise<ProjectToolResult> {
  const later = `The verification continues as session ${sessionId}; get_project_status shows how it stands.`;
  const deadline = Date.now() + maxWait;
  let last = from;
  // Since the session began: the row may still have the status before it.
  let changed = standing;
  while (Date.now() < deadline) {
    const events = await use((database) => readEvents(database, projectId, { after: last }));
    last = events.at(-1)?.number ?? last;
    for (const { data } of events) {
      if (data.type === 'session.started' && data.session === sessionId) changed = undefined;
      if (data.type === 'project.changed') changed = data;
      const text = describe(data);
      if (text) report?.(text);
    }
    const session = await use((database) => readSession(database, sessionId));
    if (session.status !== 'RUNNING') return describeEnd(session, feature);
    const inbox = await use((database) => readInbox(database, projectId));
    const asked = inbox.find((one) => one.sessionId === sessionId);
    if (asked) {
      return {
        text: `The verification passed, and a person has to answer before it counts:\n${fence('a request', asked.asked)}\n\`longhaul answer ${asked.id} yes\` or no answers.`,
        display: `waits for \`longhaul answer ${asked.id} yes\``,
      };
    }
    if (changed?.status === 'PAUSED' || changed?.status === 'WAITING') {
      const why = fence('the project', changed.reason ?? '');
      return { failed: true, text: `The project is ${changed.status}:\n${why}\n${later}` };
    }
    await sleep(lookPause, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
  return { text: later };
}

function describeEnd({ status, reason, commit }: SessionRow, feature: string): ProjectToolResult {
  const verdict = fence('the verification', reason ?? '', 'No reason was given.');
  if (status === 'PASSED') {
    return {
      text: `"${feature}" is PASSING: Longhaul verified it at commit ${commit?.slice(0, 12)}.\n${verdict}`,
      display: 'passed',
    };
  }
  return { failed: true, text: `"${feature}" is not PASSING: its verification did not pass.\n${verdict}` };
}

function describe(event: ProjectEventData): string | undefined {
  switch (event.type) {
    case 'session.started':
      return `session ${event.number} begins: ${event.feature}`;
    case 'sandbox.opened':
      return 'the sandbox is open';
    case 'verification.completed':
      return `${event.feature} at ${event.commit.slice(0, 8)} (${event.purpose}): ${event.passed ? 'passed' : 'did not pass'}`;
    case 'checkpoint.created':
      return `checkpoint at ${event.commit.slice(0, 8)}`;
    default:
      return undefined;
  }
}
