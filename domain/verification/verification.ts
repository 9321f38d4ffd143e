import type { Evidence } from './evidence.ts';

/** A verdict as it is stored; `Evidence` is the same with the words of its feature. */
export interface Verification extends Omit<Evidence, 'feature' | 'requirement' | 'at'> {
  projectId: string;
  sessionId: string;
  featureId: string;
  createdAt: Date;
}
