import OpenAI from 'openai';
import { clientSettings, type ProviderOptions } from './create-provider.ts';
import { ModelError } from './model-error.ts';

/** OpenAI's address, which its client would otherwise look for in the environment. */
const ownAddress = 'https://api.openai.com/v1';

/**
 * Creates OpenAI's client, for OpenAI or a server that speaks its protocol. Organisation and project are sent to OpenAI only: by default the client
 * would send those of the environment to any server.
 * @throws {ModelError} if the provider is a proxy without an address, since its key would go to OpenAI.
 */
export function createOpenAiClient(options: ProviderOptions): OpenAI {
  const { name, baseUrl } = options;
  if (name === 'litellm' && !baseUrl) {
    throw new ModelError('Expected LITELLM_BASE_URL, the address of the LiteLLM proxy, found none.', {
      why: 'model-not-found',
    });
  }
  return new OpenAI({
    ...clientSettings(options),
    baseURL: baseUrl || ownAddress,
    ...(name !== 'openai' && { organization: null, project: null }),
  });
}
