import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../config/package-root.ts';

/** A prompt and the variables given for it do not fit. */
export class PromptVariableError extends Error {
  override name = 'PromptVariableError';
}

/**
 * Reads a prompt below `agents/prompts/` and fills in its `{{variables}}`.
 * @throws {PromptVariableError} where a variable of the prompt is missing or a given one is not used.
 */
export function renderPrompt(name: string, variables: Record<string, string>): string {
  const template = readFileSync(join(packageRoot(), 'agents', 'prompts', `${name}.md`), 'utf8');
  const used = new Set([...template.matchAll(/\{\{(\w+)\}\}/g)].map((match) => String(match[1])));
  const missing = [...used].filter((variable) => !(variable in variables));
  const unused = Object.keys(variables).filter((variable) => !used.has(variable));
  if (missing.length || unused.length) {
    throw new PromptVariableError(
      `The prompt "${name}" uses ${[...used].join(', ') || 'no variables'}; missing: ${missing.join(', ') || 'none'}; given and not used: ${unused.join(', ') || 'none'}.`,
    );
  }
  return template.replace(/\{\{(\w+)\}\}/g, (_, variable: string) => variables[variable] ?? '').trim();
}
