import { Transform } from 'node:stream';

const [pasteBegins, pasteEnds] = ['\u001b[200~', '\u001b[201~'];
/** The start of a mark that arrives in two pieces; less of it could be a key of its own. */
const minOfMark = 3;

/**
 * Passes on what a terminal sends. A paste between the terminal's marks becomes what `shorten` returns for its text, as if typed; undefined leaves it
 * as it is.
 */
export function createPasteFilter(shorten: (text: string) => string | undefined): Transform {
  /** The bytes of the paste so far, one character each. */
  let pasted: string | undefined;
  /** What may be the start of a mark. */
  let rest = '';
  const bytes = (text: string) => Buffer.from(text, 'latin1');

  function take(given: string): string {
    if (pasted === undefined) {
      const begin = given.indexOf(pasteBegins);
      if (begin === -1) {
        const { before, start } = splitStart(given, pasteBegins, minOfMark);
        rest = start;
        return before;
      }
      pasted = '';
      return given.slice(0, begin) + take(given.slice(begin + pasteBegins.length));
    }
    const end = given.indexOf(pasteEnds);
    if (end === -1) {
      const { before, start } = splitStart(given, pasteEnds, 1);
      pasted += before;
      rest = start;
      return '';
    }
    const whole = pasted + given.slice(0, end);
    pasted = undefined;
    const short = shorten(bytes(whole).toString('utf8').replace(/\r\n?/g, '\n'));
    const shown = short === undefined ? pasteBegins + whole + pasteEnds : Buffer.from(short).toString('latin1');
    return shown + take(given.slice(end + pasteEnds.length));
  }

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const given = rest + chunk.toString('latin1');
      rest = '';
      done(null, bytes(take(given)));
    },
    flush(done) {
      done(null, bytes((pasted ?? '') + rest));
    },
  });
}

/** Splits off an end of the text that may be the start of a mark. */
function splitStart(text: string, mark: string, min: number): { before: string; start: string } {
  for (let length = mark.length - 1; length >= min; length -= 1) {
    if (text.endsWith(mark.slice(0, length))) return { before: text.slice(0, -length), start: text.slice(-length) };
  }
  return { before: text, start: '' };
}
