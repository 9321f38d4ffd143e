import { Context } from '@temporalio/activity';
import { delegateRoleOf, offeredTools } from '../../agents/agent-definition.ts';
import { isToolName, type ToolName } from '../../agents/tools/tool-declarations.ts';
import { isAlreadyThere } from '../../db/connection/query-errors.ts';
import { addToOwner } from '../../db/events/add-to-owner.ts';
import { readOutcome } from '../../db/transcript/read-outcome.ts';
import { insertMessage, insertToolCall, readMessagesAt } from '../../db/transcript/transcript.ts';
import { sumUsage } from '../../db/usage/sum-usage.ts';
import { isMcpToolName } from '../../domain/mcp/mcp-server.ts';
import type { RunEnding } from '../../domain/project/messages.ts';
import type { AgentRun } from '../../domain/run/agent-run.ts';
import { delegateRunId } from '../../domain/run/delegation.ts';
import type { CallTrace } from '../../domain/run/loop-detection.ts';
import type { Message, RequestedToolCall } from '../../domain/run/message.ts';
import { preview } from '../../domain/storable-text.ts';
import { isSandboxError } from '../../sandbox/errors.ts';
import type { Dependencies } from '../dependencies.ts';
import { type ActivitySignals, withHeartbeat } from '../heartbeat.ts';
import { findInstructionsBelow } from '../instructions/instructions-below.ts';
import { describeCutOff } from '../model/skipped-calls.ts';
import { createOwners } from '../run/owners/create-owners.ts';
import { logRefusals } from '../sandbox/log-refusals.ts';
import { observeCall } from '../telemetry/observe-call.ts';
import { createTools } from './create-tools.ts';
import { createMadeTools } from './made-tools/made-tools.ts';
import { createMcpTools } from './mcp-tools.ts';
import { parseArguments } from './parse-arguments.ts';
import { createPermitCall } from './permit-call.ts';
import type { ToolResult } from './tool.ts';
import { isSameCall, traceOf } from './trace-of.ts';

export type ToolTurn = AgentRun & {
  turn: number;
  /** The call's index within its answer. */
  position: number;
  /** The number of its result in the transcript. */
  messageNumber: number;
  /** Appended to the result for the agent, unless the call ends its run. */
  remark?: string;
};

export interface ToolSummary extends CallTrace {
  failed: boolean;
  preview: string;
  /** For a call that delegates in a chat: input and output tokens of the run that did the work. */
  tokens?: number;
  /** Set if the call ended the run. */
  ends?: RunEnding;
  refusedProposal?: boolean;
}

/** Max tries while a chat's container host is unreachable: about a minute, since a person waits. Restarting Docker takes some ten seconds. */
export const maxTriesInChat = 10;

/** Tools whose commands reach the network. */
const usesNetwork = new Set<ToolName>(['run_command', 'execute_code']);

