import type { CommandRequest, CommandResult, Sandbox, Sandboxes, SandboxSpec } from '../../sandbox/sandbox.ts';

/** What a case is run against. */
export interface SandboxContractHost {
  sandboxes: Sandboxes;
  /** A spec with a name that is not in use. */
  spec(changes?: Partial<SandboxSpec>): SandboxSpec;
}

export interface SandboxContractCase {
  title: string;
  run(host: SandboxContractHost): Promise<void>;
}

/** A case that closes the sandboxes that it opened. */
export function rule(title: string, check: (host: SandboxContractHost) => Promise<void>): SandboxContractCase {
  return {
    title,
    async run({ sandboxes, spec }) {
      const names: string[] = [];
      const recorded = (changes?: Partial<SandboxSpec>) => {
        const given = spec(changes);
        names.push(given.name);
        return given;
      };
      try {
        await check({ sandboxes, spec: recorded });
      } finally {
        for (const name of names) await sandboxes.close(name);
      }
    },
  };
}

export function open({ sandboxes, spec }: SandboxContractHost): Promise<Sandbox> {
  return sandboxes.open(spec());
}

export function run(
  sandbox: Sandbox,
  id: string,
  script: string,
  more: Partial<CommandRequest> = {},
): Promise<CommandResult> {
  return sandbox.run({ id, script, timeoutMs: 60_000, ...more });
}
