import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { tryParseJson } from '../../domain/util/try-parse-json.ts';

const schema = z.record(z.string(), z.iso.datetime());

/** When each token was last used, by its hash. A record that cannot be read says nothing. */
export function readUses(file: string): Record<string, string> {
  try {
    const parsed = schema.safeParse(tryParseJson(readFileSync(file, 'utf8')));
    return parsed.success ? parsed.data : {};
  } catch {
    return {};
  }
}
