/** Whether a host, as in a URL, is this machine itself. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/.test(
    hostname.replace(/\.$/, '').toLowerCase(),
  );
}

/** True for OpenAI's own endpoints, including regional ones, and if no address is set; other servers merely speak its protocol. */
export function isOpenAiItself(baseUrl: string | undefined): boolean {
  return !baseUrl || /^https?:\/\/([\w-]+\.)*api\.openai\.com(:\d+)?(\/|$)/i.test(baseUrl);
}

/** Whether a provider of this name and address is OpenAI or Anthropic itself: they alone have no model with a slash in its name. */
export function isVendorItself(provider: string, baseUrl: string | undefined): boolean {
  if (provider === 'anthropic') return !baseUrl || /^https?:\/\/api\.anthropic\.com(:\d+)?(\/|$)/i.test(baseUrl);
  return provider === 'openai' && isOpenAiItself(baseUrl);
}
