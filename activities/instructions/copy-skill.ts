import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { skillFile } from '../../agents/skills/parse-skill.ts';
import type { Skill } from '../../agents/skills/skill-folder.ts';
import type { CommandRequest, Sandbox } from '../../sandbox/sandbox.ts';

/** Copies the files of a skill into the home of a sandbox, so that an agent can run them; returns the folder, undefined if that failed. */
export async function copySkill(
  sandbox: Sandbox,
  skill: Skill,
  call: Pick<CommandRequest, 'id' | 'cancel' | 'detach'>,
): Promise<string | undefined> {
  const { exitCode, output } = await sandbox.run({
    ...call,
    script: copyScript,
    timeoutMs: 60_000,
    input: [skillFile, ...skill.files].map((path) => asLine(join(skill.folder, path), path)).join(''),
    environment: { SKILL: skill.name },
  });
  return exitCode === 0 ? output.text.trim() : undefined;
}

function asLine(file: string, path: string): string {
  const mode = lstatSync(file).mode & 0o111 ? '755' : '644';
  return `${mode}\t${path}\t${readFileSync(file).toString('base64')}\n`;
}

/** Beside the workspace, so that the copy is not committed. */
const copyScript = `set -e
folder="$HOME/skills/$SKILL"
rm -rf "$folder"
while IFS=$'\\t' read -r mode path content; do
  mkdir -p "$folder/$(dirname "$path")"
  printf %s "$content" | base64 -d >"$folder/$path"
  chmod "$mode" "$folder/$path"
done
printf %s "$folder"`;
