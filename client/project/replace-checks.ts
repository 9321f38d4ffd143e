import type { Database } from '../../db/connection/database.ts';
import { changeChecks } from '../../db/features/features.ts';
import { inProject } from '../../db/project/project-transaction.ts';
import { describeIssue } from '../../domain/describe-issue.ts';
import { checksSchema } from '../../domain/project/proposal.ts';
import { ClientError } from '../errors.ts';

/** Checks and stores the verification that replaces a feature's. */
export async function replaceChecks(
  database: Database,
  { projectId, feature, checks }: { projectId: string; feature: string; checks: unknown },
): Promise<void> {
  const { success, data, error } = checksSchema.safeParse(checks);
  if (!success) {
    const complaints = error.issues.map((issue) => describeIssue(issue, checks));
    throw new ClientError('InvalidInput', `The checks cannot be used.\n${complaints.join('\n')}`);
  }
  await inProject(database, projectId, (transaction) => changeChecks(transaction, feature, data));
}
