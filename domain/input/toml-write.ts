/** Writes a value as TOML on one line. */
export function writeToml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(writeToml).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value).map(([key, item]) => `${writeTomlKey(key)} = ${writeToml(item)}`);
    return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
  }
  return typeof value === 'string' ? writeText(value) : String(value);
}

const writeTomlKey = (key: string): string => (/^[A-Za-z0-9_-]+$/.test(key) ? key : writeText(key));

/** JSON's escapes are valid TOML, except for one character that JSON does not escape. */
const writeText = (text: string): string => JSON.stringify(text).replaceAll('\u007f', '\\u007f');
