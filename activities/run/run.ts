import { eq } from 'drizzle-orm';
import { type AgentDefinition, agentDefinitions } from '../../agents/agent-definition.ts';
import { runLimits } from '../../agents/run-limits.ts';
import { inProject } from '../../db/project/project-transaction.ts';
import { readProject } from '../../db/project/projects.ts';
import { runs } from '../../db/schema/runs.ts';
import { answerOpenCalls } from '../../db/transcript/answer-open-calls.ts';
import { placeBelow } from '../../db/transcript/place-run.ts';
import { findRun, readMessages, writeMessage } from '../../db/transcript/transcript.ts';
import type { RunOutcome } from '../../domain/project/messages.ts';
import type { AgentRun, RunLimits, RunRequest } from '../../domain/run/agent-run.ts';
import type { Role } from '../../domain/run/role.ts';
import { preview } from '../../domain/storable-text.ts';
import type { Dependencies } from '../dependencies.ts';
import { describeRepository } from '../instructions/describe-repository.ts';
import { describeChange } from './describe-change.ts';
import { describeChecks } from './describe-checks.ts';
import { describeProject } from './describe-project.ts';
import { describeReview } from './describe-review.ts';
import { describeSession } from './describe-session.ts';

/** The activities `startRun`, `nudgeRun` and `endRun`: a run's first messages, a warning for its agent, and its result. */
export function createRunActivities(dependencies: Dependencies) {
  const { database } = dependencies;
  return { startRun, endRun, nudgeRun };

  /** Returns the limits that apply to the run from now on. */
  async function startRun(request: RunRequest): Promise<RunLimits> {
    const { settings } = await readProject(database, request.owner.id);
    const limits = runLimits(request, settings, dependencies.agents);
    if (!(await findRun(database, request.runId))) await writeFirstMessages({ ...request, ...limits });
    return limits;
  }

  async function writeFirstMessages(run: AgentRun<'project'>): Promise<void> {
    const definition = agentDefinitions[run.role];
    const prompts = run.sessionId
      ? await describerOf(run.role)(dependencies, { ...run, sessionId: run.sessionId })
      : await describeProject(dependencies, run);
    const ofAgent = dependencies.prompts.renderInstructions(definition.instructions, prompts.instructions);
    const { text: ofRepository, instructions } = await describeRepository(dependencies, run);
    const system = {
      text: [ofAgent, ofRepository].filter(Boolean).join('\n\n'),
      ...(instructions && { instructions }),
    };
    const task = dependencies.prompts.render(expectTask(definition), prompts.task);
    await inProject(database, run.owner.id, async ({ query, project, log }) => {
      if (await findRun(query, run.runId)) return;
      const { runId, role, sessionId, parentRunId } = run;
      const place = parentRunId && (await placeBelow(query, parentRunId));
      const model = dependencies.modelOf(role, project.settings);
      await query.insert(runs).values({
        id: runId,
        projectId: project.id,
        sessionId: sessionId ?? null,
        ...place,
        role,
        model,
        status: 'RUNNING',
      });
      await writeMessage(query, { runId, number: 0, turn: 0, role: 'system', content: system });
      await writeMessage(query, { runId, number: 1, turn: 0, role: 'user', content: { text: task } });
      await log({ type: 'run.started', run: runId, role, model });
    });
  }

  /** Warns an agent that it makes no progress; the given number makes a retry write the same message. */
  async function nudgeRun(input: { projectId: string; runId: string; turn: number; number: number; reason: string }) {
    const { runId, turn, number, reason } = input;
    const text = dependencies.prompts.render('stuck', { reason });
    await writeMessage(database, { runId, number, turn, role: 'user', content: { text } });
  }

  async function endRun(input: { projectId: string; runId: string } & RunOutcome): Promise<void> {
    const { projectId, runId, status } = input;
    // The workflow gets only the start of the result; the transcript has all of it.
    const last = (await readMessages(database, runId)).at(-1);
    const result = status === 'FINISHED' && last?.role === 'tool' ? last.content.text : input.reason;
    await inProject(database, projectId, async ({ query, log }) => {
      const run = await findRun(query, runId);
      if (run?.status !== 'RUNNING') return;
      await answerOpenCalls(query, runId, result);
      await query.update(runs).set({ status, result, endedAt: new Date() }).where(eq(runs.id, runId));
      await log({ type: 'run.ended', run: runId, role: run.role, status, result: preview(result, 400) });
    });
  }
}

function describerOf(role: Role) {
  if (role === 'reviewer') return describeReview;
  if (role === 'changes') return describeChange;
  return role === 'checks' ? describeChecks : describeSession;
}

function expectTask({ role, task }: AgentDefinition): string {
  if (task !== undefined) return task;
  throw new Error(`Expected a role of a project, got "${role}".`);
}
