import { tryParseJson } from '../util/try-parse-json.ts';
import { evidenceLimits } from './limits.ts';

/** Reads the targets of a file: a JSON list of texts. Undefined for anything else, and for an empty list. */
export function readTargets(text: string): string[] | undefined {
  const value = tryParseJson(text);
  if (!Array.isArray(value) || value.length === 0 || value.length > evidenceLimits.targets) return undefined;
  const targets = value.filter((target): target is string => typeof target === 'string' && target.trim() !== '');
  return targets.length === value.length ? [...new Set(targets)] : undefined;
}
