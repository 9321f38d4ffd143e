import { z } from 'zod';
import { type Finding, keptKinds } from '../../domain/memory/extraction.ts';
import type { AnswerSchema, ModelAnswer } from '../../domain/model/model-provider.ts';

/** Maximum number of findings kept of one turn. */
const maxFindings = 5;

const answerShape = z.strictObject({
  keep: z.array(
    z.strictObject({
      kind: z.enum(keptKinds),
      text: z.string().trim().min(1),
      replaces: z.string().nullable(),
    }),
  ),
});

const { $schema: _, ...schema } = z.toJSONSchema(answerShape, { io: 'input' });

/** The form that the model's answer must have. */
export const findingsSchema: AnswerSchema = { name: 'keep', schema };

/** Returns the first five findings of an answer, or what is wrong with it, worded for the model. */
export function readFindings(text: string): { findings: Finding[] } | { complaint: string } {
  let value: unknown;
  try {
    value = JSON.parse(withoutFence(text.trim()));
  } catch (error) {
    return { complaint: `it is not JSON (${error instanceof Error ? error.message : error})` };
  }
  const parsed = answerShape.safeParse(value);
  if (parsed.success) return { findings: parsed.data.keep.slice(0, maxFindings) };
  return {
    complaint: parsed.error.issues
      .map(({ path, message }) => `${path.join('.') || 'the answer'}: ${message}`)
      .join('; '),
  };
}

/** Many models put their answer into a code fence. */
function withoutFence(text: string): string {
  const begin = text.indexOf('\n');
  const isFenced = ['```', '```json'].includes(text.slice(0, Math.max(begin, 0)).trimEnd()) && text.endsWith('```');
  return isFenced ? text.slice(begin, -3) : text;
}

/** What is wrong with an answer; null if it is usable. */
export function findFault({ text, finish }: Pick<ModelAnswer, 'text' | 'finish'>): string | null {
  if (finish === 'length') return 'it was cut off at the token limit';
  const read = readFindings(text);
  return 'complaint' in read ? read.complaint : null;
}
