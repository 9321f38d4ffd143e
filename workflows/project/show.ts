import { upsertSearchAttributes } from '@temporalio/workflow';
import { database } from '../activities.ts';
import { statusAttribute } from '../search-attributes.ts';
import type { ProjectState, View } from './project-state.ts';

/** Stores the status that a person sees; one write at a time, so that the latest stays. */
export async function show(state: ProjectState, view: View): Promise<void> {
  const { status, reason } = view;
  const { projectId } = state;
  state.showing();
  upsertSearchAttributes([{ key: statusAttribute, value: status }]);
  try {
    await database.setProjectStatus({ projectId, status, ...(status !== 'ACTIVE' && { reason }) });
    state.shown(view);
  } finally {
    state.showingEnded();
  }
}
