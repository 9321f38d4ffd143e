import { rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { homeHash } from '../../../config/stack-id.ts';
import { hasLocalModel, localModelFolder } from '../../../models/embedding/local-model.ts';

/** The environment of a stack in a home of its own: this process's, without the variables that name servers, models or settings. */
export function testEnvironment(home: string): Record<string, string> {
  return { ...inherited(), LONGHAUL_HOME: home, ...embeddingModel() };
}

export async function removeHome(home: string): Promise<void> {
  await rm(home, { recursive: true, force: true });
  // As root, Postgres's data is here if its own user cannot reach the home.
  await rm(join('/var/lib/longhaul', homeHash(home)), { recursive: true, force: true });
}

/** Keeps a stack in a new home from fetching the model: uses one that is present, or none. */
function embeddingModel(): Record<string, string> {
  const folder = process.env.EMBEDDING_MODEL_PATH ?? localModelFolder(join(homedir(), '.longhaul'));
  return hasLocalModel(folder) ? { EMBEDDING_MODEL_PATH: folder } : { LONGHAUL_MODEL_EMBEDDING: 'none' };
}

function inherited(): Record<string, string> {
  const own =
    /^(OPENAI_|ANTHROPIC_|OPENROUTER_|LITELLM_|OLLAMA_|LMSTUDIO_|VLLM_|TEMPORAL_ADDRESS|TEMPORAL_NAMESPACE|DATABASE_URL|LANCEDB_URI|LONGHAUL_|npm_command)/;
  return Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !own.test(entry[0]),
    ),
  );
}
