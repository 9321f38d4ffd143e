import { parse, YAMLParseError } from 'yaml';

/** What stands between two lines "---" at the start of a Markdown file, read as YAML, and the text after it. */
interface FrontMatter {
  values: unknown;
  body: string;
}

/** Undefined if the text does not start with front matter; a complaint if that is no YAML. */
export function readFrontMatter(text: string): FrontMatter | { complaint: string } | undefined {
  const [, head, body = ''] = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n([\s\S]*))?$/.exec(text) ?? [];
  if (head === undefined) return undefined;
  try {
    return { values: parse(head) ?? {}, body: body.trim() };
  } catch (error) {
    if (error instanceof YAMLParseError) return { complaint: error.message };
    throw error;
  }
}
