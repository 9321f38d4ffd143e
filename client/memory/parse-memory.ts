import { z } from 'zod';
import type { Memory } from '../../db/memory/memory.ts';
import { ClientError } from '../errors.ts';

const memorySchema = z.object({
  id: z.string().min(1),
  text: z.string(),
  kind: z.string().min(1),
  scope: z.enum(['global', 'project', 'session']),
  projectId: z.string().optional(),
  sessionId: z.string().optional(),
  lineageId: z.string().optional(),
  sequence: z.number().int().optional(),
  tags: z.array(z.string()).default([]),
  source: z
    .object({
      id: z.string().optional(),
      run: z.string().optional(),
      message: z.number().int().optional(),
      commit: z.string().optional(),
    })
    .default({}),
  importance: z.number().min(0).max(1).default(0.5),
  createdAt: z.coerce.date(),
  recalledAt: z.coerce.date().optional(),
  expiresAt: z.coerce.date().optional(),
  supersededBy: z.string().optional(),
});

/** Parses an exported memory; `number` is its position, for the error message. */
export function parseMemory(value: unknown, number: number): Memory {
  const parsed = memorySchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const complaints = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new ClientError(
    'InvalidInput',
    `Expected memory ${number} as \`longhaul memory export\` writes it. ${complaints.join('; ')}`,
  );
}
