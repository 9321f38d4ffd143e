/** Characters that could move the cursor, change colours, reorder text or hide in it: models and programs write what is printed. */
const unprintable = /(?![\n\t])[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\u{e0000}-\u{e007f}]/gu;

/** Makes text safe to print to a terminal; line breaks and tabs stay. */
export function printable(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(unprintable, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\uFFFD';
  });
}

/** Makes text safe to print, on one line. */
export function printableLine(text: string): string {
  return printable(text.replace(/\s+/g, ' ').trim());
}

/** A value as JSON that is safe to print: a program that reads it gets the same value. */
export function printableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(unprintable, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
