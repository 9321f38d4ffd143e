import assert from 'node:assert/strict';
import { open, rule, run, type SandboxContractCase } from './contract-case.ts';

/** How sandboxes are opened, found, stopped and closed. */
export const lifeCases: SandboxContractCase[] = [
  rule('a sandbox is created once, then found by its name', async ({ sandboxes, spec }) => {
    const given = spec({ reopenedBy: 'call-1' });
    assert.equal(await sandboxes.find(given.name), undefined);
    assert.equal((await sandboxes.open(given)).origin, 'created');
    const found = await sandboxes.open(given);
    assert.deepEqual([found.name, found.origin, found.reopenedBy], [given.name, 'running', 'call-1']);
    const [listing] = (await sandboxes.list()).filter(({ name }) => name === given.name);
    assert.deepEqual(listing?.owner, given.owner);
    assert.equal(listing?.running, true);
  }),

  rule('a stopped sandbox keeps its files; what ran in it is interrupted', async (host) => {
    const sandbox = await open(host);
    await sandbox.files.write({ id: 'w', path: 'kept.txt', content: 'kept' });
    const running = run(sandbox, 'a', 'sleep 600').catch((error: unknown) => error);
    await new Promise((resolve) => setTimeout(resolve, 300)); // it has to have begun
    await host.sandboxes.stop(sandbox.name);
    await running;
    const again = await host.sandboxes.find(sandbox.name);
    assert.equal(again?.origin, 'restarted');
    assert.equal((await run(again, 'a', 'sleep 600')).outcome, 'interrupted');
    assert.equal((await again.files.read({ id: 'r', path: 'kept.txt', maxBytes: 100 })).toString(), 'kept');
  }),

  rule('a closed sandbox is gone with its files', async ({ sandboxes, spec }) => {
    const given = spec();
    const sandbox = await sandboxes.open(given);
    await sandbox.files.write({ id: 'w', path: 'gone.txt', content: '' });
    await sandboxes.close(given.name);
    await sandboxes.close(given.name);
    assert.equal(await sandboxes.find(given.name), undefined);
    const next = await sandboxes.open(given);
    assert.equal(next.origin, 'created');
    await assert.rejects(next.files.read({ id: 'r', path: 'gone.txt', maxBytes: 100 }), { code: 'FileRefused' });
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

  rule('a restart interrupts commands, and happens once in a sandbox', async (host) => {
    const sandbox = await open(host);
    const running = run(sandbox, 'a', 'sleep 600').catch((error: unknown) => error);
    await new Promise((resolve) => setTimeout(resolve, 300)); // it has to have begun
    await sandbox.restartOnce();
    await running;
    assert.equal((await run(sandbox, 'a', 'sleep 600')).outcome, 'interrupted');
    const later = run(sandbox, 'b', 'sleep 0.3; echo awake');
    await sandbox.restartOnce();
    assert.equal((await later).output.text, 'awake\n');
  }),
];
