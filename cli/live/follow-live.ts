import { setTimeout as sleep } from 'node:timers/promises';
import type { AnswerEvent } from '../../client/events/answer-reader.ts';
import type { ProjectHandle } from '../../client/project/project-handle.ts';
import type { ProjectEvent } from '../../domain/run/event.ts';
import { findBegin } from './find-begin.ts';
import { createLiveState, type LiveState, reduceLiveState } from './live-state.ts';
import type { ScreenWriter } from './screen-writer.ts';
import { watchStandstill } from './watch-standstill.ts';

/** Milliseconds for the last events of an ended project to arrive. */
const catchUpTime = 3_000;
/** Milliseconds without an event or a piece of an answer after which the reason is looked for. */
const quietTime = 5_000;

export interface FollowLiveOptions {
  writer: ScreenWriter;
  /** Aborting stops following. */
  signal: AbortSignal;
  /** Events up to this number only build up the state, except that their last `earlier` lines are shown. */
  from: number;
  earlier: number;
  /** Says why the project stands still; undefined if nothing is known. */
  findStandstill(): Promise<string | undefined>;
  /** True if following ends with this event; called only for events after `from`. */
  isOver(event: ProjectEvent, state: LiveState): boolean | Promise<boolean>;
}

/** Shows a project as it progresses; resolves with its state when it is over or the signal aborts. */
export async function followLive(project: ProjectHandle, options: FollowLiveOptions): Promise<LiveState> {
  const { writer, from } = options;
  const over = new AbortController();
  const signal = AbortSignal.any([options.signal, over.signal]);
  const { name, startedAt } = await project.status();
  const begin = await findBegin(project, from, options.earlier, writer.isShown);
  let state = createLiveState({ name, startedAt });
  const onTrouble = (trouble: Error | undefined) =>
    writer.note(trouble ? `${trouble.message} Waiting for the server.` : 'The server is back.');

  let heardAt = Date.now();
  const isQuiet = () =>
    (state.status === 'ACTIVE' || state.status === 'INITIALIZING') && Date.now() - heardAt > quietTime;

  async function onEvent(event: ProjectEvent): Promise<void> {
    heardAt = Date.now();
    state = reduceLiveState(state, { kind: 'event', event });
    if (changesFeatureList(event)) {
      const features = await project.features();
      state = reduceLiveState(state, { kind: 'features', features });
    }
    if (event.number > begin) writer.event(event, state);
    else writer.skip?.(event.data);
    if (event.number > from && (await options.isOver(event, state))) over.abort();
  }

  function onAnswer(event: AnswerEvent): void {
    heardAt = Date.now();
    state = reduceLiveState(state, { kind: 'answer', event });
    writer.answer?.(state);
  }

  // The workflow may be closed from outside, which produces no event.
  const watching = project.waitForEnd({ signal, onTrouble: () => {} });
  const following = project.follow(onEvent, { signal, onTrouble });
  const listening = writer.answer ? project.watchAnswers(onAnswer, { signal }) : undefined;
  const note = (text: string) => writer.note(text);
  const looking = watchStandstill({ signal, isQuiet, findReason: options.findStandstill, note });
  try {
    await Promise.race([following, watching.then(() => sleep(catchUpTime)), ...(listening ? [listening] : [])]);
  } finally {
    over.abort();
    await Promise.allSettled([watching, following, listening, looking]);
    writer.close();
  }
  return state;
}

/** Features not yet worked on have no events of their own, and a revert changes every feature. */
function changesFeatureList({ data }: ProjectEvent): boolean {
  return data.type === 'features.proposed' || data.type === 'project.reverted';
}
