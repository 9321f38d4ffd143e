import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { packageRoot } from '../../../config/package-root.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import { waitFor } from '../../support/wait-for.ts';

const callOf = (tool: string) => ({ tool, arguments: { city: 'Oslo' } });

let stack: ServiceStack;
let host: ChildProcess | undefined;

beforeAll(async () => {
  const turns = [
    { calls: [callOf('wind'), callOf('rain')] },
    { calls: [callOf('snow')], expect: ['wind of Oslo', 'rain of Oslo'] },
    { text: 'Stay inside.', expect: ['snow of Oslo'] },
  ];
  stack = await startServiceStack({ script: { entries: [{ role: 'agent', turns }] } });
});
afterAll(async () => {
  host?.kill('SIGKILL');
  await stack?.stop();
});

test.each(['on-ai-sdk', 'on-openai-agents'])(
  'an agent %s whose process is killed amid three tool calls pays for no answer and runs no tool twice',
  async (agent) => {
    const runId = `${agent}-1`;
    const asked = () => stack.model.requests().filter(({ run }) => run === runId);
    stack.model.misbehave({ kind: 'hang' }, { match: { run: runId, turn: 2 } });
    host = await startHost();
    const handle = await stack.longhaul.start(agent, 'How is the weather in Oslo?', { runId });
    await waitFor('the second question', () => asked().some(({ turn }) => turn === 2));

    const gone = once(host, 'exit');
    host.kill('SIGKILL');
    await gone;
    host = await startHost();

    expect((await handle.result()).output).toBe('Stay inside.');
    const answered = asked().filter(({ outcome }) => outcome === 'answered');
    expect(answered.map(({ turn }) => turn)).toEqual([1, 2, 3]);
    expect(asked()).toHaveLength(4); // the one that was in flight at the kill was never answered
    const effects = readFileSync(join(stack.home, 'effects'), 'utf8').trim().split('\n');
    const own = effects.filter((line) => line.startsWith(runId));
    const sideBySide = own.splice(0, 2).sort(); // of one answer
    expect([...sideBySide, ...own]).toEqual(['rain', 'wind', 'snow'].map((tool) => `${runId} ${tool}`));
    host.kill('SIGKILL');
  },
);

async function startHost(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(packageRoot(), 'test', 'fixtures', 'framework-host.mjs')], {
    env: { ...stack.environment, EFFECTS_LOG: join(stack.home, 'effects') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (!child.stdout) throw new Error('Expected a pipe.');
  await once(createInterface(child.stdout), 'line');
  return child;
}
