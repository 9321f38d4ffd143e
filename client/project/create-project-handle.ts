import { randomUUID } from 'node:crypto';
import { DatabaseError, unknownFeature } from '../../db/database-error.ts';
import { readEvents, readLatestEvents } from '../../db/events/read-events.ts';
import { type FeatureState, readFeatures } from '../../db/features/features.ts';
import { readCheckpoints, resolveCheckpoint } from '../../db/project/checkpoints.ts';
import { readDecisions } from '../../db/project/decisions.ts';
import type { ProjectRow } from '../../db/project/project-transaction.ts';
import { findProject, refuseToReopen } from '../../db/project/projects.ts';
import { setModels } from '../../db/project/set-models.ts';
import { readRedCommits, readVerifications } from '../../db/project/verifications.ts';
import { addSteeringMessage } from '../../db/steering/add-steering-message.ts';
import { describeAmbiguous, matchReference } from '../../domain/match-reference.ts';
import { isTerminal } from '../../domain/project/statuses.ts';
import type { ProjectRepository } from '../../git/repository/project-repository.ts';
import type { DatabaseAccess } from '../connection/database-access.ts';
import type { TemporalAccess } from '../connection/temporal-access.ts';
import { ClientError } from '../errors.ts';
import { followEvents } from '../events/follow-events.ts';
import { watchAnswers } from '../events/watch-answers.ts';
import { readReport } from '../report/read-report.ts';
import { renderReport } from '../report/render-report.ts';
import { checkSettings } from '../start/check-settings.ts';
import { readBudget } from './budget-view.ts';
import type { ProjectHandle } from './project-handle.ts';
import { readProjectStatus } from './project-status.ts';
import { createProjectWorkflow } from './project-workflow.ts';
import { readCheckpointDiff } from './read-checkpoint-diff.ts';
import { readEvidenceBundle } from './read-evidence-bundle.ts';
import { readTranscript } from './read-transcript.ts';
import { replaceChecks } from './replace-checks.ts';
import { readSessionSummaries } from './session-summaries.ts';
import { untilShown } from './until-shown.ts';
import { waitForEnd } from './wait-for-end.ts';
import { findDefect } from './workflow-defect.ts';

export interface HandleDependencies {
  database: DatabaseAccess;
  temporal: TemporalAccess;
  taskQueue: string;
}

