/** The settings without the undefined ones. */
export function definedOnly<Value>(settings: { [key: string]: Value | undefined }): { [key: string]: Value } {
  const set = Object.entries(settings).filter((entry): entry is [string, Value] => entry[1] !== undefined);
  return Object.fromEntries(set);
}
