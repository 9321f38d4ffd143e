import { createHash } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { offeredTools } from '../agents/definition-of.ts';
import { isToolName, type ToolName, toolDeclarations } from '../agents/tools/tool-declarations.ts';
import { addToOwner } from '../db/add-to-owner.ts';
import { isAlreadyThere } from '../db/is-already-there.ts';
import { toolCalls } from '../db/schema/runs.ts';
import { preview } from '../db/storable-text.ts';
import type { Message, RequestedToolCall } from '../db/transcript/message.ts';
import { insertMessage, readMessagesAt } from '../db/transcript/transcript.ts';
import type { AgentRun } from '../workflows/agent-loop.ts';
import type { CallTrace } from '../workflows/stuck.ts';
import type { Dependencies } from './dependencies.ts';
import { withHeartbeat } from './heartbeat.ts';
import { createMadeTools } from './made-tools/made-tools.ts';
import { createTools } from './tools/create-tools.ts';
import type { ToolResult } from './tools/tool.ts';

export type ToolTurn = AgentRun & {
  turn: number;
  /** Of the call among those of its answer. */
  position: number;
  /** Where its result goes in the transcript. */
  messageNumber: number;
};

export interface ToolSummary extends CallTrace {
  failed: boolean;
  preview: string;
  /** Set where the call ended the run. */
  ends?: 'FINISHED' | 'GAVE_UP';
  refusedProposal?: boolean;
}

/** The activity `runTool`: does what one tool call asks for and stores its result; a call that has a result is not done again. */
export function createRunTool(dependencies: Dependencies) {
  const { database } = dependencies;
  const tools = createTools(dependencies);
  const madeTools = createMadeTools(dependencies);

  return async function runTool(input: ToolTurn): Promise<ToolSummary> {
    const [answer, stored] = await readMessagesAt(database, input.runId, [
      input.messageNumber - 1 - input.position, // the results stand behind their answer, in the order of its calls
      input.messageNumber,
    ]);
    const calls = answer?.content.toolCalls ?? [];
    const call = calls[input.position];
    if (!call)
      throw new Error(
        `Expected call ${input.position} in turn ${input.turn} of ${input.runId}, found ${calls.length} calls.`,
      );
    if (stored) return summarize(call, await asResult(input, stored));
    const startedAt = new Date();
    const result = await withHeartbeat((signals) => execute(input, call, calls.length, signals));
    return store(input, call, result, startedAt);
  };

  /** What an earlier attempt stored. */
  async function asResult(input: ToolTurn, message: Message): Promise<ToolResult> {
    const [row] = await database
      .select()
      .from(toolCalls)
      .where(
        and(eq(toolCalls.runId, input.runId), eq(toolCalls.turn, input.turn), eq(toolCalls.position, input.position)),
      );
    return { text: message.content.text, failed: row?.failed ?? false };
  }

  async function execute(
    input: ToolTurn,
    call: RequestedToolCall,
    callsInTurn: number,
    signals: { cancel: AbortSignal; detach: AbortSignal },
  ): Promise<ToolResult> {
    const id = `${input.runId}.${input.turn}.${input.position}`;
    const { given, made } = await madeTools.givenTo(input, offeredTools(input, dependencies.agents));
    const own = made.find(({ name }) => name === call.name);
    if (own) return madeTools.call(own, call, { run: input, id, ...signals });
    if (!isToolName(call.name) || !given.includes(call.name)) {
      const names = [...given, ...made.map(({ name }) => name)];
      return { failed: true, text: `There is no tool "${call.name}". You have: ${names.join(', ')}.` };
    }
    if (call.name in endings && callsInTurn > 1) {
      return {
        failed: true,
        text: `${call.name} ends your run, so it must be the only call of its turn. Call it again by itself.`,
      };
    }
    if (input.position >= mostCalls) {
      return {
        failed: true,
        text: `Not done: of one answer the first ${mostCalls} calls are done, this had ${callsInTurn}. Look at their results before you ask for more.`,
      };
    }
    const parsed = parseArguments(call.name, call.arguments);
    if ('complaint' in parsed) return { failed: true, text: parsed.complaint };
    return tools[call.name](parsed.value, { run: input, id, messageNumber: input.messageNumber, ...signals });
  }

  async function store(
    input: ToolTurn,
    call: RequestedToolCall,
    result: ToolResult,
    startedAt: Date,
  ): Promise<ToolSummary> {
    const { runId, turn, position, messageNumber } = input;
    const summary = summarize(call, result);
    const content = { text: result.text, toolCallId: call.id };
    const name = preview(call.name, 60);
    const { failed, resultHash } = summary;
    try {
      await addToOwner(database, input, {
        events: [
          ...(result.alsoStore?.events ?? []),
          {
            type: 'tool-completed',
            run: runId,
            turn,
            position,
            tool: name,
            failed,
            preview: preview(result.display ?? result.text, 160),
          },
        ],
        rows: (query) => [
          ...(result.alsoStore?.rows?.(query) ?? []),
          insertMessage(query, { runId, number: messageNumber, turn, role: 'tool', content }),
          query
            .insert(toolCalls)
            .values({ runId, turn, position, name, failed, resultHash, startedAt, endedAt: new Date() }),
        ],
        ...(result.alsoStore?.inLineage && { inLineage: result.alsoStore.inLineage }),
      });
    } catch (error) {
      // An attempt that was given up as dead stored its result meanwhile; the first one stays.
      const [stored] = isAlreadyThere(error) ? await readMessagesAt(database, runId, [messageNumber]) : [];
      if (!stored) throw error;
      return summarize(call, await asResult(input, stored));
    }
    return summary;
  }
}

