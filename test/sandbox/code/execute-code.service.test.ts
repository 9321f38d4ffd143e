import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  type CodeLanguage,
  type CodeRequest,
  type CodeResult,
  executeCode,
} from '../../../sandbox/code/execute-code.ts';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import { createTestSandboxes, outputOf, runIn, waitFor } from '../test-sandboxes.ts';

const host = createTestSandboxes();
let sandbox: Sandbox;
let calls = 0;

beforeAll(async () => {
  sandbox = await host.open({ network: 'none' });
});
afterAll(() => host.closeAll());

function execute(language: CodeLanguage, code: string, more: Partial<CodeRequest> = {}): Promise<CodeResult> {
  calls += 1;
  return executeCode(sandbox, { id: `call-${calls}`, language, code, timeoutMs: 60_000, ...more });
}
const python = (code: string, more?: Partial<CodeRequest>) => execute('python', code, more);
const javascript = (code: string, more?: Partial<CodeRequest>) => execute('javascript', code, more);

test('variables, functions and imports outlive a call; result, output and error are separate', async () => {
  expect(await python('import math\nx = 20\ndef double(n):\n    return 2 * n\nprint("set")')).toEqual({
    ended: 'done',
    started: 'first',
    lost: false,
    outOfMemory: false,
    result: '',
    output: 'set\n',
    error: '',
    images: [],
    moreImages: 0,
  });
  const next = await python(
    'import os\nprint("from python")\nos.system("echo from a program")\ndouble(x) + math.floor(2.5)',
  );
  expect(next).toMatchObject({ result: '42', output: 'from python\nfrom a program\n', error: '' });
  expect(next.started).toBeUndefined();
  const failed = await python('print("before")\ndef risky():\n    return x / 0\nrisky()');
  expect(failed).toMatchObject({ ended: 'done', result: '', output: 'before\n', lost: false });
  expect(failed.error).toMatch(/^Traceback[\s\S]*return x \/ 0[\s\S]*ZeroDivisionError: division by zero$/);
  expect(failed.error).not.toContain('exec(compile');
  expect((await python('raise SystemExit(3)')).error).toContain('SystemExit: 3');
  expect((await python('def broken(:')).error).toContain('SyntaxError');
  expect(await python('_ = None\ndouble(x)')).toMatchObject({ result: '40', error: '' });
});

test('JavaScript keeps its state and accepts what one types at a prompt', async () => {
  expect(await javascript('const fs = require("node:fs"); let n = 1; console.log("set")')).toMatchObject({
    started: 'first',
    result: '',
    output: 'set\n',
    error: '',
  });
  expect(await javascript('let n = await Promise.resolve(41); n + 1')).toMatchObject({ result: '42', error: '' });
  expect(await javascript('({ n, text: "a", list: [1, 2] })')).toMatchObject({
    result: "{ n: 41, text: 'a', list: [ 1, 2 ] }",
  });
  expect((await javascript('function risky() { throw new TypeError("no") }\nrisky()')).error).toMatch(
    /^TypeError: no\n {4}at risky/,
  );
  const stopped = { ended: 'timed-out', lost: false, error: 'It was stopped when its time was up.' };
  expect(await javascript('while (true) {}', { timeoutMs: 1_500 })).toMatchObject(stopped);
  expect(await javascript('await new Promise(() => {})', { timeoutMs: 1_500 })).toMatchObject(stopped);
  expect(await javascript('n')).toMatchObject({ result: '41' });
  expect(await javascript('process.exit(3)')).toMatchObject({ ended: 'died', lost: true });
  expect(await javascript('typeof n')).toMatchObject({ result: "'undefined'", started: 'again' });
});

test('code past its timeout is stopped, and the result says whether its state is kept', async () => {
  await python('kept = 1');
  const looped = await python('print("on", flush=True)\nwhile True: pass', { timeoutMs: 1_500 });
  expect(looped).toMatchObject({ ended: 'timed-out', lost: false, output: 'on\n' });
  expect(looped.error).toContain('KeyboardInterrupt');
  expect(await python('kept')).toMatchObject({ result: '1' });
  const stubborn = 'import signal, time\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nprint("on")\ntime.sleep(600)';
  expect(await python(stubborn, { timeoutMs: 1_500 })).toMatchObject({
    ended: 'timed-out',
    lost: true,
    output: 'on\n',
  });
  const after = await python('"kept" in globals()');
  expect(after).toMatchObject({ result: 'False', started: 'again' });
  expect(await outputOf(sandbox, 'left', 'ps -eo args | grep -c [t]ime.sleep')).toBe('0');
});

