import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { packageRoot } from '../config/package-root.ts';
import { materialPrompt, promptNames } from './prompt-names.ts';
import { checkVariables, PromptError, type PromptFile, renderPrompt, variablesOf } from './render-prompt.ts';

/** The prompts of agents: the user's own where one exists, otherwise the shipped one. */
export interface Prompts {
  /**
   * Returns a prompt with its `{{variables}}` filled in.
   * @throws {PromptError} if the prompt does not exist, or if a variable is missing or unused.
   */
  render(name: string, variables: Record<string, string>): string;
  /** The instructions of an agent: a prompt, and what all agents are told about material. */
  renderInstructions(name: string, variables: Record<string, string>): string;
}

/**
 * Reads and checks every prompt, so that a bad one is reported before any work begins and all runs of a worker use the same text.
 * @throws {PromptError} with every complaint.
 */
export function loadPrompts(folder: string): Prompts {
  const complaints = findStrangers(folder);
  const prompts = new Map<string, PromptFile>();
  for (const name of promptNames) {
    const { prompt, complaint } = findPrompt(folder, name);
    if (complaint !== undefined) complaints.push(complaint);
    prompts.set(name, prompt);
  }
  if (complaints.length) throw new PromptError(complaints.join('\n'));
  function render(name: string, variables: Record<string, string>): string {
    const prompt = prompts.get(name);
    if (!prompt) throw new PromptError(`Expected one of the prompts ${promptNames.join(', ')}, got "${name}".`);
    return renderPrompt(prompt, variables);
  }
  return {
    render,
    renderInstructions: (name, variables) => `${render(name, variables)}\n\n${render(materialPrompt, {})}`,
  };
}

/** The prompt in use under a name, whether it is the user's own, and what is wrong with it. */
export function findPrompt(folder: string, name: string): { prompt: PromptFile; own: boolean; complaint?: string } {
  const shipped = readShippedPrompt(name);
  const prompt = readOwnPrompt(folder, name);
  if (!prompt) return { prompt: shipped, own: false };
  try {
    checkVariables(prompt, variablesOf(shipped.text)); // it is rendered with the shipped prompt's variables
    return { prompt, own: true };
  } catch (error) {
    if (!(error instanceof PromptError)) throw error;
    return { prompt, own: true, complaint: error.message };
  }
}

/** A Markdown file that matches no prompt is most likely misnamed and would be silently ignored. */
export function findStrangers(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md') && !promptNames.includes(basename(file, '.md')))
    .map(
      (file) =>
        `Expected one of the prompts ${promptNames.join(', ')}, found ${join(folder, file)}. Rename or move it.`,
    );
}

/** The shipped version of a prompt, which is in one of the folders of `agents/prompts/`. */
export function readShippedPrompt(name: string): PromptFile {
  const shipped = join(packageRoot(), 'agents', 'prompts');
  const paths = readdirSync(shipped).map((folder) => join(shipped, folder, `${name}.md`));
  const path = paths.find((one) => existsSync(one));
  if (path === undefined) throw new PromptError(`Expected a prompt "${name}" in a folder of ${shipped}, found none.`);
  return read(path);
}

/** The user's own version of a prompt; undefined if the folder has none. */
export function readOwnPrompt(folder: string, name: string): PromptFile | undefined {
  const path = ownPromptPath(folder, name);
  return existsSync(path) ? read(path) : undefined;
}

export function ownPromptPath(folder: string, name: string): string {
  return join(folder, `${name}.md`);
}

function read(path: string): PromptFile {
  return { path, text: readFileSync(path, 'utf8') };
}
