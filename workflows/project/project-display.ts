import { CancellationScope, patched, setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { ProjectStatus } from '../../domain/project/statuses.ts';
import { database } from '../activities.ts';
import { statusAttribute } from '../search-attributes.ts';
import type { ProjectMessages } from './project-messages.ts';

/** Tells the database and the Temporal UI alike what a project is doing. */
export class ProjectDisplay {
  /** Set once it has features. */
  planned = false;
  #projectId: string;
  #messages: ProjectMessages;
  /** Settles when the latest status is stored. */
  #shown: Promise<void> = Promise.resolve();

  constructor(projectId: string, messages: ProjectMessages) {
    this.#projectId = projectId;
    this.#messages = messages;
  }

  async show(status: ProjectStatus, what: string): Promise<void> {
    this.#messages.view = { status, reason: what };
    setCurrentDetails(`**${status}**\n\n${what}`);
    upsertSearchAttributes([{ key: statusAttribute, value: status }]);
    // In older histories a cancelled write made all later ones fail.
    const lasting = patched('stores-status-though-stopped');
    // One after the other: what is shown last is what stays.
    const earlier = lasting ? this.#shown.catch(() => {}) : this.#shown;
    const store = async () => {
      await earlier;
      const reason = status !== 'ACTIVE' && { reason: what };
      await database.setProjectStatus({ projectId: this.#projectId, status, ...reason });
    };
    this.#shown = lasting ? CancellationScope.nonCancellable(store) : store();
    await this.#shown;
  }

  /** Waits until what was shown last is stored. */
  settled(): Promise<void> {
    return this.#shown;
  }

  /** Shows a pause at once, while what is in flight still finishes. */
  async showHold(): Promise<void> {
    const { hold } = this.#messages;
    if (hold) await this.show(hold.kind === 'paused' ? 'PAUSED' : 'WAITING', hold.reason);
    else await this.#showSession();
  }

  async #showSession(): Promise<void> {
    const { session } = this.#messages;
    if (session) {
      await this.show('ACTIVE', `**${session.feature}**, attempt ${session.attempt}: workflow \`${session.id}\``);
    } else if (this.planned) {
      await this.show('ACTIVE', 'Choosing the next feature');
    } else {
      await this.show('INITIALIZING', 'Planning');
    }
  }
}
