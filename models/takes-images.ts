/** Models that read text alone, by the last part of their names: what their providers say of them. */
const textOnly =
  /^(gpt-3\.5|gpt-oss|o1-mini|o1-preview|o3-mini|claude-2|claude-instant|deepseek-(?!vl|ocr)|qwen3-coder|qwq|codestral)/;

/** Whether a model (`provider/model`) may be sent pictures: not if it is set or known to take none; what is unknown is tried. */
export function takesImages(model: string, { set }: { set: ReadonlySet<string> }): boolean {
  return !set.has(model) && !textOnly.test(model.split('/').at(-1) ?? '');
}
