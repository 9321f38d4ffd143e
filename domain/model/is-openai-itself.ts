/** True for OpenAI's own endpoints, including regional ones, and if no address is set; other servers merely speak its protocol. */
export function isOpenAiItself(baseUrl: string | undefined): boolean {
  return !baseUrl || /^https?:\/\/([\w-]+\.)*api\.openai\.com(:\d+)?(\/|$)/i.test(baseUrl);
}
