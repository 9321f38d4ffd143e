import picocolors from 'picocolors';

export type Colors = ReturnType<typeof picocolors.createColors>;

/** Colours for a stream: on a terminal unless NO_COLOR is set, elsewhere if FORCE_COLOR is set. See https://no-color.org. */
export function colorsFor(stream: { isTTY?: boolean }, environment: Record<string, string | undefined>): Colors {
  const wanted = !environment.NO_COLOR && (Boolean(environment.FORCE_COLOR) || Boolean(stream.isTTY));
  return picocolors.createColors(wanted);
}
