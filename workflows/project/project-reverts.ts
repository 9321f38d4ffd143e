import { isCancellation, patched, uuid4 } from '@temporalio/workflow';
import type { FailureType } from '../../domain/failure-types.ts';
import type { Revert, RevertRequest, RevertResult } from '../../domain/project/messages.ts';
import { git } from '../activities.ts';
import { explain, failure, failureType, shorten } from '../failures.ts';
import type { ProjectMessages } from './project-messages.ts';

const isUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What `revertToCheckpoint` throws where it has changed nothing. */
const refusals: FailureType[] = [
  'RepositoryUnusable',
  'RepositoryBusy',
  'FolderUnusable',
  'UncommittedChanges',
  'UnknownCheckpoint',
  'UnknownProject',
];

/** The reverts of one project. One that fails leaves the project at rest, so that nothing is worked on where branch and features differ. */
export class ProjectReverts {
  /** The branch may not be where the features are: nothing is worked on until it is finished. */
  unfinished: Revert | undefined;
  #projectId: string;
  #messages: ProjectMessages;

  constructor(projectId: string, messages: ProjectMessages) {
    this.#projectId = projectId;
    this.#messages = messages;
  }

  /** Does a revert, or ends it where it is the one that is unfinished. */
  async revert(request: RevertRequest, updateId = ''): Promise<RevertResult> {
    const isSame = this.unfinished?.request.checkpoint === request.checkpoint;
    const revertId = this.unfinished && isSame ? this.unfinished.revertId : revertIdOf(updateId);
    try {
      const result = await git.revertToCheckpoint({ projectId: this.#projectId, revertId, request });
      this.unfinished = undefined;
      const { wasDone, ...reverted } = result;
      const reason = `Reverted to ${result.checkpoint}. \`resume\` goes on from there.`;
      // A reset does it again after whatever was told since, a resume included.
      if (!wasDone) {
        this.#messages.hold = { kind: 'paused', reason };
        this.#messages.refuseSessions(
          `The project was reverted to ${result.checkpoint} before the session had begun. Ask again to run it.`,
        );
      }
      return reverted;
    } catch (error) {
      // Projects whose revert failed before this was looked at went on with what was there.
      if (isCancellation(error) || !patched('holds-unfinished-reverts')) throw error;
      throw this.#hold({ revertId, request }, error);
    }
  }

  /** Tries again to end the unfinished revert; where it fails, the project waits again and says why. */
  async finish(): Promise<void> {
    if (!this.unfinished) return;
    try {
      // What the person has changed since then, they have not been asked about.
      await this.revert({ ...this.unfinished.request, overUncommittedChanges: false });
    } catch (error) {
      if (isCancellation(error)) throw error;
    }
  }

  tellUnfinished(): string {
    return `The revert to ${this.unfinished?.request.checkpoint} is half done: the branch may not be where the features are. \`resume\`, or the same revert again, finishes it.`;
  }

  /** Lets the project rest after a revert that failed; returns what the person who asked for it is told. */
  #hold(revert: Revert, error: unknown): Error {
    const type = refusals.find((one) => one === failureType(error));
    if (!type) this.unfinished = revert;
    const told = type ? [`The revert to ${revert.request.checkpoint} was refused and changed nothing.`] : [];
    told.push(this.unfinished ? this.tellUnfinished() : '`resume` goes on without it.', explain(error));
    const reason = shorten(told.join(' '));
    if (this.unfinished) this.#messages.hold = { kind: 'waiting', reason };
    else this.#messages.hold ??= { kind: 'waiting', reason };
    return failure(type ?? 'RevertUnfinished', reason);
  }
}

/** The same for the same update, so that one that a reset does again finds itself done; ids that are no UUIDs are not sure to differ in what a ref may hold. */
function revertIdOf(updateId: string): string {
  return (isUuid.test(updateId) ? updateId : uuid4()).slice(0, 8);
}
