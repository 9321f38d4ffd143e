/** Whether a name is that of an OpenAI reasoning model, possibly with a gateway's prefix (`openai/gpt-5`); `gpt-5-chat-latest` is none. */
export function isReasoningModel(model: string): boolean {
  return /(^|\/)(gpt-[5-9]|o\d|codex)/.test(model) && !/-chat(-|$)/.test(model);
}
