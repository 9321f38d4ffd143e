import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { mcpToolName } from '../domain/mcp/mcp-server.ts';

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

/** All tools of a server; those whose names providers refuse are left out. */
export async function listTools(
  client: Client,
  server: string,
  { timeout, onSkip, onChange }: { timeout: number; onSkip(tool: string): void; onChange(): void },
): Promise<McpTool[]> {
  const { ToolListChangedNotificationSchema } = await import('@modelcontextprotocol/sdk/types.js');
  client.setNotificationHandler(ToolListChangedNotificationSchema, onChange);
  const found: McpTool[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listTools(cursor === undefined ? {} : { cursor }, { timeout });
    for (const { name: tool, description = '', inputSchema, annotations } of page.tools) {
      const name = mcpToolName(server, tool);
      if (!usableName.test(name)) onSkip(tool);
      else
        found.push({
          name,
          server,
          tool,
          description,
          parameters: inputSchema,
          readOnly: annotations?.readOnlyHint === true,
        });
    }
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return found;
}
