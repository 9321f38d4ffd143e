import { preview } from './storable-text.ts';

/** Characters of what a server sent that an error quotes. */
const quoted = 200;

/** The beginning of what a server sent, on one line, for an error: without characters that would steer a terminal. */
export function quoteServer(text: string): string {
  return preview(text, quoted).replace(/[\p{Cc}\p{Bidi_Control}]/gu, '\uFFFD');
}
