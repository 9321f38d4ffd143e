import { CancellationScope, isCancellation } from '@temporalio/workflow';

/** Whether the work in `scope` was cancelled: work that is stopped while its worker is dead ends with a timeout, not as cancelled. */
export function wasCancelled(error: unknown, scope: CancellationScope = CancellationScope.current()): boolean {
  return isCancellation(error) || scope.consideredCancelled;
}
