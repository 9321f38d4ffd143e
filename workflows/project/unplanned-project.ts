import { condition, patched } from '@temporalio/workflow';
import type { Hold } from '../../domain/project/messages.ts';
import { failure } from '../failures.ts';
import { type ProjectMessages, settled } from './project-messages.ts';

/** Waits in a pause before there are features, and refuses sessions. */
export async function untilResumed(messages: ProjectMessages): Promise<void> {
  if (!patched('refuses-sessions-unplanned')) return condition(() => !messages.hold);
  for (;;) {
    await condition(() => !messages.hold || messages.hasWork());
    if (!messages.hold || messages.mustStop()) return;
    await refuseSessions(messages);
  }
}

/** Refuses what a project is asked for that ended before it had features; false if it is resumed, so that it does not end again. */
export async function endsAgain(messages: ProjectMessages, hold: Hold): Promise<boolean> {
  if (!patched('ends-again-unplanned')) return false;
  for (;;) {
    await settled(messages);
    if (messages.hold !== hold || messages.mustStop()) return false;
    if (!messages.hasWork()) return true;
    await refuseSessions(messages);
  }
}

async function refuseSessions(messages: ProjectMessages): Promise<void> {
  for (let asked = messages.takeSessionRequest(); asked; asked = messages.takeSessionRequest()) {
    await messages.answer(asked, () => {
      throw failure('InvalidInput', 'It has no features yet. `longhaul resume` has them planned.');
    });
  }
}
