import { createHash } from 'node:crypto';
import { isToolName, toolDeclarations } from '../../agents/tools/tool-declarations.ts';
import type { CallTrace } from '../../domain/run/loop-detection.ts';
import type { RequestedToolCall } from '../../domain/run/message.ts';

/** The parts of a call that show progress. The call's own id in the result is masked, since it differs each time. */
export function traceOf(
  call: RequestedToolCall,
  { text, failed, id }: { text: string; failed: boolean; id: string },
): CallTrace {
  const shown = text.replaceAll(id, '#');
  return {
    callHash: hash(`${call.name} ${call.arguments}`),
    resultHash: hash(shown),
    ...movementOf(call, shown, failed),
  };
}

export function isSameCall(one: RequestedToolCall, other: RequestedToolCall): boolean {
  return one.name === other.name && one.arguments === other.arguments;
}

function movementOf(call: RequestedToolCall, text: string, failed: boolean): Partial<CallTrace> {
  if (call.name === 'run_command' || call.name === 'execute_code') {
    return {
      command: waiting.test(programOf(call)) ? 'waits' : 'works',
      shownHash: hash(text.replace(times, '#')),
    };
  }
  return !failed && isToolName(call.name) && !toolDeclarations[call.name].readOnly ? { changes: true } : {};
}

/** What differs each time although nothing changed: durations and the time of day. */
const times =
  /\b\d+(?:\.\d+)?\s?(?:ns|µs|ms|s|seconds?|m|minutes?)\b|\b\d{1,2}:\d{2}(?::\d{2})?\b|(?<=duration_ms )[\d.]+/g;

/** A program that waits or asks whether a server is up: a command that starts with it, or a call of such a function. */
const waiting =
  /(?:^|[;&|(\n]|\b(?:do|while|until)\b)[ !]*(?:timeout \S+ )?(?:sleep|wait|curl|wget|nc|ping|pg_isready|docker ps|systemctl status)\b|\b(?:sleep|setTimeout|wait\w*)\s*\(/i;

function programOf({ arguments: text }: RequestedToolCall): string {
  try {
    const { command, code } = JSON.parse(text) as { command?: unknown; code?: unknown };
    return String(command ?? code ?? '');
  } catch {
    return ''; // not JSON, so nothing ran
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}
