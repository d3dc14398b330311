import { configKeys } from './keys.ts';
import type { Origin } from './layer.ts';
import type { ResolvedConfig } from './layers.ts';
import { mergeConfig } from './merge.ts';
import { valueAt } from '../source/problem.ts';

/** One value and where it came from; `value` is null where nothing is set. */
export interface ShownValue {
  key: string;
  value: unknown;
  origin: Origin;
}

/** Tables whose keys are shown one by one. */
const opened = [
  'budget',
  'recovery',
  'executors',
  'providers',
  'models',
  'roles',
  'retry',
  'approval',
  'limits',
  'logging',
  'redact',
];

/** Every value of the config, in the order of the keys, with what looks like a secret hidden. */
export function showConfig({ layers }: Pick<ResolvedConfig, 'layers'>): ShownValue[] {
  const raw = mergeConfig<Record<string, unknown>>({}, ...layers.map((layer) => layer.raw));
  const names = [...new Set(configKeys.map(({ key }) => key.split('.')[0] ?? key))];
  return names.flatMap((name) => {
    const leaves = leavesOf(raw[name], [name]);
    return leaves.length === 0 ? [unset(name)] : leaves.map(({ path, value }) => shown(layers, path, value));
  });
}

const unset = (key: string): ShownValue => ({ key, value: null, origin: { from: 'default', place: 'default' } });

function shown(layers: ResolvedConfig['layers'], path: string[], value: unknown): ShownValue {
  const layer = layers.findLast((candidate) => valueAt(candidate.raw, path) !== undefined);
  const origin = layer?.originOf(path) ?? { from: 'default', place: 'default' };
  return { key: path.join('.'), value: hideSecrets(value), origin };
}

function leavesOf(value: unknown, path: string[]): { path: string[]; value: unknown }[] {
  if (value === undefined) return [];
  const isTable = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isTable || !opened.includes(path[0] ?? '')) return [{ path, value }];
  return Object.entries(value).flatMap(([key, item]) => leavesOf(item, [...path, key]));
}

const secretName = /token|key|secret|pass|credential|auth|cookie/i;
/** The forms in which the great providers hand out their keys. */
const secretForm = /^(?:sk-|ghp_|github_pat_|glpat-|xox[a-z]-|AKIA|AIza|ya29\.|Bearer\s)\S+/;

/** Arguments are the place where people put keys although `env` is there for them. */
export function hideSecrets(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => {
      const before: unknown = value[index - 1];
      const named = typeof before === 'string' && /^--?[\w-]+$/.test(before) && secretName.test(before);
      return named && typeof item === 'string' && !item.startsWith('-') ? hidden : hideSecrets(item);
    });
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, hideSecrets(item)]));
  }
  if (typeof value !== 'string') return value;
  if (secretForm.test(value)) return hidden;
  const pair = /^(-{0,2}[\w-]+)[=:](.+)$/s.exec(value);
  return pair !== null && secretName.test(pair[1] ?? '') ? `${pair[1] ?? ''}=${hidden}` : value;
}

const hidden = '(hidden)';
