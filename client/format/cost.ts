import type { Cost } from '../project/project-status.ts';
import { countOf, formatCount } from './count.ts';

/** `$1.23`, followed by what is unknown. */
export function formatCost({ usd, unpricedTurns, unknownCalls }: Cost): string {
  const known = `$${usd < 0.995 ? usd.toFixed(3) : usd.toFixed(2)}`;
  const priced = usd === 0 && unpricedTurns > 0 ? 'unknown' : known;
  const unpriced = usd > 0 && unpricedTurns > 0 && `${formatCount(unpricedTurns)} turns without a known price`;
  const unknown = unknownCalls > 0 && `${countOf(unknownCalls, 'call')} without an answer, whose cost is unknown`;
  const rest = [unpriced, unknown].filter(Boolean).join(' and ');
  return rest ? `${priced}, and ${rest}` : priced;
}
