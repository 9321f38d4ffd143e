import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../config/package-root.ts';
import { InterpreterMissingError } from './errors.ts';
import type { CommandResult, Sandbox } from './sandbox.ts';

export type CodeLanguage = 'python' | 'javascript';

export interface CodeRequest {
  /** The tool-call id: running it again attaches to the first run or reads its result. */
  id: string;
  language: CodeLanguage;
  code: string;
  timeoutMs: number;
  /** Aborting stops the code; the result is `cancelled`. */
  cancel?: AbortSignal;
  /** Aborting lets go of the code, which runs on for a later attach. */
  detach?: AbortSignal;
}

/** A picture that the code left in the workspace; its path is relative to that. */
export interface CodeImage {
  path: string;
  size: number;
}

export interface CodeResult {
  /** `died` is an interpreter that ended in the call, `interrupted` one whose sandbox did. */
  ended: 'done' | 'timed-out' | 'died' | 'cancelled' | 'interrupted';
  /** What the last expression's value looks like; empty where it has none. */
  result: string;
  /** What the code printed; the middle is left out where it is long. */
  output: string;
  /** A traceback; empty where nothing went wrong. */
  error: string;
  images: CodeImage[];
  moreImages: number;
  /** An interpreter was started for the call: the first one, or again, so that variables and imports of before are gone. */
  started?: 'first' | 'again';
  /** Variables and imports are gone after the call. */
  lost: boolean;
}

/** Milliseconds beyond the code's own time limit in which an interpreter is started, and ended. */
const startAndEnd = 30_000;
const kernels = { python: 'python-kernel.py', javascript: 'javascript-kernel.cjs' } as const;

/**
 * Runs code in the sandbox's interpreter of its language, which keeps variables, functions and imports between calls.
 * @throws {InterpreterMissingError} where the image has no interpreter.
 */
export async function executeCode(sandbox: Pick<Sandbox, 'run'>, request: CodeRequest): Promise<CodeResult> {
  const { id, language, code, timeoutMs, cancel, detach } = request;
  const input = { language, code, name: id, milliseconds: timeoutMs, kernel: readKernel(kernels[language]) };
  const command = await sandbox.run({
    ...callScript(input),
    id,
    timeoutMs: timeoutMs + startAndEnd,
    ...(cancel && { cancel }),
    ...(detach && { detach }),
  });
  if (command.outcome === 'cancelled') {
    // What is told to stop ends with it; the interpreter may have to go too.
    await sandbox.run({ ...callScript({ language }), id: `${id}.stop`, timeoutMs: startAndEnd });
  }
  return toResult(command, request);
}

function callScript(input: Record<string, unknown>) {
  return {
    script: 'exec python3 -I -c "$CALL"',
    environment: { CALL: readKernel('call.py') },
    input: JSON.stringify(input),
  };
}

function toResult({ outcome, exitCode, output }: CommandResult, { language }: CodeRequest): CodeResult {
  const end = output.text.indexOf('\n');
  const [mark, facts] = splitOnce(output.text.slice(0, end));
  const nothing = { result: '', error: '', images: [], moreImages: 0 };
  if (outcome !== 'exited') {
    const ended = outcome === 'timed-out' ? 'died' : outcome;
    return { ...nothing, ended, output: '', lost: outcome !== 'cancelled' };
  }
  if (exitCode === 0 && mark === 'longhaul-code') {
    const { lengths, started, ...rest } = JSON.parse(facts) as Reported;
    const [result = 0, error = 0] = lengths;
    const parts = output.text.slice(end + 1);
    return {
      ...rest,
      ...(started && { started }),
      result: parts.slice(0, result),
      error: parts.slice(result, result + error),
      output: parts.slice(result + error),
    };
  }
  if (exitCode === 137) return { ...nothing, ended: 'died', output: '', lost: true };
  throw new InterpreterMissingError(
    `Expected the sandbox to run ${language}, got exit code ${exitCode}: ${output.text.trim().slice(0, 2000)}. The image needs python3${language === 'python' ? '' : ' and node'}; \`sandbox.image\` names another one.`,
  );
}

interface Reported extends Pick<CodeResult, 'ended' | 'lost' | 'images' | 'moreImages'> {
  started: 'first' | 'again' | null;
  /** Of result, error and output. */
  lengths: number[];
}

function splitOnce(line: string): [string, string] {
  const space = line.indexOf(' ');
  return space === -1 ? [line, ''] : [line.slice(0, space), line.slice(space + 1)];
}

function readKernel(name: string): string {
  return readFileSync(join(packageRoot(), 'sandbox', 'kernels', name), 'utf8');
}
