import type { AnswerEvent } from '../../client/events/answer-reader.ts';
import { type Category, type FeatureStatus, isTerminal, type ProjectStatus } from '../../domain/project/statuses.ts';
import type { ProjectEvent, ProjectEventData } from '../../domain/run/event.ts';

export interface LiveFeature {
  name: string;
  category: Category | null;
  status: FeatureStatus;
  /** Attempts that ended without passing. */
  attempts: number;
}

/** The agent run in progress. */
export interface LiveRun {
  id: string;
  role: string;
  /** The current turn. */
  turn: number;
  /** Calls of the turn that have no result yet, in order. */
  tools: Array<{ position: number; tool: string; preview: string }>;
}

/** The live view's model of a project, built only from its events and, once planned, the list of features. */
export interface LiveState {
  name: string;
  status: ProjectStatus;
  reason: string | undefined;
  startedAt: Date;
  endedAt: Date | undefined;
  features: LiveFeature[];
  session: { id: string; number: number; feature: string; attempt: number } | undefined;
  run: LiveRun | undefined;
  /** The model's answer so far; only if answers are watched. */
  answer: LiveAnswer | undefined;
  /** What happens between runs, such as a verification. */
  doing: string | undefined;
  inputTokens: number;
  outputTokens: number;
  lastEvent: number;
}

export type LiveAction =
  | { kind: 'event'; event: ProjectEvent }
  | { kind: 'answer'; event: AnswerEvent }
  /** The features according to the database. */
  | { kind: 'features'; features: LiveFeature[] };

export function createLiveState(project: { name: string; startedAt: Date }): LiveState {
  return {
    ...project,
    status: 'INITIALIZING',
    reason: undefined,
    endedAt: undefined,
    features: [],
    session: undefined,
    run: undefined,
    answer: undefined,
    doing: undefined,
    inputTokens: 0,
    outputTokens: 0,
    lastEvent: 0,
  };
}

/** The state after an action; an event already seen changes nothing. */
export function reduceLiveState(state: LiveState, action: LiveAction): LiveState {
  if (action.kind === 'features') return { ...state, features: action.features };
  if (action.kind === 'answer') return { ...state, answer: reduceLiveAnswer(state.answer, action.event) };
  const { event } = action;
  if (event.number <= state.lastEvent) return state;
  return { ...state, lastEvent: event.number, ...changesOf(state, event.data, event.createdAt) };
}

function changesOf(state: LiveState, data: ProjectEventData, at: Date): Partial<LiveState> {
  switch (data.type) {
    case 'project.changed': {
      const ended = isTerminal(data.status);
      return {
        status: data.status,
        reason: data.reason,
        endedAt: ended ? at : undefined,
        ...(ended && { session: undefined, run: undefined, doing: undefined }),
      };
    }
    case 'feature.changed':
      return { features: changeFeature(state.features, data) };
    case 'session.started': {
      const { session: id, number, feature, attempt } = data;
      return { session: { id, number, feature, attempt }, run: undefined, doing: 'opening the sandbox' };
    }
    case 'session.ended':
      return { session: undefined, run: undefined, doing: undefined };
    case 'sandbox.opened':
      return { doing: 'the sandbox is open' };
    case 'run.started':
      return { run: { id: data.run, role: data.role, turn: 1, tools: [] }, doing: undefined };
    case 'run.ended':
      return state.run?.id === data.run ? { run: undefined, doing: afterRun(data.role) } : {};
    case 'assistant.message':
      return {
        inputTokens: state.inputTokens + (data.inputTokens ?? 0),
        outputTokens: state.outputTokens + (data.outputTokens ?? 0),
        // The model has answered: its tool calls run now, then its next turn begins.
        ...(state.run?.id === data.run && {
          run: {
            ...state.run,
            turn: data.tools.length ? data.turn : data.turn + 1,
            tools: data.tools.map((call, position) => ({ position, ...call })),
          },
        }),
      };
    case 'tool.result':
      return state.run?.id === data.run ? { run: { ...state.run, ...withoutTool(state.run, data) } } : {};
    case 'verification.completed':
      if (data.purpose === 'base') return {};
      return {
        doing: data.purpose === 'session' ? 'verified; checking what passed before' : 'checking what passed before',
      };
    case 'project.reverted':
      return { session: undefined, run: undefined, doing: undefined };
    case 'context.compacted':
      return {
        inputTokens: state.inputTokens + (data.inputTokens ?? 0),
        outputTokens: state.outputTokens + (data.outputTokens ?? 0),
      };
    case 'features.proposed':
    case 'request.opened':
    case 'request.answered':
    case 'steering.received':
    case 'steering.delivered':
    case 'checks.changed':
    case 'decision.recorded':
    case 'context.shortened':
    case 'budget.changed':
    case 'models.changed':
    case 'work.delayed':
    case 'network.refused':
    case 'budget.warned':
    case 'progress.logged':
    case 'checkpoint.created':
      return {};
  }
}

function changeFeature(
  features: LiveFeature[],
  { feature: name, status, attempts }: { feature: string; status: FeatureStatus; attempts: number },
): LiveFeature[] {
  const known = features.some((feature) => feature.name === name);
  if (!known) return [...features, { name, category: null, status, attempts }];
  return features.map((feature) => (feature.name === name ? { ...feature, status, attempts } : feature));
}

/** When the last call of a turn completes, the model is asked again. */
function withoutTool(run: LiveRun, data: { position: number; turn: number }): Pick<LiveRun, 'turn' | 'tools'> {
  const tools = run.tools.filter(({ position }) => position !== data.position);
  return { tools, turn: tools.length ? run.turn : data.turn + 1 };
}

function afterRun(role: string): string | undefined {
  if (role === 'planner') return 'planned; starting the work';
  if (role === 'initializer') return 'writing the first commit';
  return 'committing and verifying in a fresh sandbox';
}

/** The answer that a model is currently giving. */
export interface LiveAnswer {
  run: string;
  turn: number;
  /** Above 1 if the model is asked again. */
  attempt: number;
  why?: string;
  /** The current kind of output; `tool` is the name of the tool whose call is being written. */
  kind: 'waiting' | 'text' | 'reasoning' | 'tool-call';
  tool?: string;
  /** The end of that output. */
  text: string;
}

/** How many characters of the end are kept; more than the view shows. */
const tailLength = 2_000;

/** The answer after an event; undefined once it is complete. */
export function reduceLiveAnswer(answer: LiveAnswer | undefined, event: AnswerEvent): LiveAnswer | undefined {
  if (event.type === 'tool.output') return answer;
  const { run, turn } = event;
  if (event.type === 'answer.ended') {
    if (answer?.run !== run || event.failure === undefined) return answer?.run === run ? undefined : answer;
    return { run, turn, attempt: answer.attempt, why: event.failure, kind: 'waiting', text: '' };
  }
  if (event.type === 'answer.asked') {
    const { attempt, why } = event;
    return { run, turn, attempt, ...(why && { why }), kind: 'waiting', text: '' };
  }
  if (answer?.run !== run || answer.turn !== turn) return answer;
  const { delta } = event;
  const [piece, tool] = delta.type === 'tool-call' ? [delta.arguments, delta.name] : [delta.text, undefined];
  const goesOn = answer.kind === delta.type && answer.tool === tool;
  const { tool: _, ...rest } = answer;
  const text = ((goesOn ? answer.text : '') + piece).slice(-tailLength);
  return { ...rest, kind: delta.type, ...(tool !== undefined && { tool }), text };
}
