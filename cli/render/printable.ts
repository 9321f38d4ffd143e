/** Characters that could move the cursor, change colours, reorder text or hide in it: models and programs write what is printed. What joins emoji stays. */
const unprintable =
  /(?![\n\t]|\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2028\u2029\ufff9-\ufffb]/gu;

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
