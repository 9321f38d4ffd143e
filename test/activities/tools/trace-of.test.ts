import { expect, test } from '@jest/globals';
import { traceOf } from '../../../activities/tools/trace-of.ts';
import { delegateRunId } from '../../../domain/run/delegation.ts';

const run = (command: string, text = '') =>
  traceOf(
    { id: 'c', name: 'run_command', arguments: JSON.stringify({ command }) },
    { text, failed: false, id: 'run.1.0' },
  );

test.each([
  'sleep 5 && curl -s localhost:8000/health',
  'curl -sf http://127.0.0.1:3000/',
  'timeout 30 curl localhost',
  'bash -c "until nc -z localhost 5432; do sleep 1; done"',
  'while ! pg_isready; do :; done',
  'npm start & wait',
  "python3 -c 'import time; time.sleep(3)'",
  'docker ps',
])('the command `%s` waits', (command) => {
  expect(run(command).command).toBe('waits');
});

test.each([
  'import time, requests\nwhile requests.get(url).status_code != 200: time.sleep(2)',
  'await new Promise((done) => setTimeout(done, 2000)); console.log(await ready())',
  "await page.waitForSelector('#done')",
])('the code `%s` waits', (code) => {
  const call = { id: 'c', name: 'execute_code', arguments: JSON.stringify({ language: 'python', code }) };
  expect(traceOf(call, { text: 'not yet', failed: false, id: 'run.1.0' }).command).toBe('waits');
});

test.each(['execute_code', 'delegate_code_task'])('the same failure of %s has the same trace', (name) => {
  const told = (id: string) => `File "<${id}>", line 1\nZeroDivisionError\n[longhaul transcript ${delegateRunId(id)}]`;
  const traceFor = (id: string) =>
    traceOf({ id: 'c', name, arguments: '{"code": "1/0"}' }, { text: told(id), failed: true, id });
  expect(traceFor('chat-a-r1.4.0')).toEqual(traceFor('chat-a-r1.12.0'));
});

test.each([
  'timeout 60 pytest -x',
  'pytest --timeout 60',
  'grep -rn "wait for" src',
  'cat docs/curl.md && ls nc',
  'npm test -- --testTimeout 5000',
  'docker compose up -d',
  'npx vitest run',
])('the command `%s` works', (command) => {
  expect(run(command).command).toBe('works');
});

test('two runs of a suite that differ only in durations have the same trace', () => {
  const shown = (text: string) => run('pytest', text).shownHash;
  for (const [one, other] of [
    ['3 failed, 2 passed in 0.12s', '3 failed, 2 passed in 1.04s'],
    ['Time:        1.234 s', 'Time:        2 s'],
    ['ok  pkg 0.005s\n12:01:02 done', 'ok  pkg 0.105s\n12:03:44 done'],
    ['# duration_ms 12.5', '# duration_ms 9'],
  ] as const) {
    expect(shown(one)).toBe(shown(other));
  }
  expect(shown('3 failed, 2 passed in 0.12s')).not.toBe(shown('2 failed, 3 passed in 0.12s'));
});

test('long commands and lists of numbers are traced within seconds', () => {
  const since = performance.now();
  const code = 'var a=function(b){return c(d[e]/f,g&&h||i)};'.repeat(4_000);
  expect(run(`cat > page.js <<'E'\n${code}\nE`).command).toBe('works');
  expect(run(`cat > page.js <<'E'\n${'a/'.repeat(50_000)}\nE`).command).toBe('works');
  run('seq 1 100000', Array.from({ length: 20_000 }, (_, index) => index).join(','));
  expect(performance.now() - since).toBeLessThan(20_000);
});
