import { findPrompt, findStrangers } from '../../agents/load-prompts.ts';
import { promptNames, rolesOfPrompt } from '../../agents/prompt-names.ts';
import type { Role } from '../../agents/role.ts';

export interface PromptView {
  name: string;
  /** Who is given it. */
  roles: Array<Role | 'summarizer'>;
  path: string;
  /** It is the user's, not the one that ships. */
  own: boolean;
  /** What keeps workers from using it. */
  complaint?: string;
}

/** Every prompt, and what is wrong with other files of the folder. */
export function listPrompts(folder: string): { prompts: PromptView[]; complaints: string[] } {
  const prompts = promptNames.map((name) => {
    const { prompt, own, complaint } = findPrompt(folder, name);
    return { name, roles: rolesOfPrompt(name), path: prompt.path, own, ...(complaint && { complaint }) };
  });
  return { prompts, complaints: findStrangers(folder) };
}
