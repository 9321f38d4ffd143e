import { homedir } from 'node:os';
import { join } from 'node:path';
import { performStep } from '../../../setup/setup-step.ts';
import { embeddingModelStep } from '../../../setup/steps/embedding-model.ts';
import { makeContext } from '../../setup/test-configuration.ts';

/** The folder of the local embedding model that `npm test` found, or else of the one that set-up finds for the usual home. */
export async function findEmbeddingModel(): Promise<string> {
  const given = process.env.EMBEDDING_MODEL_PATH;
  const { context } = makeContext({
    LONGHAUL_HOME: join(homedir(), '.longhaul'),
    ...(given ? { EMBEDDING_MODEL_PATH: given } : {}),
  });
  const folder = await performStep(embeddingModelStep, context);
  if (folder === undefined) throw new Error(context.reporter.lines.join('\n'));
  return folder;
}
