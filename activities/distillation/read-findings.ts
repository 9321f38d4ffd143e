import { z } from 'zod';
import { type Finding, keptKinds } from '../../db/chats/distillation.ts';
import type { AnswerSchema, ModelAnswer } from '../../models/model-provider.ts';

/** Of one turn. */
const most = 5;

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

/** What the model's answer has to be. */
export const findingsSchema: AnswerSchema = { name: 'keep', schema };

/** The findings in an answer, the first five; or what is wrong with it, in words for the model. */
export function readFindings(text: string): { findings: Finding[] } | { complaint: string } {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/, '$1'));
  } catch (error) {
    return { complaint: `it is not JSON (${error instanceof Error ? error.message : error})` };
  }
  const parsed = answerShape.safeParse(value);
  if (parsed.success) return { findings: parsed.data.keep.slice(0, most) };
  return {
    complaint: parsed.error.issues
      .map(({ path, message }) => `${path.join('.') || 'the answer'}: ${message}`)
      .join('; '),
  };
}

/** What is wrong with an answer; null where it can be used. */
export function findFault({ text, finish }: Pick<ModelAnswer, 'text' | 'finish'>): string | null {
  if (finish === 'length') return 'it broke off at its limit of tokens';
  const read = readFindings(text);
  return 'complaint' in read ? read.complaint : null;
}