/** The activity `runTool`: executes one tool call and stores its result; a call that has a result is not executed again. */
export function createRunTool(dependencies: Dependencies) {
  const { database, answers } = dependencies;
  const tools = createTools(dependencies);
  const owners = createOwners(dependencies);
  const permitCall = createPermitCall(dependencies);
  const madeTools = createMadeTools(dependencies);
  const mcpTools = createMcpTools(dependencies);

  return async function runTool(input: ToolTurn): Promise<ToolSummary> {
    const answerNumber = input.messageNumber - 1 - input.position; // the results follow their answer, in the order of its calls
    const [answer, stored] = await readMessagesAt(database, input.runId, [answerNumber, input.messageNumber]);
    const calls = answer?.content.toolCalls ?? [];
    const call = calls[input.position];
    if (!answer || !call)
      throw new Error(
        `Expected call ${input.position} in turn ${input.turn} of ${input.runId}, found ${calls.length} calls.`,
      );
    const startedAt = new Date();
    const summary = stored
      ? summarize(input, call, await asResult(input, stored))
      : await store(
          input,
          call,
          await withHeartbeat((signals) =>
            answers.attend(input.owner.id, () =>
              observeCall(dependencies.telemetry, input, call, () => executeOrGiveUp(input, call, answer, signals)),
            ),
          ),
          startedAt,
        );
    return {
      ...summary,
      ...(calls.slice(0, input.position).some((earlier) => isSameCall(earlier, call)) && { repeats: true as const }),
      ...(delegateRoleOf(call.name) && { tokens: await tokensOfDelegate(idOf(input)) }),
    };
  };

  /** Tokens that a chat's call used by delegation; they count towards the message's limit. */
  async function tokensOfDelegate(callId: string): Promise<number> {
    const { inputTokens, outputTokens } = await sumUsage(database, { runId: delegateRunId(callId) });
    return inputTokens + outputTokens;
  }

  /** The result that an earlier attempt stored. */
  async function asResult(input: ToolTurn, message: Message): Promise<ToolResult> {
    return { text: message.content.text, ...(await readOutcome(database, input)) };
  }

  /** A project waits for an unreachable container host; in a chat a person is waiting, so there the result says so. */
  async function executeOrGiveUp(
    input: ToolTurn,
    call: RequestedToolCall,
    answer: Message,
    signals: ActivitySignals,
  ): Promise<ToolResult> {
    try {
      return await execute(input, call, answer, signals);
    } catch (error) {
      if (owners[input.owner.kind].waitsForHost) throw error;
      if (isSandboxError(error, 'QuotaExceeded')) {
        const way =
          'Until then this chat has no sandbox: tell the person, who can delete the chat with its files (`longhaul chats delete`).';
        return { failed: true, text: `${error.message}\n${way}`, display: error.message };
      }
      if (!isSandboxError(error, 'HostUnavailable')) throw error;
      if (Context.current().info.attempt < maxTriesInChat) throw error; // the next attempt finds what this one started
      return {
        failed: true,
        text: `${error.message}\nThis call was given up after a minute; its processes may still run. Tell the person, or continue without the sandbox.`,
        display: error.message,
      };
    }
  }

  async function execute(
    input: ToolTurn,
    call: RequestedToolCall,
    answer: Message,
    signals: ActivitySignals,
  ): Promise<ToolResult> {
    const id = idOf(input);
    const callsInTurn = answer.content.toolCalls?.length ?? 0;
    const { given, made } = await madeTools.givenTo(input.runId, offeredTools(input, dependencies.agents));
    const own = made.find(({ name }) => name === call.name);
    const cutOff = describeCutOff(answer, input.position);
    if (cutOff !== undefined) return { failed: true, text: cutOff };
    if (own) {
      const forbidden = await permitCall(input, id, { tool: own.name, arguments: { input: call.arguments } });
      return forbidden ?? madeTools.call(own, call, { run: input, id, ...signals });
    }
    const remote = isMcpToolName(call.name) ? await mcpTools.find(input, call.name) : undefined;
    if (remote) {
      const forbidden = await permitCall(input, id, { tool: remote.name, arguments: { input: call.arguments } });
      return forbidden ?? mcpTools.call(remote, call, input, signals);
    }
    if (!isToolName(call.name) || !given.includes(call.name)) {
      const names = [...given, ...made.map(({ name }) => name)];
      return { failed: true, text: `There is no tool "${call.name}". You have: ${names.join(', ')}.` };
    }
    if (call.name in endings && callsInTurn > 1) {
      return {
        failed: true,
        text: `${call.name} ends your run, so it must be the only call of its turn. Call it again alone.`,
      };
    }
    const parsed = parseArguments(call.name, call.arguments);
    if ('complaint' in parsed) return { failed: true, text: parsed.complaint };
    const forbidden = await permitCall(input, id, { tool: call.name, arguments: parsed.value });
    if (forbidden) return forbidden;
    const result = await tools[call.name](parsed.value, {
      run: input,
      id,
      messageNumber: input.messageNumber,
      ...signals,
    });
    const below = result.failed
      ? undefined
      : await findInstructionsBelow(dependencies, input, { tool: call.name, arguments: parsed.value });
    // A project's sandboxes are looked at when they are opened and closed; that of a chat may outlive its gateway's log.
    if (input.owner.kind === 'chat' && usesNetwork.has(call.name))
      await logRefusals(dependencies, input.owner, input.owner.id);
    return below ? { ...result, instructions: below } : result;
  }

  async function store(
    input: ToolTurn,
    call: RequestedToolCall,
    result: ToolResult,
    startedAt: Date,
  ): Promise<ToolSummary> {
    const { runId, turn, position, messageNumber } = input;
    const summary = summarize(input, call, result);
    // After the text and not in it: both would make the same output look new.
    const more = result.outputBytes !== undefined && describeHowToReadOn(result.outputBytes, messageNumber);
    const remark = !summary.ends && input.remark;
    const content = {
      text: [result.text, more, result.instructions?.text, remark].filter(Boolean).join('\n\n'),
      toolCallId: call.id,
      ...(more && { commandId: idOf(input) }),
      ...(result.instructions && { instructionsOf: result.instructions.folders }),
    };
    const name = preview(call.name, 60);
    const { failed, resultHash } = summary;
    try {
      await addToOwner(database, input.owner, {
        events: [
          ...(result.alsoStore?.events ?? []),
          {
            type: 'tool.result',
            run: runId,
            turn,
            position,
            tool: name,
            failed,
            preview: preview(result.display ?? result.text, 160),
            ...(result.pictures && { pictures: result.pictures }),
          },
        ],
        rows: (query) => [
          ...(result.alsoStore?.rows?.(query) ?? []),
          insertMessage(query, { runId, number: messageNumber, turn, role: 'tool', content }),
          insertToolCall(query, { runId, turn, position, name, failed, resultHash, startedAt, endedAt: new Date() }),
        ],
        ...(result.alsoStore?.inLineage && { inLineage: result.alsoStore.inLineage }),
      });
    } catch (error) {
      // An attempt that was presumed dead has stored its result meanwhile; the first one stays.
      const [stored] = isAlreadyThere(error) ? await readMessagesAt(database, runId, [messageNumber]) : [];
      if (!stored) throw error;
      return summarize(input, call, await asResult(input, stored));
    }
    return summary;
  }
}

