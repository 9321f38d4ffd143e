import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProjectHandle } from '../../../client/index.ts';
import type { ScriptInput } from '../../../testing/index.ts';
import { waitFor } from '../wait-for.ts';
import { docker, inEachSandbox, isRunningIn } from '../work/sandboxes-of.ts';
import { untilAnswered, untilAsked, untilCommitted } from './moments.ts';
import { call, type SmallFeature, writes } from './scripts.ts';
import { type ProjectCase, type StartedProject, scriptOf, startCase } from './side-by-side.ts';
import type { TestStack } from './test-stack.ts';

/** A project held at a certain moment of its only feature, for as long as a test likes. */
export interface HeldProject extends StartedProject {
  moment: Moment;
  feature: string;
  stack: TestStack;
  /** The branch's head at the time it was held. */
  head: string;
  /** The address of its own Docker daemon, if it has one. */
  host: string | undefined;
  /** Releases everything that is held, or gets held later, until the work has ended. */
  letGo<Result>(work: () => Promise<Result>): Promise<Result>;
}

export type Moment = 'a model call' | 'a command' | 'the time between commit and verification';

const untilLetGo = 'until [ -e /tmp/go ]; do sleep 0.21; done';

/** The feature that is held at each moment; a held model call ends with its caller. The command counts its own starts. */
const heldFeatures: Record<Moment, SmallFeature> = {
  'a model call': { name: 'asked', planning: [decides('asked')] },
  'a command': {
    name: 'waited',
    planning: [decides('waited')],
    work: [
      call('run_command', { command: `echo begun >> runs.txt; ${untilLetGo}; echo done`, timeout_seconds: 600 }),
      call('edit_file', { path: 'runs.txt', old_text: 'begun\n', new_text: 'begun once\n' }),
      writes('waited'),
    ],
    command: 'test "$(cat runs.txt)" = "begun once" && grep -qx waited waited.txt',
  },
  'the time between commit and verification': { name: 'committed', planning: [decides('committed')] },
};

/** Holds the set-up of the fresh sandbox for verification; the session's own set-up does not find the file yet. */
const setUp = `if [ -e committed.txt ]; then ${untilLetGo}; fi`;

/** The script for all held projects. */
export function scriptOfHeld(): ScriptInput {
  return scriptOf({ all: { features: Object.values(heldFeatures) } });
}

/** Starts a project and waits until it is held; then a person commits a file if they shall. */
export async function startHeld(
  stack: TestStack,
  name: string,
  { moment, personCommits, host }: { moment: Moment; personCommits?: boolean | undefined; host?: string | undefined },
): Promise<HeldProject> {
  const feature = heldFeatures[moment];
  const given: ProjectCase = { features: [feature], changes: { setup_script: setUp } };
  const started = await startCase(stack, name, given);
  const { project, folder, git } = started;
  const run = 's1-work';
  if (moment === 'a model call') {
    stack.model.misbehave({ kind: 'hang' }, { match: { run: `${project.id}-${run}` } });
    await untilAsked(stack.model, project, run, 1);
  } else {
    await untilAnswered(project, run, 1);
    if (moment === 'a command') {
      await waitFor(`the command of ${name}`, () => isRunningIn(project.id, 'sleep 0.21', { host }));
    } else {
      await untilCommitted(project, folder, 's1');
    }
  }
  if (personCommits) {
    writeFileSync(join(folder, 'mine.txt'), 'by a person\n');
    git('add', 'mine.txt');
    git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '--quiet', '--message=Mine');
  }
  return {
    ...started,
    moment,
    stack,
    feature: feature.name,
    head: git('rev-parse', 'HEAD'),
    host,
    letGo: (work) => letGoDuring(project, work, host),
  };
}

/** Does the work while everything of a project that waits for `/tmp/go` is released. */
export async function letGoDuring<Result>(
  project: ProjectHandle,
  work: () => Promise<Result>,
  host: string | undefined,
): Promise<Result> {
  let ended = false;
  /** Once per start of a container, whose /tmp is empty then. */
  const released = new Set<string>();
  const letGo = async () => {
    while (!ended) {
      await inEachSandbox(project.id, host, async (name, container) => {
        const start = `${name} ${(await container.inspect()).State.StartedAt}`;
        if (!released.has(start)) await docker(host, 'exec', name, 'touch', '/tmp/go');
        released.add(start);
      });
      await sleep(500);
    }
  };
  const working = work().finally(() => {
    ended = true;
  });
  const [result] = await Promise.all([working, letGo()]);
  return result;
}

function decides(title: string) {
  const decision = { title, context: 'Files', choice: 'One each', reasoning: 'Simple', tags: [] };
  return call('record_decision', decision);
}
