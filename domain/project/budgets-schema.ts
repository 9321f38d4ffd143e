import { z } from 'zod';
import { budgetScopes } from './settings.ts';

const limit = z.number().positive().exactOptional();

/** Budgets as a person writes them in settings. */
export const budgetsSchema = z.partialRecord(
  z.enum(budgetScopes),
  z.strictObject({ usd: limit, tokens: limit, turns: limit, minutes: limit }),
);
