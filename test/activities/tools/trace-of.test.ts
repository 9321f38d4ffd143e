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
  'timeout -k 5 60s bash -c "until nc -z localhost 5432; do sleep 1; done"',
  'while ! pg_isready; do :; done',
  'npm start & wait',
  'PORT=1 ./scripts/wait-for-it.sh db:5432',
  "python3 -c 'import time; time.sleep(3)'",
  'redis-cli -p 6380 ping',
  'redis-cli PING',
  'mysqladmin -h 127.0.0.1 ping --silent',
  'psql -h localhost -U app -c "SELECT 1;"',
  'http :8000/health',
  'npx wait-on http://localhost:3000',
  'npx --yes wait-on -t 5000 tcp:3000',
  'ss -ltn | grep 8000',
  'systemctl is-active nginx',
  'docker ps',
  'docker compose ps --format json',
  'docker compose exec -T db pg_isready -U app',
  'kubectl rollout status deployment/web',
])('a server that is waited for by `%s` would be a circle', (command) => {
  expect(run(command).command).toBe('waits');
});

test.each([
  'import time, requests\nwhile requests.get(url).status_code != 200: time.sleep(2)',
  'await new Promise((done) => setTimeout(done, 2000)); console.log(await ready())',
  "os.system('sleep 5'); print(requests.get(url))",
  'worker.join(20); print(worker.is_alive())',
  "await page.waitForSelector('#done')",
])('a server that is waited for by the code `%s` would be a circle', (code) => {
  const call = { id: 'c', name: 'execute_code', arguments: JSON.stringify({ language: 'python', code }) };
  expect(traceOf(call, { text: 'not yet', failed: false, id: 'run.1.0' }).command).toBe('waits');
});

test.each(['nc = 4\nprint(nc)', 'wait = 3\nif wait and ready: pass', 'curl = url'])(
  'the code `%s` would pass for one that waits',
  (code) => {
    const call = { id: 'c', name: 'execute_code', arguments: JSON.stringify({ language: 'python', code }) };
    expect(traceOf(call, { text: '', failed: false, id: 'run.1.0' }).command).toBe('works');
  },
);

test.each(['execute_code', 'delegate_code_task'])(
  'the same failure of %s would look new, since it names the call',
  (name) => {
    const told = (id: string) =>
      `File "<${id}>", line 1\nZeroDivisionError\n[longhaul transcript ${delegateRunId(id)}]`;
    const traceFor = (id: string) =>
      traceOf({ id: 'c', name, arguments: '{"code": "1/0"}' }, { text: told(id), failed: true, id });
    expect(traceFor('chat-a-r1.4.0')).toEqual(traceFor('chat-a-r1.12.0'));
  },
);

test.each([
  'timeout 60 pytest -x',
  'pytest --timeout 60',
  'grep -rn "wait for" src',
  'cat docs/curl.md && ls nc',
  'npm test -- --testTimeout 5000',
  'git log --grep timeout',
  'redis-cli get pinged',
  'psql -c "select 10 from users"',
  'psql -f schema.sql',
  'systemctl restart nginx',
  'docker compose up -d',
  'docker compose exec -T web pytest',
  'npx vitest run',
  'grep -rn "docker ps" docs',
  'git commit -m "http: fix ping"',
  'node server.js --https',
])('`%s` would pass for a command that waits', (command) => {
  expect(run(command).command).toBe('works');
});

test.each([
  ['run_command', 'curl: (7) Failed to connect to localhost port 8000'],
  ['run_command', 'exit code 1\nError: connect ECONNREFUSED 127.0.0.1:8000'],
  ['execute_code', 'ConnectionRefusedError: [Errno 111] Connection refused'],
])('a server that refuses the program of %s, which says "%s", would be a circle', (name, text) => {
  const call = { id: 'c', name, arguments: JSON.stringify({ command: './probe', code: 'probe()' }) };
  expect(traceOf(call, { text, failed: false, id: 'run.1.0' }).command).toBe('waits');
});

test('a suite that fails because a server is not there would pass for one that waits', () => {
  const failures = 'E   ConnectionRefusedError: [Errno 111] Connection refused\n'.repeat(30);
  expect(run('pytest', failures).command).toBe('works');
});

test('the time that a suite took would pass for something new', () => {
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

test('a long command, or a long list of numbers, would keep the worker for minutes', () => {
  const since = performance.now();
  const code = 'var a=function(b){return c(d[e]/f,g&&h||i)};'.repeat(4_000);
  expect(run(`cat > page.js <<'E'\n${code}\nE`).command).toBe('works');
  expect(run(`cat > page.js <<'E'\n${'a/'.repeat(50_000)}\nE`).command).toBe('works');
  run('seq 1 100000', Array.from({ length: 20_000 }, (_, index) => index).join(','));
  expect(performance.now() - since).toBeLessThan(20_000);
});
