import type { Cost } from '../project/project-status.ts';
import { formatCount } from './count.ts';

/** `$1.23`; what is not known is said. */
export function formatCost({ usd, unpricedTurns }: Cost): string {
  const known = `$${usd < 0.995 ? usd.toFixed(3) : usd.toFixed(2)}`;
  if (unpricedTurns === 0) return known;
  return usd === 0 ? 'unknown' : `${known}, and ${formatCount(unpricedTurns)} turns of unknown price`;
}
