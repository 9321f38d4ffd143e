import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ConfigurationError } from '../../domain/configuration-error.ts';
import { describeIssues } from '../../domain/describe-issue.ts';
import type { McpServers } from '../../domain/mcp/mcp-server.ts';
import { isNetworkPolicy, type NetworkPolicy, networkPolicyExpected } from '../../domain/network/network-policy.ts';

const texts = z.record(z.string(), z.string()).optional();
const nameExpected = 'expected letters, digits, "-" and single "_" as the name of a server';
const serverExpected =
  'expected { command, args?, env?, sandbox?, network? } for a program, or { url, headers? } for an address';
const sandboxExpected = 'expected "sandbox": true beside "network", which is for a program in a sandbox';

/** Servers by name, in the form that other programs use in their `.mcp.json`. */
export const mcpServersSchema: z.ZodType<McpServers> = z.record(
  z.string().regex(/^[a-zA-Z0-9-]+(_[a-zA-Z0-9-]+)*$/, { error: nameExpected }),
  z.union(
    [
      z
        .strictObject({
          type: z.literal('stdio').optional(),
          command: z.string().min(1),
          args: z.array(z.string()).optional(),
          env: texts,
          sandbox: z.boolean().optional(),
          network: z.custom<NetworkPolicy>(isNetworkPolicy, { error: networkPolicyExpected }).optional(),
        })
        .refine(({ sandbox, network }) => sandbox || network === undefined, { error: sandboxExpected })
        .transform(({ type: _, ...server }) => server),
      z
        .strictObject({ type: z.literal('http').optional(), url: z.url({ protocol: /^https?$/ }), headers: texts })
        .transform(({ type: _, ...server }) => server),
    ],
    { error: serverExpected },
  ),
);

const fileSchema = z.object({ mcpServers: mcpServersSchema });

/**
 * The servers of `.mcp.json` in the data folder; empty without that file. `${NAME}` and `${NAME:-otherwise}` in its texts stand for variables. A
 * repository's `.mcp.json` is never read: agents write there, and it would start programs on this machine.
 * @throws {ConfigurationError} naming the file, what was expected and what came.
 */
export function readMcpFile(home: string, environment: Record<string, string | undefined>): McpServers {
  const path = join(home, '.mcp.json');
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    // A data folder that is none is told by who writes there.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return {};
    throw error;
  }
  let given: unknown;
  try {
    given = JSON.parse(text, (_, value) => (typeof value === 'string' ? expand(value, path, environment) : value));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ConfigurationError(`Expected JSON in ${path}: ${error.message}`, { cause: error });
  }
  const parsed = fileSchema.safeParse(given);
  if (parsed.success) return parsed.data.mcpServers;
  throw new ConfigurationError(`${path} has invalid settings.\n${describeIssues(parsed.error, given)}`);
}

function expand(text: string, path: string, environment: Record<string, string | undefined>): string {
  return text.replace(/\$\{(\w+)(?::-([^}]*))?\}/g, (_, name: string, otherwise?: string) => {
    const value = environment[name] || otherwise;
    if (value !== undefined) return value;
    throw new ConfigurationError(`Expected the variable ${name}, which ${path} names, to be set.`);
  });
}
