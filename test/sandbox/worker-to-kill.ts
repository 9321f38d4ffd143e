import { createSandboxes } from '../../sandbox/create-sandboxes.ts';

/** A process that runs one command, to be killed while it waits for it. */
const { spec, script } = JSON.parse(process.argv[2] ?? '');
const sandbox = await createSandboxes({}).open(spec);
await sandbox.run({ id: 'work', script, timeoutMs: 60_000 });
