import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { InboxRequest, Longhaul, ProjectHandle } from '../../../client/index.ts';
import type { ScriptedModel } from '../../../testing/index.ts';
import { waitFor } from '../wait-for.ts';

/** Waits until a model call is under way. Runs and sessions are given without their project: `s1-work`, `s1`. */
export async function untilAsked(
  model: ScriptedModel,
  project: ProjectHandle,
  run: string,
  turn: number,
): Promise<void> {
  await waitFor(`turn ${turn} of ${run} to be asked`, () =>
    model.requests().some((request) => request.run === `${project.id}-${run}` && request.turn === turn),
  );
}

/** Waits until a turn was answered, so that its tool call is under way. */
export async function untilAnswered(project: ProjectHandle, run: string, turn: number): Promise<void> {
  await waitFor(`turn ${turn} of ${run}`, async () =>
    (await project.log()).some(
      ({ data }) => data.type === 'assistant.message' && data.run === `${project.id}-${run}` && data.turn === turn,
    ),
  );
}

/** Waits until a session's work is committed, but not yet verified; the second commit is the work merged onto the head. */
export async function untilCommitted(
  project: ProjectHandle,
  folder: string,
  session: string,
  number = 1,
): Promise<void> {
  const ref = `refs/longhaul/sessions/${project.id}-${session}/${number}`;
  await waitFor(`commit ${number} of ${session}`, () => existsSync(join(folder, '.git', ref)));
}

/** Waits until a project waits for a person's answer, and returns its first request. */
export async function untilRequested({ inbox }: Pick<Longhaul, 'inbox'>, { id }: ProjectHandle): Promise<InboxRequest> {
  await waitFor(`a request of ${id}`, async () => (await inbox.list(id)).length > 0);
  const [request] = await inbox.list(id);
  if (!request) throw new Error('Expected it to stay.');
  return request;
}
