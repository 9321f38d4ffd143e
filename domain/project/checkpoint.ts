/** A commit, and what the databases held at it; a project can be moved back to it. */
export interface Checkpoint {
  id: string;
  projectId: string;
  /** Its place in the project's lineage. */
  lineageId: string;
  sequence: number;
  commit: string;
  title: string;
  /** Null for the plan's. */
  sessionId: string | null;
  featureId: string | null;
  /** Where in Temporal's history it was created. */
  workflowId: string | null;
  workflowRunId: string | null;
  createdAt: Date;
}
