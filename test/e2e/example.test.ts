import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { packageRoot } from '../../config/package-root.ts';
import { loadScript, type Script } from '../../testing/index.ts';
import { createRandom, testSeed } from '../support/random.ts';
import { canStartOwnDocker, type OwnDockerDaemon, startOwnDocker } from '../support/servers/own-docker-daemon.ts';
import { type CommandLine, startCommandLine } from '../support/stack/command-line.ts';
import { startTestStack, type TestStack } from '../support/stack/test-stack.ts';
import { waitFor } from '../support/wait-for.ts';
import { expectUndamaged } from '../support/work/expect-undamaged.ts';

const example = join(packageRoot(), 'examples', 'spend');
/** How many of the example's features are planned; a part of them by default, since each session verifies all features before it. */
const features = Number(process.env.LONGHAUL_TEST_FEATURES ?? 3);
/** How often a process is killed; the Docker daemon is only where this is given (docker-daemon.test.ts kills it at chosen moments). */
const givenKills = process.env.LONGHAUL_TEST_KILLS;
const killsAsked = Number(givenKills ?? 3);
/** One session per feature, and one for the attempt that fails. */
const sessions = features + 1;

let script: Script;
let stack: TestStack;
/** A daemon of its own to kill, since the machine's one has the containers of other tests. */
let docker: OwnDockerDaemon | undefined;

beforeAll(async () => {
  if (givenKills && canStartOwnDocker()) docker = await startOwnDocker();
  script = await exampleOf(features);
  stack = await startTestStack({
    script,
    settings: 'export default { mutationSeconds: 0 };', // it would double the time of each verification
    ...(docker && { environment: docker.environment }),
  });
});
afterAll(async () => {
  await stack?.stop();
  await docker?.remove();
});

test('the example taken from goal to done by the CLI ends the same although its processes are killed at random', async () => {
  const folder = join(stack.home, 'projects', 'spend');
  // No model is set here, so the CLI uses what the stack recorded.
  const parameters = ['start', '--file', join(example, 'goal.md'), '--name', 'spend', '--dir', folder];
  const cli = startCommandLine(stack.environment, ...parameters);
  const kills = await killAtRandom(cli);
  const { code, output } = await cli.ended;
  expect({ code, output: code === 0 ? '' : output.slice(-2000) }).toEqual({ code: 0, output: '' });
  console.log(`seed ${testSeed()}, killed: ${kills.join(', ')}`);
  expect(kills).toHaveLength(killsAsked);

  const project = await stack.longhaul.project('spend');
  const calls = script.entries.flatMap((entry) => entry.turns.flatMap((turn) => turn.calls.map((call) => call.tool)));
  const count = (tool: string) => calls.filter((call) => call === tool).length;
  await expectUndamaged(project, stack.model, {
    folder,
    host: docker?.host,
    features,
    commits: features + 1,
    decisions: count('record_decision'),
    progressEntries: 1 + sessions + count('log_progress'),
    lost: kills.filter((service) => service === 'worker').length,
  });
  const attempts = (await project.sessions()).map(
    (session) => `${session.feature} ${session.attempt} ${session.status}`,
  );
  expect(attempts).toContain('monthly-report 1 FAILED');
  expect(attempts).toContain('monthly-report 2 PASSED');
  const roles = (await project.log({ limit: 100_000 })).flatMap(({ data }) =>
    data.type === 'run.started' ? [data.role] : [],
  );
  const planned = script.entries.map(({ role }) => role);
  expect([...new Set(roles)].sort()).toEqual([...new Set(planned)].sort());

  const database = join(stack.home, 'spend.db');
  const spend = (...parameters: string[]) =>
    execFileSync(join(folder, 'bin', 'spend'), ['--db', database, ...parameters], { encoding: 'utf8' });
  spend('add', '12.50', 'food', 'Lunch');
  expect(spend('report')).toContain('12.50');

  const longhaul = (...parameters: string[]) => startCommandLine(stack.environment, ...parameters).ended;
  const copy = join(stack.home, 'copy');
  const evidence = join(copy, 'evidence.json');
  execFileSync('git', ['clone', '--quiet', folder, copy]);
  expect(await longhaul('evidence', 'export', 'spend', '--output', evidence)).toMatchObject({ code: 0 });
  const commit = (await project.features()).find(({ name }) => name === 'monthly-report')?.commit ?? '';
  const verified = await longhaul('verify', copy, '--commit', commit);
  expect(verified).toMatchObject({ code: 0, output: expect.stringMatching(/(\d+) of \1 verdicts reproduced\./) });
  expect(verified.output).toMatch(/The evidence is intact: \d+ verdicts in one chain\./);
  const bundle = JSON.parse(await readFile(evidence, 'utf8'));
  bundle.verdicts[1].steps[0].output = 'OK';
  await writeFile(evidence, JSON.stringify(bundle));
  expect(await longhaul('verify', copy, '--commit', firstCommit(copy))).toMatchObject({
    code: 1,
    output: expect.stringContaining('was changed after it was recorded.'),
  });
}, 1_800_000);

/** The example's script, with a plan of its first features. */
async function exampleOf(count: number): Promise<Script> {
  const whole = await loadScript(join(example, 'script'));
  const proposed = whole.entries[0]?.turns[0]?.calls[0]?.arguments.features as Array<{ name: string }>;
  const left = new Set(proposed.splice(count).map(({ name }) => name));
  return { ...whole, entries: whole.entries.filter(({ feature }) => !left.has(feature ?? '')) };
}

function firstCommit(folder: string): string {
  return execFileSync('git', ['-C', folder, 'rev-list', '--max-parents=0', 'HEAD'], { encoding: 'utf8' }).trim();
}

/**
 * Kills one server 4 to 12 seconds after the last one is back, while the CLI follows the project; each once before the first one again. Not earlier: a
 * `start` that meets a dead server says so and ends.
 */
async function killAtRandom(cli: CommandLine): Promise<string[]> {
  const random = createRandom(testSeed());
  const servers = ['worker', 'temporal', 'postgres', ...(docker ? ['docker' as const] : [])] as const;
  let left = [...servers];
  const killed: string[] = [];
  await waitFor('the plan', () => cli.said().includes(' planned') || cli.hasEnded());
  while (killed.length < killsAsked) {
    const pause = 4_000 + random() * 8_000;
    for (let waited = 0; waited < pause && !cli.hasEnded(); waited += 200) await sleep(200);
    if (cli.hasEnded()) break;
    const { services: running } = await stack.record();
    if (running.some((one) => one.state !== 'ready')) continue; // it has not come back from the last kill yet
    const [server = 'worker'] = left.splice(Math.floor(random() * left.length), 1);
    if (left.length === 0) left = [...servers];
    if (server === 'docker') await restart(docker);
    else await stack.kill(server);
    killed.push(server);
  }
  return killed;
}

/** Killing the daemon kills its containers too. Longhaul restarts its own services; restarting the daemon is the machine's part. */
async function restart(docker: OwnDockerDaemon | undefined): Promise<void> {
  await docker?.kill();
  await sleep(3_000);
  await docker?.start();
}
