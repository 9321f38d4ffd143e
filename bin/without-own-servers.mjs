const providers = 'OPENAI|ANTHROPIC|OPENROUTER|LITELLM|OLLAMA|LMSTUDIO|VLLM';

/** Settings that name a person's own model. Repeats the provider names, since this is read before dependencies are installed. */
export const namesModel = new RegExp(`^(?:(?:${providers})_(?:API_KEY|BASE_URL)|LONGHAUL_(?:MODEL.*|CONFIG))$`);

const namesServer = new RegExp(`^(?:DATABASE_URL|LANCEDB_URI|LONGHAUL_(?!TEST_).*|(?:${providers}|TEMPORAL)_.*)$`);

/** For tests and measurements: the environment without a person's own servers and model, plus what set-up found. */
export function withoutOwnServers(environment, setup) {
  const kept = Object.entries(environment).filter(([name]) => !namesServer.test(name));
  return {
    ...Object.fromEntries(kept),
    ...(setup.temporalCli ? { TEMPORAL_CLI_PATH: setup.temporalCli.path } : {}),
    ...(setup.embeddingModel ? { EMBEDDING_MODEL_PATH: setup.embeddingModel } : {}),
    DOCKER_HOST: setup.docker.host,
    SANDBOX_IMAGE: setup.sandboxImage,
  };
}
