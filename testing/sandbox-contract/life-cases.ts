import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionRequest, Sandbox } from '../../sandbox/sandbox.ts';
import { open, rule, run, type SandboxContractCase } from './contract-case.ts';

/** How sandboxes are opened, found, stopped and closed. */
export const lifeCases: SandboxContractCase[] = [
  rule(
    'a sandbox is created once, then found by its name, and gone with its files when it is closed',
    async ({ sandboxes, spec }) => {
      const given = spec({ reopenedBy: 'call-1' });
      assert.equal(await sandboxes.find(given.name), undefined);
      assert.equal((await sandboxes.open(given)).origin, 'created');
      const found = await sandboxes.open(given);
      assert.deepEqual([found.name, found.origin, found.reopenedBy], [given.name, 'running', 'call-1']);
      const [listing] = (await sandboxes.list()).filter(({ name }) => name === given.name);
      assert.deepEqual(listing?.owner, given.owner);
      assert.equal(listing?.running, true);
      await found.files.write({ id: 'w', path: 'gone.txt', content: '' });
      await sandboxes.close(given.name);
      await sandboxes.close(given.name);
      assert.equal(await sandboxes.find(given.name), undefined);
      const next = await sandboxes.open(given);
      assert.equal(next.origin, 'created');
      await assert.rejects(next.files.read({ id: 'r', path: 'gone.txt', maxBytes: 100 }), { code: 'FileRefused' });
    },
  ),

  rule('a stopped sandbox keeps its files; what ran in it is interrupted', async (host) => {
    const sandbox = await open(host);
    await sandbox.files.write({ id: 'w', path: 'kept.txt', content: 'kept' });
    const running = run(sandbox, 'a', 'touch begun; sleep 600').catch((error: unknown) => error);
    await untilWritten(sandbox, 'begun');
    await host.sandboxes.stop(sandbox.name);
    await running;
    const again = await host.sandboxes.find(sandbox.name);
    assert.equal(again?.origin, 'restarted');
    assert.equal((await run(again, 'a', 'sleep 600')).outcome, 'interrupted');
    assert.equal((await again.files.read({ id: 'r', path: 'kept.txt', maxBytes: 100 })).toString(), 'kept');
  }),

  rule('files that are kept outlive a release, and go with a close', async ({ sandboxes, spec }) => {
    const given = spec({ keepsFiles: true, owner: { owner: 'a-chat', purpose: 'chat' } });
    const sandbox = await sandboxes.open(given);
    await sandbox.files.write({ id: 'w', path: 'kept.txt', content: 'kept' });
    await sandboxes.release(given.name);
    const isKept = async () => (await sandboxes.listKept()).some(({ name }) => name === given.name);
    assert.equal(await isKept(), true);
    const next = await sandboxes.open(given);
    assert.equal((await next.files.read({ id: 'r', path: 'kept.txt', maxBytes: 100 })).toString(), 'kept');
    await sandboxes.close(given.name);
    assert.equal(await isKept(), false);
  }),

  rule(
    'a fork begins with the files of a stopped sandbox, and its script ends with its exit code, at its time limit, or when it is cancelled',
    async (host) => {
      const sandbox = await open(host);
      await sandbox.files.write({ id: 'w', path: 'kept.txt', content: 'kept' });
      await host.sandboxes.stop(sandbox.name);
      const { name: first } = host.spec();
      const { name: second } = host.spec();
      const script = 'cat kept.txt; echo changed >kept.txt; cat';
      for (const name of [first, second]) {
        const fork = await host.sandboxes.fork(sandbox.name, name);
        const result = await fork.execute({ script, input: 'given', timeoutMs: 60_000 });
        assert.deepEqual([result.outcome, result.exitCode, result.output.text], ['exited', 0, 'keptgiven']);
      }
      const [listing] = (await host.sandboxes.list()).filter(({ name }) => name === second);
      assert.equal(listing?.owner.owner, host.spec().owner.owner);
      await host.sandboxes.close(second);

      const execute = async (script: string, more: Partial<ExecutionRequest> = {}) => {
        const fork = await host.sandboxes.fork(sandbox.name, first);
        const { outcome, exitCode } = await fork.execute({ script, timeoutMs: 60_000, ...more });
        return [outcome, exitCode];
      };
      assert.deepEqual(await execute('exit 3'), ['exited', 3]);
      assert.deepEqual(await execute('sleep 600', { timeoutMs: 300 }), ['timed-out', null]);
      assert.deepEqual(await execute('sleep 600', { cancel: AbortSignal.timeout(300) }), ['cancelled', null]);
      await assert.rejects(execute('sleep 600', { detach: AbortSignal.timeout(300) }), { name: 'TimeoutError' });
      await host.sandboxes.close(first);
      const again = await host.sandboxes.find(sandbox.name);
      assert.equal((await again?.files.read({ id: 'r', path: 'kept.txt', maxBytes: 100 }))?.toString(), 'kept');
    },
  ),
];

/** Waits for a file of a command that runs. */
async function untilWritten(sandbox: Sandbox, path: string): Promise<void> {
  for (let number = 0; ; number += 1) {
    const isThere = await sandbox.files.read({ id: `${path}-${number}`, path, maxBytes: 100 }).then(
      () => true,
      (error) => error.code !== 'FileRefused',
    );
    if (isThere) return;
    await sleep(100);
  }
}
