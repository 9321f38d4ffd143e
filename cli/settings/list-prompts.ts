import { findPrompt, findStrangers } from '../../agents/load-prompts.ts';
import { promptNames, rolesOfPrompt } from '../../agents/prompt-names.ts';
import type { Role } from '../../domain/run/role.ts';

export interface PromptView {
  name: string;
  /** The roles that get it. */
  roles: Array<Role | 'summarizer'>;
  path: string;
  /** Whether it is the user's own rather than the shipped one. */
  own: boolean;
  /** Why workers cannot use it. */
  complaint?: string;
}

/** Every prompt, and complaints about other files in the folder. */
export function listPrompts(folder: string): { prompts: PromptView[]; complaints: string[] } {
  const prompts = promptNames.map((name) => {
    const { prompt, own, complaint } = findPrompt(folder, name);
    return { name, roles: rolesOfPrompt(name), path: prompt.path, own, ...(complaint && { complaint }) };
  });
  return { prompts, complaints: findStrangers(folder) };
}
