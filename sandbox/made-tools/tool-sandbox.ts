import { createHash } from 'node:crypto';
import { mebibyte } from '../limits.ts';
import type { Sandbox, Sandboxes } from '../sandbox.ts';

/** What is needed to open sandboxes for made tools. */
export interface ToolSandboxHost {
  sandboxes: Pick<Sandboxes, 'open' | 'close'>;
  image: string;
  memoryMegabytes: number;
}

export interface ToolSandboxRequest {
  /** The call's id, by which a retry finds the sandbox of the first attempt. */
  id: string;
  /** The id of the workflow that the work is for; while it runs, the sandbox is still needed. */
  owner: string;
  /** Aborting detaches: the sandbox stays for a retry. */
  detach?: AbortSignal | undefined;
}

/** Does work in its own sandbox, without network, files or disk and with tight limits; the sandbox is removed afterwards. */
export async function inToolSandbox<Result>(
  { sandboxes, image, memoryMegabytes }: ToolSandboxHost,
  { id, owner, detach }: ToolSandboxRequest,
  work: (sandbox: Sandbox) => Promise<Result>,
): Promise<Result> {
  const name = `tool-${createHash('sha256').update(id).digest('hex').slice(0, 20)}`;
  const memoryBytes = memoryMegabytes * mebibyte;
  const fileBytes = Math.min(32 * mebibyte, memoryBytes / 4);
  const sandbox = await sandboxes.open({
    name,
    image,
    owner: { project: owner, owner: name, purpose: 'tool' },
    network: 'none',
    limits: {
      memoryBytes,
      cpus: 1,
      processes: 96,
      tmpBytes: memoryBytes / 2,
      fileBytes,
      workspaceBytes: mebibyte,
      homeBytes: fileBytes,
    },
  });
  try {
    return await work(sandbox);
  } finally {
    if (!detach?.aborted) await sandboxes.close(name);
  }
}
