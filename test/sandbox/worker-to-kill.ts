import { createSandboxes } from '../../sandbox/docker/create-sandboxes.ts';

/** Runs one command; the test kills this process while it waits. */
const { spec, script } = JSON.parse(process.argv[2] ?? '');
const sandbox = await createSandboxes({}).open(spec);
await sandbox.run({ id: 'work', script, timeoutMs: 60_000 });
