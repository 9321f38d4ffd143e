import { homedir } from 'node:os';
import { join } from 'node:path';
import { localModelFolder } from '../../db/memory/embedding/local-model.ts';
import { performStep } from '../../setup/setup-step.ts';
import { embeddingModelStep } from '../../setup/steps/embedding-model.ts';
import { makeContext } from '../setup/test-configuration.ts';

/** The folder of the local embedding model, fetched as set-up does it for the usual home. */
export async function findEmbeddingModel(): Promise<string> {
  const { context, configuration } = makeContext({ LONGHAUL_HOME: join(homedir(), '.longhaul') });
  if (!(await performStep(embeddingModelStep, context))) throw new Error(context.reporter.lines.join('\n'));
  return localModelFolder(configuration.home);
}
