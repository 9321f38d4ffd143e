import { z } from 'zod';
import { describeIssue } from '../../domain/describe-issue.ts';
import { LonghaulError } from '../../domain/longhaul-error.ts';
import { readFrontMatter } from '../front-matter.ts';

/** The file in a skill's folder that describes it. */
export const skillFile = 'SKILL.md';

/** What the format says of a skill; other settings, such as its license, are for others. */
const frontMatterSchema = z.object({
  name: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, { error: 'expected kebab-case, such as "release-notes"' })
    .max(64),
  description: z.string().trim().min(1).max(1024),
});

/** A skill, as its file describes it. */
export interface SkillHead {
  /** Also the name of its folder. */
  name: string;
  /** What it is for and when to use it. */
  description: string;
}

/** A skill that cannot be used; the message has one line per complaint. */
export class SkillError extends LonghaulError<'SkillUnusable'> {
  constructor(message: string) {
    super(message, { code: 'SkillUnusable', kind: 'input' });
  }
}

/**
 * Reads the text of a SKILL.md: front matter in YAML, then the instructions.
 * @throws {SkillError} naming each invalid setting, what was expected and what came.
 */
export function parseSkill(text: string, path: string): SkillHead {
  const read = readFrontMatter(text);
  if (!read)
    throw new SkillError(
      `Expected ${path} to start with front matter between two lines "---" that has a name and a description, then the instructions.`,
    );
  if ('complaint' in read) throw new SkillError(`Expected YAML between the lines "---" of ${path}: ${read.complaint}`);
  const parsed = frontMatterSchema.safeParse(read.values);
  const complaints = parsed.success ? [] : parsed.error.issues.map((issue) => describeIssue(issue, read.values));
  const folder = path.split('/').at(-2);
  if (parsed.success && folder !== undefined && parsed.data.name !== folder)
    complaints.push(`name: expected the name of its folder, "${folder}", got "${parsed.data.name}"`);
  if (!read.body) complaints.push('the instructions: expected a text after the front matter, got none');
  if (parsed.success && !complaints.length) return parsed.data;
  throw new SkillError(
    `${path} is invalid. Correct it and try again.\n${complaints.map((one) => `  ${one}`).join('\n')}`,
  );
}
