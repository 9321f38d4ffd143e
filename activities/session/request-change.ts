import { changeChecks, featureOf, readFeatures } from '../../db/features/features.ts';
import { inProject } from '../../db/project/project-transaction.ts';
import { readSession, updateSession } from '../../db/project/sessions.ts';
import { isLockFile } from '../../domain/verification/lock-files.ts';
import type { RequestedChange } from '../../domain/verification/requested-change.ts';
import { isKnownCheck } from '../../domain/verification/spoil/spoil-check.ts';
import { isSteering } from '../../domain/verification/steering-files.ts';
import type { Dependencies } from '../dependencies.ts';
import { setUpScript } from '../sandbox/prepare-sandbox.ts';
import { isProtected } from '../verification/protected-files.ts';
import type { SessionName } from './session-commit.ts';

/** Stores the change that a session's agent asks for. */
export async function requestChange(
  { database, agents }: Pick<Dependencies, 'database' | 'agents'>,
  { projectId, sessionId }: SessionName,
  { path, reason }: { path: string; reason: string },
): Promise<{ refused: string } | { advice: string }> {
  const session = await readSession(database, sessionId);
  const features = await readFeatures(database, projectId);
  const { name, verification } = featureOf(features, session);
  if (verification.allowed?.includes(path)) return { refused: `Sessions on "${name}" may change ${path} already.` };
  const protectedPaths = features.flatMap((feature) => feature.verification.protectedPaths);
  const isCheck = isProtected(path, protectedPaths);
  const isOfSetUp = path === setUpScript || isLockFile(path);
  const steers = isSteering(path, (one) => isProtected(one, protectedPaths), agents.steeringFiles);
  // A test that nothing protects counts as it was where a step was seen to run it.
  if (!isCheck && !isOfSetUp && !steers && !isKnownCheck(path))
    return { refused: `${path} does not need a permission: change it like any other file.` };
  const decider = isCheck || isOfSetUp ? 'person' : 'agent';
  await updateSession(database, sessionId, { requestedChange: { path, reason, decider } });
  const advice =
    isCheck && path !== setUpScript
      ? "Change it in the project's folder, then `longhaul resume`."
      : `\`longhaul checks ${name} --allow ${path}\` allows it, then \`longhaul resume\`.`;
  return { advice };
}

/** The activities `findDecider` and `allowChange`, for the change that a session's agent asked for. */
export function createChangeActivities({ database }: Pick<Dependencies, 'database'>) {
  return { findDecider, allowChange };

  async function findDecider({ sessionId }: SessionName): Promise<RequestedChange['decider']> {
    return expectRequested(await readSession(database, sessionId)).decider;
  }

  /** Lets the feature's sessions make the change. A repetition finds it allowed. */
  async function allowChange({ projectId, sessionId }: SessionName): Promise<void> {
    const session = await readSession(database, sessionId);
    const { path } = expectRequested(session);
    const { name, verification } = featureOf(await readFeatures(database, projectId), session);
    const { allowed = [] } = verification;
    if (allowed.includes(path)) return;
    await inProject(database, projectId, (transaction) =>
      changeChecks(transaction, name, { ...verification, allowed: [...allowed, path] }, { by: sessionId }),
    );
  }
}

/** The change that a session's agent asked for. */
export function expectRequested(session: { id: string; requestedChange: RequestedChange | null }): RequestedChange {
  if (session.requestedChange) return session.requestedChange;
  throw new Error(`Expected the session ${session.id} to have asked for a change.`);
}