function describeHowToReadOn(bytes: number, message: number): string {
  return `[The full output has ${bytes} bytes. While this sandbox exists, read_output with message ${message} shows any part of it.]`;
}

/** The call's id, the same at each attempt. */
function idOf({ runId, turn, position }: ToolTurn): string {
  return `${runId}.${turn}.${position}`;
}

/** Tools that end a run when they succeed, and how. */
const endings: Partial<Record<ToolName, RunEnding>> = {
  finish: 'FINISHED',
  submit_plan: 'FINISHED',
  propose_project: 'FINISHED',
  propose_checks: 'FINISHED',
  give_up: 'GAVE_UP',
  cannot_be_done: 'IMPOSSIBLE',
  request_change: 'CHANGE_REQUESTED',
  allow_change: 'FINISHED',
  refuse_change: 'OBJECTED',
  approve_work: 'FINISHED',
  object_to_work: 'OBJECTED',
};

function summarize(input: ToolTurn, call: RequestedToolCall, result: ToolResult): ToolSummary {
  const failed = result.failed ?? false;
  const ends = result.asks ? 'ASKED' : failed || !isToolName(call.name) ? undefined : endings[call.name];
  return {
    ...traceOf(call, { text: result.text, failed, id: idOf(input) }),
    failed,
    preview: preview(result.text, 400),
    ...(ends && { ends }),
    ...(failed && call.name === 'propose_project' && { refusedProposal: true }),
  };
}
