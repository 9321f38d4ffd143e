/** A piece of a container process's output. */
export interface OutputPiece {
  source: 'stdout' | 'stderr';
  bytes: Buffer;
}

/** Splits the frames in which a container host multiplexes stdout and stderr: an 8-byte header (source, length), then the bytes. */
export async function* demultiplex(stream: NodeJS.ReadableStream): AsyncGenerator<OutputPiece> {
  let pending: Buffer = Buffer.alloc(0);
  let source: OutputPiece['source'] = 'stdout';
  let left = 0;
  for await (const chunk of stream) {
    pending = pending.length === 0 ? (chunk as Buffer) : Buffer.concat([pending, chunk as Buffer]);
    while (pending.length > 0) {
      if (left === 0) {
        if (pending.length < 8) break;
        source = pending[0] === 2 ? 'stderr' : 'stdout';
        left = pending.readUInt32BE(4);
        pending = pending.subarray(8);
        continue;
      }
      const bytes = pending.subarray(0, left);
      pending = pending.subarray(bytes.length);
      left -= bytes.length;
      yield { source, bytes };
    }
  }
}
