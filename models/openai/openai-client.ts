import OpenAI, { type ClientOptions } from 'openai';
import { ModelError } from '../../domain/model/model-error.ts';
import { clientSettings, type ProviderOptions } from '../create-provider.ts';

/** OpenAI's address, which its client would otherwise look for in the environment. */
const ownAddress = 'https://api.openai.com/v1';

/** OpenAI's client without the headers of `OPENAI_CUSTOM_HEADERS`, which it would send to any server; they may hold the key of a gateway. */
class CompatibleClient extends OpenAI {
  constructor(options: ClientOptions) {
    super(options);
    this._options.defaultHeaders = options.defaultHeaders;
  }
}

/**
 * Creates OpenAI's client, for OpenAI or a server that speaks its protocol. The environment's organisation, project and headers are sent only for the
 * provider `openai`: by default the client would send them to any server.
 * @throws {ModelError} if the provider is a proxy without an address, since its key would go to OpenAI.
 */
export function createOpenAiClient(options: ProviderOptions): OpenAI {
  const { name, baseUrl } = options;
  if (name === 'litellm' && !baseUrl) {
    throw new ModelError('Expected LITELLM_BASE_URL, the address of the LiteLLM proxy, found none.', {
      code: 'ModelNotFound',
    });
  }
  const settings = { ...clientSettings(options), baseURL: baseUrl || ownAddress };
  return name === 'openai'
    ? new OpenAI(settings)
    : new CompatibleClient({ ...settings, organization: null, project: null });
}
