import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { createTestSandboxes, outputOf, runIn, waitFor } from './test-sandboxes.ts';

const host = createTestSandboxes();
afterAll(() => host.closeAll());

test('a command outlives the worker that is killed while it runs, is not run again, and gives its whole output to the next', async () => {
  const spec = host.spec();
  const sandbox = await host.sandboxes.open(spec);
  const script = 'echo ran >>runs; for i in $(seq 200); do echo "line $i"; [ -e go ] || sleep 0.02; done; echo ended';
  const loader = fileURLToPath(new URL('./typescript-loader.mjs', import.meta.url));
  const worker = spawn(
    process.execPath,
    [
      '--import',
      loader,
      fileURLToPath(new URL('./worker-to-kill.ts', import.meta.url)),
      JSON.stringify({ spec, script }),
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  await waitFor(async () => (await outputOf(sandbox, `look-${Date.now()}`, 'cat runs 2>&1')) === 'ran');
  worker.kill('SIGKILL');
  await once(worker, 'exit');
  await runIn(sandbox, 'go', 'touch go');
  const result = await runIn(sandbox, 'work', script);
  expect(result).toMatchObject({ outcome: 'exited', exitCode: 0 });
  expect(result.output.text).toBe(
    `${Array.from({ length: 200 }, (_, index) => `line ${index + 1}\n`).join('')}ended\n`,
  );
  expect(await outputOf(sandbox, 'count', 'wc -l <runs')).toBe('1');
});
