import { z } from 'zod';
import type { AnswerSchema } from '../../domain/model/model-provider.ts';

/** The form of an answer, as models are told it. */
export function answerSchemaOf(output: z.ZodType): AnswerSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(output, { io: 'input' });
  return { name: 'answer', schema };
}
