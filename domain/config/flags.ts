import { absolutePaths, type ToAbsolute } from './absolute-paths.ts';
import { serviceKeys } from './keys/all-keys.ts';
import type { ConfigLayer } from './layer.ts';
import { checkLayer } from './layer.ts';
import { mergeConfig } from './merge.ts';
import { HeddleError } from '../errors/heddle-error.ts';
import type { PlanPath } from '../input/problem.ts';
import { quoteName, valueAt } from '../input/problem.ts';
import { parseToml } from '../input/toml.ts';

/** Parses `KEY=VALUE` of the command line: a TOML value, or a text without quotes. A later flag overrides an earlier one. Paths are relative to the current folder. */
export function flagLayer(flags: readonly string[], absolute: ToAbsolute = (path) => path): ConfigLayer {
  const parsedFlags = flags.map((flag) => ({ flag, value: parseFlag(flag) }));
  const raw = mergeConfig<Record<string, unknown>>({}, ...parsedFlags.map(({ value }) => value));
  const place = (path: PlanPath): string => {
    const by = parsedFlags.findLast(({ value }) => valueAt(value, path) !== undefined);
    return by === undefined ? '--config' : `--config ${parseKey(by.flag)}`;
  };
  return checkLayer(absolutePaths(raw, absolute), { originOf: (path) => ({ from: 'flag', place: place(path) }) });
}

const parseKey = (flag: string): string => flag.slice(0, Math.max(flag.indexOf('='), 0)).trim();

function parseFlag(flag: string): Record<string, unknown> {
  const key = parseKey(flag);
  const text = flag.slice(flag.indexOf('=') + 1).trim();
  if (!/^[\p{L}\p{Nd}_-]+(?:\.[\p{L}\p{Nd}_-]+)*$/u.test(key)) {
    throw new HeddleError({
      code: 'CONFIG_FLAG_INVALID',
      message: `${quoteName(flag)} does not set a key of the config.`,
      where: '--config',
      hint: 'Write `KEY=VALUE`, such as `maxAttempts=3` or `budget.costUsd=2.50`.',
    });
  }
  const [name = ''] = key.split('.');
  if (serviceKeys.some((service) => service === name)) {
    throw new HeddleError({
      code: 'CONFIG_FLAG_INVALID',
      message: `\`${name}\` is about processes that may run already: a flag cannot change it.`,
      where: `--config ${key}`,
      hint: `Set it in the environment or in heddle.toml, then start the service or the worker again.`,
    });
  }
  return key.split('.').reduceRight<unknown>((value, part) => ({ [part]: value }), parseValue(text)) as Record<
    string,
    unknown
  >;
}

/** `3`, `true`, `["a"]` and `{ a = 1 }` are values; anything else that is not TOML is a text. */
function parseValue(text: string): unknown {
  if (text.includes('\n')) return text;
  try {
    return parseToml({ name: '--config', text: `value = ${text}` }).value['value'];
  } catch (error) {
    if (error instanceof HeddleError) return text;
    throw error;
  }
}
