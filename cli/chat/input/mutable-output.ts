import { Writable } from 'node:stream';

/** A terminal that readline writes to, and that can be muted: readline then updates its record of the cursor without drawing. */
export interface MutableOutput extends NodeJS.WritableStream {
  /** Runs an action whose output is dropped. */
  muted(action: () => void): void;
}

export function createMutableOutput(terminal: NodeJS.WriteStream): MutableOutput {
  let isMuted = false;
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!isMuted) terminal.write(chunk);
      done();
    },
  });
  terminal.on('resize', () => output.emit('resize'));
  // readline reads the width where it wraps.
  Object.defineProperty(output, 'columns', { get: () => terminal.columns });
  return Object.assign(output, {
    muted(action: () => void): void {
      isMuted = true;
      try {
        action();
      } finally {
        isMuted = false;
      }
    },
  });
}
