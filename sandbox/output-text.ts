/** Text that every store accepts: invalid UTF-8 and NUL (which Postgres rejects) become the replacement character. */
export function toText(bytes: Buffer): string {
  return bytes.toString('utf8').replaceAll('\0', '\uFFFD');
}

/** Where the first character begins that the bytes hold from its first byte on. */
export function startOfFirstCharacter(bytes: Buffer): number {
  let start = 0;
  while (start < Math.min(3, bytes.length) && isContinuation(bytes[start])) start++;
  return start;
}

/** Where the last character ends that the bytes hold to its last byte. */
export function endOfLastCharacter(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
