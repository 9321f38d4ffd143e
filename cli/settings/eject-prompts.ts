import { mkdir, writeFile } from 'node:fs/promises';
import { ownPromptPath, readOwnPrompt, readShippedPrompt } from '../../agents/load-prompts.ts';
import { ClientError } from '../../client/errors.ts';

export interface EjectedPrompt {
  name: string;
  path: string;
  /** The same file already existed. */
  alreadyThere: boolean;
}

/**
 * Copies shipped prompts to a folder, all or none.
 * @throws {ClientError} `InvalidInput` if a file there differs, unless `force` is set.
 */
export async function ejectPrompts(
  folder: string,
  names: string[],
  { force }: { force: boolean },
): Promise<EjectedPrompt[]> {
  const prompts = names.map((name) => {
    const { text } = readShippedPrompt(name);
    const there = readOwnPrompt(folder, name);
    return { name, text, path: ownPromptPath(folder, name), alreadyThere: there?.text === text, there };
  });
  const changed = prompts.filter(({ there, alreadyThere }) => there && !alreadyThere);
  if (changed.length && !force) {
    throw new ClientError(
      'InvalidInput',
      `Expected no changed prompts in ${folder}, found ${changed.map(({ name }) => `${name}.md`).join(', ')}. Nothing was copied; --force overwrites them.`,
    );
  }
  await mkdir(folder, { recursive: true });
  for (const { path, text, alreadyThere } of prompts) if (!alreadyThere) await writeFile(path, text);
  return prompts.map(({ name, path, alreadyThere }) => ({ name, path, alreadyThere }));
}
