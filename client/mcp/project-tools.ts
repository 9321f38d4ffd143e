import { randomUUID } from 'node:crypto';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { CallToolResult, ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { ProjectToolCall } from '../../agents/project-tools/project-tools.ts';
import {
  type ProjectToolName,
  projectToolDeclarations,
  projectToolNames,
} from '../../agents/tools/project-tool-declarations.ts';
import { LonghaulError } from '../../domain/longhaul-error.ts';
import { decide } from '../../domain/permissions/decide.ts';
import { describeVerdict } from '../../domain/permissions/describe-decision.ts';
import type { Rule } from '../../domain/permissions/rule.ts';
import { scrub } from '../../domain/secrets/scrub.ts';
import { preview } from '../../domain/storable-text.ts';
import { isUnreachable } from '../errors.ts';
import type { McpOptions } from './mcp-options.ts';
import { refuseFolder } from './refuse-folder.ts';

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** Milliseconds between signs of life: clients give up after a minute of silence. */
const progressInterval = 10_000;
/** Milliseconds that a report waits: one that arrives together with the answer reaches a client that has forgotten the call. */
const reportPause = 100;

/** What cannot be taken back by another call, so that clients ask their person. */
const destructive = new Set<ProjectToolName>(['abandon_project', 'revert_project']);

/** A client that works on the same machine may say where the project is to be. */
const folder = z
  .string()
  .min(1)
  .exactOptional()
  .describe(
    "An absolute path in the folder that you work in, if the person wants the project there. Default: below Longhaul's data folder.",
  );

/** Serves the project tools; what Longhaul refuses is a result with `isError` and the reason. */
export function addProjectTools(
  server: McpServer,
  { connect, disconnect, rules, folders, onDefect }: McpOptions,
): void {
  for (const name of projectToolNames) {
    const { description, parameters, readOnly } = projectToolDeclarations[name];
    const inputSchema: z.ZodObject =
      name === 'create_long_running_project' ? parameters.extend({ folder }) : parameters;
    const annotations = { readOnlyHint: readOnly, destructiveHint: destructive.has(name), openWorldHint: false };
    server.registerTool(name, { description, inputSchema, annotations }, (input, extra) => answer(name, input, extra));
  }

  async function answer(name: ProjectToolName, input: { folder?: string }, extra: Extra): Promise<CallToolResult> {
    const { folder: place } = input;
    const refusal = refuseByRule(rules, name) ?? (place === undefined ? undefined : refuseFolder(place, folders));
    if (refusal !== undefined) return toResult({ text: refusal, failed: true });
    const { report, stop } = reportTo(extra, onDefect);
    try {
      const { projectTools } = await connect();
      const by = preview(server.server.getClientVersion()?.name ?? 'an MCP client', 60);
      const call: ProjectToolCall = { id: `mcp-${randomUUID()}`, by, signal: extra.signal, report };
      return toResult(await projectTools[name](input as never, call));
    } catch (error) {
      if (isUnreachable(error)) disconnect();
      if (error instanceof LonghaulError) return toResult({ text: error.message, failed: true });
      if (!extra.signal.aborted) onDefect(error);
      throw error;
    } finally {
      stop();
    }
  }
}

function toResult({ text, failed = false }: { text: string; failed?: boolean }): CallToolResult {
  return { content: [{ type: 'text', text: scrub(text) }], ...(failed && { isError: true }) };
}

/** A person asks for this server to be used, and the client asks them about its calls; what their own rules deny or ask for is not done here. */
function refuseByRule(rules: readonly Rule[], name: ProjectToolName): string | undefined {
  const decision = decide(rules, { kind: 'Tool', subject: name });
  if (!decision.rule || decision.effect === 'allow') return undefined;
  return `Not allowed: ${describeVerdict(decision)} decides on ${decision.part}. Tell the person, who can do it with the \`longhaul\` command.`;
}

/** Sends progress notifications, if the client asked for them. */
function reportTo({ _meta, sendNotification }: Extra, onDefect: McpOptions['onDefect']) {
  const { progressToken } = _meta ?? {};
  if (progressToken === undefined) return { report: undefined, stop: () => {} };
  let progress = 0;
  let isOver = false;
  const send = (message: string) => {
    if (isOver) return;
    progress += 1;
    sendNotification({ method: 'notifications/progress', params: { progressToken, progress, message } }).catch(
      onDefect,
    );
  };
  const report = (message: string) => void setTimeout(send, reportPause, message).unref();
  const timer = setInterval(() => report('still at work'), progressInterval);
  const stop = () => {
    isOver = true;
    clearInterval(timer);
  };
  return { report, stop };
}
