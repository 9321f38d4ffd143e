import { expect, test } from '@jest/globals';
import type { WorkflowExecutionDescription } from '@temporalio/client';
import { notBegun } from '../../../client/start/start-project.ts';

function describe(...pendingActivities: object[]) {
  return { raw: { pendingActivities } } as unknown as WorkflowExecutionDescription; // as Temporal's API describes it
}

test('a locked repository is not reported as a missing worker', () => {
  const message = 'The repository is locked by index.lock.';
  const lastFailure = { message, applicationFailureInfo: { type: 'RepositoryBusy' } };
  expect(notBegun('p', 60, describe({ lastFailure }))).toMatchObject({
    code: 'ProjectNotStarted',
    failureType: 'RepositoryBusy',
    message: `The project p was started, but could not begin within 60 s. ${message} It begins by itself once this is fixed, within an hour.`,
  });
  for (const description of [describe({}), describe(), undefined]) {
    expect(notBegun('p', 60, description)).toMatchObject({
      code: 'NoWorker',
      message: expect.stringContaining('no worker took it within 60 s'),
    });
  }
});
