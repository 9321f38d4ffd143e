/** A function whose result for an object is worked out once, and kept for as long as the object. The result must not be undefined. */
export function oncePer<Key extends object, Result>(work: (key: Key) => Result): (key: Key) => Result {
  const known = new WeakMap<Key, Result>();
  return (key) => {
    const earlier = known.get(key);
    if (earlier !== undefined) return earlier;
    const result = work(key);
    known.set(key, result);
    return result;
  };
}
