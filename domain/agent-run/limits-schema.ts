import { z } from 'zod';

/** Limits of runs as users give them. */
export const agentRunLimitsSchema = z.strictObject({
  modelCalls: z.int().min(1).optional(),
  toolCalls: z.int().min(0).optional(),
  tokens: z.int().min(1).optional(),
  usd: z.number().positive().optional(),
});
