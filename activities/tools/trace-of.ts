import { createHash } from 'node:crypto';
import { isToolName, toolDeclarations } from '../../agents/tools/tool-declarations.ts';
import type { CallTrace } from '../../domain/run/loop-detection.ts';
import type { RequestedToolCall } from '../../domain/run/message.ts';

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
    const waits = waiting[call.name].test(programOf(call)) || isUnreachable(text);
    return { command: waits ? 'waits' : 'works', shownHash: hash(text.replace(times, '#')) };
  }
  return !failed && isToolName(call.name) && !toolDeclarations[call.name].readOnly ? { changes: true } : {};
}

/** What differs each time although nothing changed: durations, and the time of day. */
const times =
  /(?<![\w.,])\d+(?:[.,]\d+)*\s?(?:ns|µs|us|ms|s|secs?|seconds?|m|mins?|minutes?)\b|\b\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?\b|(?<=duration_ms:? )[\d.]+/g;

/** Characters of a result that say of nothing but a server that is not up yet. A suite that fails because of one says more, and does not wait. */
const longestRefusal = 1_000;
const unreachable =
  /connection refused|ECONNREFUSED|could not connect|couldn't connect|failed to connect|not yet accepting connections|database system is starting up/i;

function isUnreachable(text: string): boolean {
  return text.length <= longestRefusal && unreachable.test(text);
}

/** Where a command may begin: also in a loop, in the argument of a shell, after variables and a time limit, by a runner or in a container. */
const beginning = /(?:^|[;&|(){}`\n]|-l?c\s+['"]|\b(?:do|then|else|until|while|if|exec|sudo|time)\s|!\s)[ \t]*/.source;
const limited = /(?:\w+=[^\s;&|(){}`]*\s+)*(?:timeout\s+(?:(?:-\S+|[\d.]+[smhd]?)\s+)+)?/.source;
const runner =
  /(?:(?:npx|bunx|(?:pnpm|yarn)\s+dlx)\s+(?:-\S+\s+)*|docker(?:[ -]compose)?\s+exec\s+(?:-\S+\s+)*[^\s-]\S*\s+)?/
    .source;
const folder = /(?:[^\s'";&|(){}`/]*\/)*/.source;
const before = `${limited}${runner}${folder}`;
/** Programs that do nothing but wait, or ask whether something is up. */
const waiter =
  /(?:sleep|wait(?:-for\S*|-on)?|curl|wget|https?|xh|nc|ncat|telnet|ping|ss|netstat|pgrep|pg_isready)(?=$|[\s;&|)'"`])/
    .source;
/** What programs that do more than that are asked to see whether something is up. */
const question = [
  /redis-cli\s[^;&|\n]*\bping\b/,
  /mysqladmin\s[^;&|\n]*\b(?:ping|status)\b/,
  /(?:psql|mysql)\s[^;&|\n]*\bselect 1\b/,
  /(?:systemctl|service)\s[^;&|\n]*\b(?:is-active|status)\b/,
  /docker(?:[ -]compose)?\s+(?:ps|inspect)\b/,
  /kubectl\s+(?:get|wait|rollout\s+status)\b/,
]
  .map(({ source }) => source)
  .join('|');
/** What a program contains that waits for something else, such as a server to come up. */
const waiting = {
  run_command: new RegExp(`${beginning}${before}(?:${waiter}|${question})|\\bsleep\\s*\\(`, 'i'),
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