/** The handle of a project that exists. */
export function createProjectHandle(deps: HandleDependencies, id: string): ProjectHandle {
  const { database } = deps;
  const workflow = createProjectWorkflow(deps.temporal, deps.taskQueue, id);

  async function readRow(): Promise<ProjectRow> {
    const row = await database.use((query) => findProject(query, id));
    if (!row) throw new DatabaseError('UnknownProject', `No project has the id "${id}". \`longhaul list\` shows all.`);
    return row;
  }

  const checkpoint = (reference: string) => database.use((query) => resolveCheckpoint(query, id, reference));

  async function expectFeature(reference: string): Promise<FeatureState> {
    const features = await database.use((query) => readFeatures(query, id));
    const [feature, ...others] = matchReference(features, reference, `${id}/`);
    if (feature && others.length === 0) return feature;
    if (!feature) throw unknownFeature(id, reference, features);
    const names = [feature, ...others].map(({ name }) => name);
    throw new DatabaseError('UnknownFeature', describeAmbiguous(reference, 'features', names));
  }

  async function openRepository(): Promise<ProjectRepository> {
    const { openProjectRepository } = await import('../../git/repository/open-project-repository.ts');
    const { folder, branch } = await readRow();
    return openProjectRepository({ folder, branch });
  }

  /** Returns the project's row as it was before the request. */
  async function expectNotEnded(what: string): Promise<ProjectRow> {
    const row = await readRow();
    if (!isTerminal(row.status)) return row;
    throw new ClientError(
      'ProjectEnded',
      `The project ${id} is ${row.status}, so there is nothing to ${what}. \`longhaul resume\` or \`longhaul session\` starts it again.`,
    );
  }

  /** Returns the project's row as it was before the request, which may reopen an ended project. */
  async function expectHome(): Promise<ProjectRow> {
    const row = await readRow();
    await database.use((query) => refuseToReopen(query, row));
    return row;
  }

  return {
    id,
    async pause({ reason, now } = {}) {
      const before = await expectNotEnded('pause');
      await workflow.signal('pause', { ...(reason && { reason }), ...(now && { now }) });
      await untilShown(database, before, (status) => status === 'PAUSED' || isTerminal(status));
    },
    async resume({ model, models } = {}) {
      const named = checkSettings({ model, models });
      const before = await expectHome();
      // Before the signal, so that the next model call already uses them.
      if (Object.keys(named).length) await database.use((query) => setModels(query, id, named));
      await workflow.signalWithStart('resume');
      // A COMPLETED project whose features all pass shows no change, and its old status must not be taken for a new one.
      const rested = before.status !== 'COMPLETED' && before.status !== 'INITIALIZING' && before.status !== 'ACTIVE';
      if (rested) await untilShown(database, before, (status) => status !== before.status);
    },
    async abandon(reason) {
      const before = await expectNotEnded('abandon');
      await workflow.signalWithStart('abandon', reason ? { reason } : {});
      await untilShown(database, before, isTerminal);
    },
    async runSession(request = {}) {
      await expectHome();
      const { feature: reference } = request;
      const feature = reference === undefined ? {} : { feature: (await expectFeature(reference)).name };
      return workflow.updateWithStart('runSession', { ...request, ...feature });
    },
    async revert(request) {
      await checkpoint(request.checkpoint);
      const before = await expectHome();
      const reverted = await workflow.updateWithStart('revertToCheckpoint', request);
      await untilShown(database, before, (status) => status === 'PAUSED');
      return reverted;
    },
    async setBudget(request) {
      await expectNotEnded('budget');
      await workflow.updateWithStart('setBudget', request);
    },
    async steer({ message: text, run, id: messageId = randomUUID() }) {
      await expectNotEnded('steer');
      // Stored rather than sent: this needs no worker, and the next run that asks a model picks it up.
      const kept = await database.use((query) =>
        addSteeringMessage(query, { projectId: id, id: messageId, text, run }),
      );
      return { id: messageId, ...kept };
    },
    async budget() {
      const { settings } = await readRow();
      return database.use((query) => readBudget(query, id, settings.budgets ?? {}));
    },
    status: () => database.use((query) => readProjectStatus(query, id)),
    defect: () => deps.temporal.use((client) => findDefect(client, id)).catch(() => undefined),
    settings: async () => (await readRow()).settings,
    features: () =>
      database.use(async (query) => {
        const red = await readRedCommits(query, id);
        return (await readFeatures(query, id)).map((one) => ({ ...one, red: red.get(one.id) ?? null }));
      }),
    async evidence(feature) {
      const found = await expectFeature(feature);
      return database.use((query) => readVerifications(query, found.id));
    },
    checks: async (feature) => (await expectFeature(feature)).verification,
    async changeChecks(reference, checks) {
      const { name: feature } = await expectFeature(reference);
      return database.use((query) => replaceChecks(query, { projectId: id, feature, checks }));
    },
    evidenceBundle: () => database.use((query) => readEvidenceBundle(query, id)),
    decisions: () => database.use((query) => readDecisions(query, id)),
    sessions: () => database.use((query) => readSessionSummaries(query, id)),
    checkpoints: ({ all } = {}) => database.use((query) => readCheckpoints(query, id, { all: all ?? false })),
    checkpoint,
    log: ({ limit = 1000, after } = {}) =>
      database.use((query) =>
        after === undefined ? readLatestEvents(query, id, limit) : readEvents(query, id, { after, limit }),
      ),
    follow: (onEvent, options) => followEvents(database, id, onEvent, options),
    watchAnswers: (onAnswer, options) => watchAnswers(database, id, onAnswer, options),
    waitForEnd: ((options) =>
      waitForEnd({ database, workflow, projectId: id }, options)) as ProjectHandle['waitForEnd'],
    transcript: (run) => database.use((query) => readTranscript(query, id, run)),
    diff: async (reference, { stat = false } = {}) => {
      const repository = await openRepository();
      const found = await checkpoint(reference);
      return database.use((query) => readCheckpointDiff(query, repository, { checkpoint: found, stat }));
    },
    hasUncommittedChanges: async () => (await openRepository()).hasUncommittedChanges(),
    reportData: () => database.use((query) => readReport(query, id)),
    report: async () => renderReport(await database.use((query) => readReport(query, id))),
  };
}
