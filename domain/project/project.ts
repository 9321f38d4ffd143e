import type { ProjectSettings } from './settings.ts';
import type { ProjectStatus } from './statuses.ts';

/** A goal that is being worked on, or was. */
export interface Project {
  /** Also the id of its workflow. */
  id: string;
  name: string;
  goal: string;
  /** Absolute. */
  folder: string;
  branch: string;
  status: ProjectStatus;
  statusReason: string | null;
  settings: ProjectSettings;
  /** What the initializer says that it is to become. */
  summary: string | null;
  /** A command that passes while the work is in order. */
  smokeCheck: string | null;
  createdAt: Date;
  endedAt: Date | null;
}
