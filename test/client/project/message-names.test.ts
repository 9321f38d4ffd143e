import { expect, test } from '@jest/globals';
import type { ProjectSignals, ProjectUpdates } from '../../../client/project/project-workflow.ts';
import { projectWorkflowType } from '../../../domain/project/workflow-options.ts';
import { projectWorkflow } from '../../../workflows/index.ts';
import {
  abandonSignal,
  answerRequestSignal,
  pauseSignal,
  resumeSignal,
  revertUpdate,
  runSessionUpdate,
  setBudgetUpdate,
} from '../../../workflows/project/requests/messages.ts';

test('client and workflows use the same message names', () => {
  const signals: Record<keyof ProjectSignals, string> = {
    pause: pauseSignal.name,
    resume: resumeSignal.name,
    abandon: abandonSignal.name,
    answerRequest: answerRequestSignal.name,
  };
  const updates: Record<keyof ProjectUpdates, string> = {
    revertToCheckpoint: revertUpdate.name,
    runSession: runSessionUpdate.name,
    setBudget: setBudgetUpdate.name,
  };
  for (const [name, defined] of Object.entries({ ...signals, ...updates })) expect(defined).toBe(name);
  expect(projectWorkflow.name).toBe(projectWorkflowType);
});
