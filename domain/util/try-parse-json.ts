/** Parses a text of a file or a service. Undefined when it is no JSON: the reader's own check refuses that. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
