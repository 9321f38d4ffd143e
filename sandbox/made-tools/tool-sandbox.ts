import { createHash } from 'node:crypto';
import type { Sandbox, Sandboxes } from '../sandbox.ts';

const mebibyte = 1024 ** 2;

/** Whose sandboxes are a person's checks, which no workflow does. */
export const validationOwner = 'validation';

/** What sandboxes of made tools are opened with. */
export interface ToolSandboxHost {
  sandboxes: Pick<Sandboxes, 'open' | 'close'>;
  image: string;
  memoryMegabytes: number;
}

export interface ToolSandboxRequest {
  /** Of the call: another attempt finds the sandbox of the first. */
  id: string;
  /** The chat or project for whose work it is, whose workflow tells whether the sandbox is still needed; `validationOwner` for none. */
  owner: string;
  /** Aborting lets go: the sandbox stays for another attempt. */
  detach?: AbortSignal | undefined;
}

/**
 * Does work in a sandbox of its own, which has no network, nobody's files, nothing on disk, and little of anything else; it is gone
 * afterwards.
 */
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
    network: false,
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