/** Calls of one answer that are done; a model that asks for more has lost its thread, and their results its window. */
const mostCalls = 32;

/** Tools that end a run when they succeed, and how. */
const endings: Partial<Record<ToolName, 'FINISHED' | 'GAVE_UP'>> = {
  finish: 'FINISHED',
  submit_plan: 'FINISHED',
  propose_project: 'FINISHED',
  give_up: 'GAVE_UP',
};

function summarize(call: RequestedToolCall, result: ToolResult): ToolSummary {
  const failed = result.failed ?? false;
  const ends = failed || !isToolName(call.name) ? undefined : endings[call.name];
  return {
    callHash: hash(`${call.name} ${call.arguments}`),
    resultHash: hash(result.text),
    ...movementOf(call, failed),
    failed,
    preview: preview(result.text, 400),
    ...(ends && { ends }),
    ...(failed && call.name === 'propose_project' && { refusedProposal: true }),
  };
}

/** A command that waits for something else, such as a server that comes up. */
const waiting = /\b(sleep|wait|curl|wget|nc|pg_isready|timeout)\b/;

function movementOf(call: RequestedToolCall, failed: boolean): Pick<CallTrace, 'changes' | 'command'> {
  if (call.name === 'run_command') return { command: waiting.test(call.arguments) ? 'waits' : 'works' };
  return !failed && isToolName(call.name) && !toolDeclarations[call.name].readOnly ? { changes: true } : {};
}

function parseArguments(name: ToolName, text: string): { value: unknown } | { complaint: string } {
  let value: unknown;
  try {
    value = JSON.parse(text || '{}');
  } catch (error) {
    return {
      complaint: `The arguments of ${name} are not JSON: ${error instanceof Error ? error.message : error}. Got: ${preview(text)}`,
    };
  }
  const parsed = toolDeclarations[name].parameters.safeParse(value);
  // A proposal has its own checks, with better complaints.
  if (parsed.success || name === 'propose_project') return { value: parsed.success ? parsed.data : value };
  const complaints = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'arguments'}: ${issue.message}`);
  return { complaint: `The arguments of ${name} do not fit. ${complaints.join('; ')}` };
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}