test('an interpreter that dies in a call ends the call, which says that its state is gone', async () => {
  await python('kept = 1');
  expect(await python('import os\nprint("last words", flush=True)\nos._exit(5)')).toMatchObject({
    ended: 'died',
    lost: true,
    output: 'last words\n',
    outOfMemory: false,
  });
  expect(await python('1')).toMatchObject({ result: '1', started: 'again' });
  const small = await host.open({ network: 'none', limits: { memoryBytes: 160 * 1024 ** 2 } });
  const request = { language: 'python' as const, timeoutMs: 60_000 };
  const full = await executeCode(small, { ...request, id: 'full', code: 'len(b"x" * 2 ** 30)' });
  expect(full).toMatchObject({ ended: 'died', lost: true, outOfMemory: true });
  expect(await executeCode(small, { ...request, id: 'next', code: '1' })).toMatchObject({ result: '1' });
});

test('a retried call does not run its code again', async () => {
  const request = { id: 'once', language: 'python' as const, timeoutMs: 60_000 };
  const code = 'import time\ntime.sleep(1)\nopen("/workspace/runs", "a").write("ran\\n")';
  const [first, attached] = await Promise.all([
    executeCode(sandbox, { ...request, code }),
    executeCode(sandbox, { ...request, code }),
  ]);
  expect(attached).toEqual(first);
  expect(await executeCode(sandbox, { ...request, code })).toEqual(first);
  expect(await outputOf(sandbox, 'runs', 'cat /workspace/runs')).toBe('ran');
});

test('a cancelled call stops its code and keeps the state', async () => {
  await python('kept = 7');
  const stop = new AbortController();
  const running = python('import time\nopen("/workspace/begun", "w").close()\nwhile True: time.sleep(0.1)', {
    cancel: stop.signal,
    timeoutMs: 600_000,
  });
  let looks = 0;
  await waitFor(async () => (await runIn(sandbox, `begun-${++looks}`, 'test -e /workspace/begun')).exitCode === 0);
  stop.abort();
  expect(await running).toMatchObject({ ended: 'cancelled', lost: false });
  expect(await python('kept')).toMatchObject({ result: '7', error: '' });
});

test('endless output is shortened, and pictures that the code wrote are listed', async () => {
  const { output } = await python('for i in range(200000): print("line", i)');
  expect(output.length).toBeLessThan(20_000);
  expect(output).toMatch(/^line 0\n[\s\S]*bytes left out[\s\S]*line 199999\n$/);
  expect((await python('"x" * 1000000')).result).toMatch(/^'xxx[\s\S]*characters left out[\s\S]*x'$/);
  await runIn(sandbox, 'old', 'echo old >/workspace/old.png; touch -d "1 hour ago" /workspace/old.png');
  const made = await python(
    'import os\nos.makedirs("plots", exist_ok=True)\nopen("plots/a.png", "wb").write(b"\\x89PNG")',
  );
  expect(made.images).toEqual([{ path: 'plots/a.png', size: 4 }]);
  const wide = await python(
    'import sys\nsys.stdout.buffer.write(bytes(range(128, 256)) * 1000)\nsys.stdout.flush()\nraise ValueError("字" * 9000)',
  );
  expect(wide).toMatchObject({ ended: 'done', error: expect.stringMatching(/^Traceback[\s\S]*left out[\s\S]*字$/) });
  expect((await python('"字" * 9000')).result).toMatch(/^'字+\n\[[\s\S]* left out [\s\S]*\]\n字+'$/);
  const odd = await python('print("\\x00\\ud800 é 🙂")\n"é🙂"');
  expect(odd).toMatchObject({ result: "'é🙂'", error: '', output: '\uFFFD? é 🙂\n' });
});

test('after a stop of the sandbox a call says that earlier state is gone', async () => {
  await python('kept = 1');
  await host.sandboxes.stop(sandbox.name);
  sandbox = await host.reopen(sandbox.name);
  expect(await python('"kept" in globals()')).toMatchObject({ result: 'False', started: 'again', lost: false });
});
