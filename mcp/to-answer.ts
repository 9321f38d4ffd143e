import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { cutText } from '../domain/storable-text.ts';

/** What a call came to. */
export interface McpAnswer {
  text: string;
  failed: boolean;
}

/** Characters of an answer that reach the model, as of other tools. */
const maxText = 30_000;

type CallResult = Awaited<ReturnType<Client['callTool']>>;
type Content = { type: string; text?: string; mimeType?: string; data?: string; uri?: string; resource?: Content };

/** A call's result as text: what is no text, such as a picture, is named in its place. */
export function toAnswer({ content, structuredContent, isError }: CallResult): McpAnswer {
  const parts = (Array.isArray(content) ? (content as Content[]) : []).map(describe);
  const whole =
    parts.length || structuredContent === undefined ? parts.join('\n\n') : JSON.stringify(structuredContent);
  const text = cutText(whole, maxText);
  const rest = whole.length - text.length;
  return { text: rest ? `${text}\n[${rest} more characters are left out]` : text, failed: isError === true };
}

function describe(part: Content): string {
  if (part.text !== undefined) return part.text;
  if (part.resource) return describe({ ...part.resource, type: 'resource' });
  const size = part.data === undefined ? '' : `, ${Math.floor((part.data.length * 3) / 4)} bytes`;
  return `[${part.type}: ${part.mimeType ?? part.uri ?? 'unknown'}${size}, not shown]`;
}
