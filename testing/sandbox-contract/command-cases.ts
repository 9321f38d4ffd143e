import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { open, rule, run, type SandboxContractCase } from './contract-case.ts';

/** How commands run, end and are attached to again. */
export const commandCases: SandboxContractCase[] = [
  rule('a command runs once: a second run with its id reads the result of the first', async (host) => {
    const sandbox = await open(host);
    const first = await run(sandbox, 'a', 'echo once >>lines.txt; echo done');
    assert.deepEqual([first.outcome, first.exitCode, first.output.text], ['exited', 0, 'done\n']);
    assert.deepEqual(await run(sandbox, 'a', 'echo once >>lines.txt; echo done'), first);
    assert.equal((await sandbox.files.read({ id: 'r', path: 'lines.txt', maxBytes: 100 })).toString(), 'once\n');
  }),

  rule(
    'a command gets its input and has an exit code and output, of which much is shown without its middle',
    async (host) => {
      const sandbox = await open(host);
      const failed = await run(sandbox, 'a', 'echo no; exit 3');
      assert.deepEqual([failed.outcome, failed.exitCode, failed.output.text], ['exited', 3, 'no\n']);
      assert.equal((await run(sandbox, 'b', 'cat', { input: 'given' })).output.text, 'given');
      const { output } = await run(sandbox, 'c', 'seq 20000');
      assert.equal(output.truncated, true);
      assert.match(output.text, /^1\n2\n[\s\S]*bytes omitted[\s\S]*\n20000\n$/);
      const log = await sandbox.readLog('c');
      assert.equal(log?.totalBytes, output.totalBytes);
      assert.equal((await text(log.bytes)).length, output.totalBytes);
      const part = await sandbox.readLog('c', { offset: 2, limit: 3 });
      assert.equal(part && (await text(part.bytes)), '2\n3');
      assert.equal(await sandbox.readLog('none'), undefined);
    },
  ),

  rule(
    'a command ends at its time limit or when it is cancelled, and never begins when it is cancelled before',
    async (host) => {
      const sandbox = await open(host);
      const { outcome, exitCode } = await run(sandbox, 'a', 'sleep 600', { timeoutMs: 200 });
      assert.deepEqual([outcome, exitCode], ['timed-out', null]);
      const cancelling = new AbortController();
      const ended = run(sandbox, 'b', 'sleep 600', { cancel: cancelling.signal });
      setTimeout(() => cancelling.abort(), 100);
      assert.equal((await ended).outcome, 'cancelled');
      assert.equal((await run(sandbox, 'b', 'sleep 600')).outcome, 'cancelled');
      const before = await run(sandbox, 'c', 'echo once >>lines.txt', { cancel: AbortSignal.abort() });
      assert.equal(before.outcome, 'cancelled');
      await assert.rejects(sandbox.files.read({ id: 'r', path: 'lines.txt', maxBytes: 100 }), { code: 'FileRefused' });
    },
  ),

  rule('a command goes on when its caller detaches, and is attached to again', async (host) => {
    const sandbox = await open(host);
    const detaching = new AbortController();
    const left = run(sandbox, 'a', 'sleep 0.3; echo awake', { detach: detaching.signal });
    setTimeout(() => detaching.abort(new Error('detached')), 50);
    await assert.rejects(left, /detached/);
    assert.equal((await run(sandbox, 'a', 'sleep 0.3; echo awake')).output.text, 'awake\n');
  }),
];
