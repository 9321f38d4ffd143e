/** True of OpenAI's own endpoints, those of its regions included, and where no address is set; other servers merely speak its protocol. */
export function isOpenAiItself(baseUrl: string | undefined): boolean {
  return !baseUrl || /^https?:\/\/([\w-]+\.)*api\.openai\.com(:\d+)?(\/|$)/i.test(baseUrl);
}
