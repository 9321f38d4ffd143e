/** Bytes of a message of a server: of a JSON text, or of an event of a stream. The SDK has the same limit for programs. */
export const maxMessageBytes = 10 * 1024 ** 2;

/**
 * A `fetch` whose answers end where a server sends more than a message may have; `onTooLong` is told, since those who wait for the message are not. Streams
 * are handed on in whole lines: the SDK's parser searches all that it has of a line with each piece.
 */
export function guardMessages(
  fetch: typeof globalThis.fetch,
  onTooLong: (error: Error) => void,
): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const { body, status, statusText, headers } = response;
    if (!body) return response;
    const isStream = response.ok && /^text\/event-stream\b/i.test(headers.get('content-type') ?? '');
    const count = isStream ? inLines() : inPieces();
    const guard = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        try {
          for (const one of count(piece)) controller.enqueue(one);
        } catch (error) {
          onTooLong(error as Error);
          throw error;
        }
      },
    });
    return new Response(body.pipeThrough(guard), { status, statusText, headers });
  };
}

type Count = (piece: Uint8Array) => Uint8Array[];

function inPieces(): Count {
  let bytes = 0;
  return (piece) => {
    bytes += piece.length;
    expectShort(bytes);
    return [piece];
  };
}

const newline = 0x0a;

/** Counts the bytes of an event, which an empty line ends; a line that has not ended is held back. */
function inLines(): Count {
  let held: Uint8Array[] = [];
  let lineBytes = 0;
  let eventBytes = 0;
  return (piece) => {
    let end = 0;
    for (let index = piece.indexOf(newline); index >= 0; index = piece.indexOf(newline, end)) {
      lineBytes += index - end;
      eventBytes = lineBytes <= 1 ? 0 : eventBytes + lineBytes; // an empty line may have a return
      expectShort(eventBytes);
      lineBytes = 0;
      end = index + 1;
    }
    lineBytes += piece.length - end;
    expectShort(eventBytes + lineBytes);
    const whole = end === 0 ? [] : [...held, piece.subarray(0, end)];
    if (whole.length) held = [];
    if (end < piece.length) held.push(piece.subarray(end));
    return whole;
  };
}

function expectShort(bytes: number): void {
  if (bytes > maxMessageBytes) throw new Error(`It sent more than ${maxMessageBytes / 1024 ** 2} MiB as one message.`);
}
