import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { mcpToolName } from '../domain/mcp/mcp-server.ts';
import { isNestedDeeper, maxNesting } from '../domain/nesting.ts';

/** A tool of a server, as a model is offered it. */
export interface McpTool {
  /** `mcp__<server>__<tool>`. */
  name: string;
  server: string;
  /** What the server calls it. */
  tool: string;
  description: string;
  /** A JSON schema. */
  parameters: Record<string, unknown>;
  /** The server says that a call changes nothing, so that a call can be repeated. */
  readOnly: boolean;
}

/** Providers accept no other names. */
const usableName = /^[a-zA-Z0-9_-]{1,64}$/;

/** What a server's tools may have together: each model call pays for it, and providers take few hundred tools. */
const most = { tools: 200, pages: 50, characters: 200_000 };

export interface Listing {
  /** Milliseconds for all pages. */
  timeoutMs: number;
  /** Told of a tool that is left out, and why. */
  onSkip(tool: string, why: string): void;
  onChange(): void;
}

/**
 * The tools of a server, as far as they are usable, and not too many. Not by the SDK's `listTools`, which compiles the server's schemas and their regular
 * expressions to check results by them.
 */
export async function listTools(
  client: Client,
  server: string,
  { timeoutMs, onSkip, onChange }: Listing,
): Promise<McpTool[]> {
  const { ListToolsResultSchema, ToolListChangedNotificationSchema } = await import(
    '@modelcontextprotocol/sdk/types.js'
  );
  client.setNotificationHandler(ToolListChangedNotificationSchema, onChange);
  const end = Date.now() + timeoutMs;
  const found = new Map<string, McpTool>();
  let characters = 0;
  let cursor: string | undefined;
  for (let pages = 0; pages === 0 || cursor !== undefined; pages += 1) {
    const params = cursor === undefined ? {} : { cursor };
    if (pages === most.pages) onSkip('...', `they come in more than ${most.pages} pages`);
    if (pages === most.pages) break;
    const page = await client.request({ method: 'tools/list', params }, ListToolsResultSchema, {
      timeout: Math.max(1, end - Date.now()),
    });
    for (const { name: tool, description = '', inputSchema, annotations } of page.tools) {
      const name = mcpToolName(server, tool);
      const size = sizeOf({ description, inputSchema });
      const why = found.has(name) ? 'there is one of that name' : complainOf(name, size, characters, found.size);
      if (why !== undefined) onSkip(tool, why);
      else {
        characters += size ?? 0;
        const readOnly = annotations?.readOnlyHint === true;
        found.set(name, { name, server, tool, description, parameters: inputSchema, readOnly });
      }
    }
    cursor = page.nextCursor;
  }
  return [...found.values()];
}

function complainOf(name: string, size: number | undefined, before: number, count: number): string | undefined {
  if (!usableName.test(name)) return nameExpected;
  if (size === undefined) return `its schema is more than ${maxNesting} levels deep`;
  if (count >= most.tools) return `the server has more than ${most.tools}`;
  if (before + size > most.characters)
    return `the server's tools are described in more than ${most.characters} characters`;
  return undefined;
}

const nameExpected =
  'together with the server\'s, its name is longer than 64 characters, or has others than letters, digits, "_" and "-"';

/** Characters of JSON; undefined if it is nested too deep. */
function sizeOf(value: unknown): number | undefined {
  return isNestedDeeper(value) ? undefined : JSON.stringify(value).length;
}
