import { basename } from 'node:path';
import { LonghaulError } from '../domain/longhaul-error.ts';

/** A prompt's text and the file it comes from. */
export interface PromptFile {
  path: string;
  text: string;
}

/** Thrown for an invalid prompt: its variables or its name are wrong. */
export class PromptError extends LonghaulError<'PromptUnusable'> {
  constructor(message: string) {
    super(message, { code: 'PromptUnusable', kind: 'input', retryable: true }); // a run waits for the corrected prompt
  }
}

const variable = /\{\{(\w+)\}\}/g;

/** The names of a prompt's `{{variables}}`, each once. */
export function variablesOf(text: string): string[] {
  return [...new Set([...text.matchAll(variable)].map((match) => String(match[1])))];
}

/**
 * Checks that a prompt uses all the given variables and no others.
 * @throws {PromptError} with the file's path.
 */
export function checkVariables({ path, text }: PromptFile, given: string[]): void {
  const used = variablesOf(text);
  const unknown = used.filter((name) => !given.includes(name));
  const unused = given.filter((name) => !used.includes(name));
  if (!unknown.length && !unused.length) return;
  const complaints = [
    unknown.length && `does not know ${inBraces(unknown)}: remove ${unknown.length === 1 ? 'it' : 'them'}`,
    unused.length && `has to use ${inBraces(unused)}: add ${unused.length === 1 ? 'it' : 'them'}`,
  ].filter(Boolean);
  throw new PromptError(
    `The prompt ${path} ${complaints.join(', and ')}. \`longhaul prompts show --shipped ${basename(path, '.md')}\` shows how they are used.`,
  );
}

function inBraces(names: string[]): string {
  return names.map((name) => `{{${name}}}`).join(', ');
}

/**
 * Fills in a prompt's `{{variables}}`.
 * @throws {PromptError} if a variable of the prompt is missing or a given one is not used.
 */
export function renderPrompt(prompt: PromptFile, variables: Record<string, string>): string {
  checkVariables(prompt, Object.keys(variables));
  return prompt.text.replace(variable, (_, name: string) => variables[name] ?? '').trim();
}
