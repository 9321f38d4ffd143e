import { createHash } from 'node:crypto';
import { isToolName, toolDeclarations } from '../agents/tools/tool-declarations.ts';
import type { RequestedToolCall } from '../db/transcript/message.ts';
import type { CallTrace } from '../workflows/stuck.ts';

/** What a call shows of whether its agent makes progress; its own id in the result, which differs each time, shows nothing. */
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
    const waits = waiting[call.name].test(programOf(call));
    return { command: waits ? 'waits' : 'works', shownHash: hash(text.replace(times, '#')) };
  }
  return !failed && isToolName(call.name) && !toolDeclarations[call.name].readOnly ? { changes: true } : {};
}

/** What differs each time although nothing changed: durations, and the time of day. */
const times =
  /(?<![\w.,])\d+(?:[.,]\d+)*\s?(?:ns|µs|us|ms|s|secs?|seconds?|m|mins?|minutes?)\b|\b\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?\b|(?<=duration_ms:? )[\d.]+/g;

/** Where a command may begin: also in a loop, in the argument of a shell, after variables and a time limit. */
const beginning = /(?:^|[;&|(){}`\n]|-l?c\s+['"]|\b(?:do|then|else|until|while|if|exec|sudo|time)\s|!\s)[ \t]*/.source;
const before = /(?:\w+=[^\s;&|(){}`]*\s+)*(?:timeout\s+(?:(?:-\S+|[\d.]+[smhd]?)\s+)+)?(?:[^\s'";&|(){}`/]*\/)*/.source;
const waiter = /(?:sleep|wait(?:-for\S*)?|curl|wget|nc|pg_isready)(?=$|[\s;&|)'"`])/.source;
/** What a program contains that waits for something else, such as a server to come up. */
const waiting = {
  run_command: new RegExp(`${beginning}${before}${waiter}|\\bsleep\\s*\\(`),
  execute_code: /\b(?:sleep|setTimeout|wait\w*|join)\s*\(|\bsleep\s+\d/,
};

function programOf({ arguments: text }: RequestedToolCall): string {
  try {
    const { command, code } = JSON.parse(text) as { command?: unknown; code?: unknown };
    const program = command ?? code;
    return typeof program === 'string' ? program : '';
  } catch {
    return ''; // not JSON, so nothing ran
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}
