const texts = new WeakMap<object, string>();

/** A value as JSON, made once for all readers who are sent the same one. */
export function writeJson(value: object): string {
  const kept = texts.get(value);
  if (kept !== undefined) return kept;
  const text = JSON.stringify(value);
  texts.set(value, text);
  return text;
}
