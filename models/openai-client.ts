import OpenAI from 'openai';
import { clientSettings, type ProviderOptions } from './create-provider.ts';
import { ModelError } from './model-error.ts';

/** Where OpenAI is, which its client would look for in the environment. */
const ownAddress = 'https://api.openai.com/v1';

/**
 * OpenAI's client for it or a server that speaks its protocol. Who is OpenAI's customer is told to OpenAI only: the client would tell any
 * server the organisation and project of the environment.
 * @throws {ModelError} where the provider is a proxy without an address, since its key would go to OpenAI.
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
