import { CancellationScope, isCancellation } from '@temporalio/workflow';

/**
 * True where what `scope` did was cancelled: work that is stopped while its worker is dead ends with a time-out rather than as cancelled.
 */
export function wasCancelled(error: unknown, scope: CancellationScope = CancellationScope.current()): boolean {
  return isCancellation(error) || scope.consideredCancelled;
}
