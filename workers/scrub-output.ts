import { scrub } from '../domain/secrets/scrub.ts';

/** From now on, what this process writes to the stream, which `longhaul up` keeps as its log, has no secrets. */
export function scrubOutput(stream: NodeJS.WriteStream): void {
  const write = stream.write.bind(stream) as (chunk: string | Uint8Array, ...rest: unknown[]) => boolean;
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) =>
    write(typeof chunk === 'string' ? scrub(chunk) : chunk, ...rest);
}
