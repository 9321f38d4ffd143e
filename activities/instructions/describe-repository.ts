import { readProject } from '../../db/project/projects.ts';
import { readSession } from '../../db/project/sessions.ts';
import type { AgentRun } from '../../domain/run/agent-run.ts';
import type { MessageContent } from '../../domain/run/message.ts';
import type { Dependencies } from '../dependencies.ts';
import { describeInstructions } from './describe-instructions.ts';
import { sourceOfCommit } from './instruction-source.ts';

/**
 * What an agent of a project is told by its repository, as of the commit that its session began from: what the work itself changes steers neither the
 * session's own agents nor those that judge it.
 */
export async function describeRepository(
  dependencies: Dependencies,
  run: AgentRun<'project'>,
): Promise<{ text: string; instructions?: NonNullable<MessageContent['instructions']> }> {
  const { database, openRepository } = dependencies;
  const { folder, branch } = await readProject(database, run.owner.id);
  // An initializer without a sandbox plans an empty repository.
  if (!run.sessionId && !run.sandbox) return describeInstructions(dependencies);
  const repository = await openRepository(folder, branch);
  const commit = run.sessionId ? (await readSession(database, run.sessionId)).baseCommit : await repository.head();
  if (!commit) return describeInstructions(dependencies);
  const { text, folders } = await describeInstructions(dependencies, sourceOfCommit(repository, commit));
  return { text, instructions: { commit, folders } };
}
