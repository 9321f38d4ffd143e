import type { ChatStreamEvent } from '../../../client/chat/chat-handle.ts';

/** What an agent does right now, for the lines below its answer. Times are in milliseconds since 1970. */
export interface Activity {
  phase: 'waiting' | 'thinking' | 'answering' | 'calling';
  /** When that began. */
  since: number;
  /** The model's thoughts in this turn. */
  thoughts: string;
  /** The calls of the turn that have no result yet; `output` is the last line that it wrote. */
  calls: Array<{ call: string; tool: string; preview: string; output?: string }>;
  /** Why the model is asked again. */
  delay?: string | undefined;
  /** Since when no worker reports. */
  silentSince?: number | undefined;
}

/** The activity after an event; undefined while nothing is being answered. */
export function reduceActivity(
  activity: Activity | undefined,
  event: ChatStreamEvent,
  now: number,
): Activity | undefined {
  if (event.type === 'answer' || event.type === 'failure') return undefined;
  if (event.type === 'message.received') return activity ?? begin(now);
  const { phase, since, calls } = activity ?? begin(now);
  const goOn = (next: Activity['phase'], more: Partial<Activity> = {}): Activity => ({
    ...{ phase: next, since: next === phase ? since : now, thoughts: '', calls: [] },
    ...more,
  });
  switch (event.type) {
    case 'answer.started':
      return begin(now);
    case 'thinking':
      return goOn('thinking', { thoughts: (activity?.thoughts ?? '') + event.text });
    case 'delta':
      return goOn('answering');
    // One outage counts from its first failure to the first word.
    case 'answer-restarted':
    case 'answer-delayed': {
      const delay = event.why ?? activity?.delay;
      return goOn('waiting', { since: activity?.delay === undefined ? now : since, delay });
    }
    case 'tool-began': {
      const { call, tool, preview } = event;
      return goOn('calling', { calls: [...(phase === 'calling' ? calls : []), { call, tool, preview }] });
    }
    case 'tool.output':
      return goOn('calling', {
        calls: calls.map((one) => (one.call === event.call ? { ...one, output: event.line } : one)),
      });
    case 'tool-ended': {
      const left = calls.filter(({ call }) => call !== event.call);
      return left.length ? goOn('calling', { since: now, calls: left }) : goOn('waiting');
    }
    case 'worker-silent':
      return activity && { ...activity, silentSince: activity.silentSince ?? now };
    case 'worker-back':
      return activity && { ...activity, silentSince: undefined };
    default:
      return activity;
  }
}

function begin(now: number): Activity {
  return { phase: 'waiting', since: now, thoughts: '', calls: [] };
}
