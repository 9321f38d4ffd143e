import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import type { ProjectHandle, ProjectSettings } from '../../../client/index.ts';
import type { ScriptInput } from '../../../testing/index.ts';
import { proposal, type SmallFeature, smallProject } from './scripts.ts';
import type { TestStack } from './test-stack.ts';

/** A project that brings its own features, so that many can share one script; feature names are unique across all cases. */
export interface ProjectCase {
  features: SmallFeature[];
  settings?: Partial<ProjectSettings>;
  /** Changes to `proposal(features)`. */
  changes?: Partial<Pick<ReturnType<typeof proposal>, 'setup_script' | 'smoke_check'>> & {
    files?: Array<{ path: string; content: string }>;
  };
  /** Time limit of each verification step, in milliseconds. */
  stepTimeoutMs?: number;
}

export interface StartedProject {
  project: ProjectHandle;
  folder: string;
  git(...parameters: string[]): string;
}

/** The script for all of the cases. */
export function scriptOf(cases: Record<string, ProjectCase>): ScriptInput {
  const features = Object.values(cases).flatMap((one) => one.features);
  return { entries: smallProject(features).entries.filter((entry) => entry.role !== 'initializer') };
}

/** Starts one case. Projects are independent, so tests start them all and then check each. */
export async function startCase(
  stack: Pick<TestStack, 'home' | 'longhaul' | 'model'>,
  name: string,
  given: ProjectCase,
): Promise<StartedProject> {
  const folder = join(stack.home, 'projects', name);
  const plan = { ...proposal(given.features), ...given.changes };
  const features = plan.features.map((feature) => ({
    ...feature,
    verification: {
      ...feature.verification,
      steps: feature.verification.steps.map((step) => ({
        ...step,
        ...(given.stepTimeoutMs && { timeoutMs: given.stepTimeoutMs }),
      })),
    },
  }));
  const project = await stack.longhaul.startProject({
    goal: `Do what ${name} is about.`,
    name,
    folder,
    features: { ...plan, features },
    ...(given.settings && { settings: given.settings }),
  });
  return { project, folder, git: gitIn(folder) };
}

export async function startCases<Name extends string>(
  stack: Pick<TestStack, 'home' | 'longhaul' | 'model'>,
  cases: Record<Name, ProjectCase>,
): Promise<Record<Name, StartedProject>> {
  const names = Object.keys(cases) as Name[];
  const all = await Promise.all(names.map(async (name) => [name, await startCase(stack, name, cases[name])] as const));
  return Object.fromEntries(all) as Record<Name, StartedProject>;
}

/** Under the 20 minutes of a hook with many projects, so that the error says which project took too long, and where it was. */
const longestProjectMs = 1_000_000;

/** Waits until a project completes; the error for any other end or rest, or for none, says why. */
export async function untilCompleted(project: ProjectHandle): Promise<void> {
  const ended = await project.waitForEnd({ orRest: true, signal: AbortSignal.timeout(longestProjectMs) });
  if (!ended) throw new Error(`Expected a COMPLETED project, but it goes on.\n${await lastEvents(project)}`);
  const { status, reason } = ended;
  if (status === 'COMPLETED') return;
  const reasons = (await project.sessions()).map((one) => `${one.feature} ${one.attempt} ${one.status}: ${one.reason}`);
  throw new Error(`Expected a COMPLETED project, got ${status}: ${reason}\n${reasons.join('\n')}`);
}

async function lastEvents(project: ProjectHandle): Promise<string> {
  const { status, reason } = await project.status();
  const events = (await project.log())
    .slice(-8)
    .map(({ createdAt, data }) => `${createdAt.toISOString()} ${JSON.stringify(data).slice(0, 200)}`);
  return [`${project.id} ${status} ${reason}`, ...events].join('\n');
}

/** Expects that a project completes, with exactly these sessions. */
export async function expectCompleted<Started extends StartedProject>(
  started: Started,
  sessions: string[],
): Promise<Started> {
  await untilCompleted(started.project);
  expect(await sessionsOf(started.project)).toEqual(sessions);
  return started;
}

export function gitIn(folder: string): (...parameters: string[]) => string {
  return (...parameters) => execFileSync('git', ['-C', folder, ...parameters], { encoding: 'utf8' }).trim();
}

/** Each session as `<feature> <attempt> <status>`. */
export async function sessionsOf(project: ProjectHandle): Promise<string[]> {
  return (await project.sessions()).map(({ feature, attempt, status }) => `${feature} ${attempt} ${status}`);
}

/** What the harness and the tools told the model in a run. */
export async function toldTo(project: ProjectHandle, run: string): Promise<string[]> {
  const { messages } = await project.transcript(run);
  return messages.filter((message) => message.role !== 'assistant').map((message) => message.content.text);
}
