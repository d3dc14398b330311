/** A history as `historyToJSON` writes it: plain JSON, payloads in base64. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * The same history with other words, also inside its payloads: what a recording may not tell (paths, host names) goes, and since
 * a word is replaced everywhere, the history still replays.
 */
export function replaceInHistory(value: Json, replace: (text: string) => string): Json {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return value.map((item) => replaceInHistory(item, replace));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      isPayloadData(value, key, item) ? encode(replace(decode(item))) : replaceInHistory(item, replace),
    ]),
  );
}

/** Every text in a history, payloads decoded. */
export function textsOf(history: Json): string[] {
  const texts: string[] = [];
  replaceInHistory(history, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}

const isPayloadData = (parent: Record<string, Json>, key: string, item: Json): item is string =>
  key === 'data' && typeof item === 'string' && 'metadata' in parent;

const decode = (base64: string): string => Buffer.from(base64, 'base64').toString('utf8');
const encode = (text: string): string => Buffer.from(text, 'utf8').toString('base64');
