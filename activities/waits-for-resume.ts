import { Context } from '@temporalio/activity';
import type { Conversation } from '../db/transcript/read-conversation.ts';

/** True where a model would have to be asked again under a pause; that begins anew after the resume. A first try began before the pause. */
export function waitsForResume({ paused }: Pick<Conversation, 'paused'>): boolean {
  return paused && Context.current().info.attempt > 1;
}
