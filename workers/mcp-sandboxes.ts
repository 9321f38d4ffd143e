import { isInSandbox, type McpServers, type ProgramServer } from '../domain/mcp/mcp-server.ts';
import { networkOf } from '../domain/permissions/network-of-rules.ts';
import type { Rule } from '../domain/permissions/rule.ts';
import type { Sandboxes, SandboxProgram } from '../sandbox/sandbox.ts';

/** The sandboxes of the MCP servers that the settings put into one: one for each, which the workers of a stack share. */
export interface McpSandboxes {
  names: ReadonlySet<string>;
  /** Starts a server's program in its sandbox. */
  start(server: string, program: ProgramServer): Promise<SandboxProgram>;
  close(): Promise<void>;
}

export function createMcpSandboxes(
  servers: McpServers,
  { sandboxes, stack, image, rules }: { sandboxes: Sandboxes; stack: string; image: string; rules: readonly Rule[] },
): McpSandboxes {
  const nameOf = (server: string) => `mcp-${stack}-${server}`;
  const inside = Object.keys(servers).filter((name) => isInSandbox(servers[name]));
  return {
    names: new Set(inside.map(nameOf)),
    async start(server, { command, args = [], env, network = 'packages' }) {
      const access = networkOf(network, rules);
      const sandbox = await sandboxes.open({
        name: nameOf(server),
        owner: { owner: server, purpose: 'mcp' },
        image,
        network: access.policy,
        refusedHosts: access.refused,
      });
      return sandbox.start({ command: [command, ...args], environment: env ?? {} });
    },
    async close() {
      await Promise.all(inside.map((server) => sandboxes.close(nameOf(server))));
    },
  };
}
