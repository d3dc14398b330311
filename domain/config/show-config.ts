import { configKeys, impliedConfig } from './keys/all-keys.ts';
import type { ConfigLayer, Origin, ProjectFile } from './layer.ts';
import type { ResolvedConfig } from './layers.ts';
import { mergeConfig } from './merge.ts';
import { isTable } from '../input/is-table.ts';
import { valueAt } from '../input/problem.ts';

/** One value and its origin; `value` is null where nothing is set. */
export interface ShownValue {
  key: string;
  value: unknown;
  origin: Origin;
  /** Set for a value in an untrusted project file, where it has no effect. */
  untrusted?: true;
}

/** Tables whose keys are shown one by one. */
const opened = [
  'budget',
  'recovery',
  'executors',
  'providers',
  'models',
  'roles',
  'sandbox',
  'gates',
  'context',
  'prompts',
  'retry',
  'approval',
  'planning',
  'verification',
  'limits',
  'logging',
  'redact',
  'server',
  'mcp',
  'tools',
  'codec',
];

/** Lists every value of the config in the order of the keys; values that look like secrets are redacted. */
export function showConfig(
  { layers: [defaults, ...sources] }: Pick<ResolvedConfig, 'layers'>,
  untrusted?: Pick<ProjectFile, 'whole' | 'sensitive'>,
): ShownValue[] {
  const layers = [...(defaults === undefined ? [] : [defaults, implied]), ...sources];
  const raw = mergeConfig<Record<string, unknown>>({}, ...layers.map((layer) => layer.raw));
  const names = [...new Set(configKeys.map(({ key }) => key.split('.')[0] ?? key))];
  return names.flatMap((name) => {
    const leaves = listLeaves(raw[name], [name]);
    if (leaves.length === 0) return [unset(name)];
    return leaves.flatMap(({ path }) =>
      listDefiningLayers(layers, path).map((layer) => buildShownValue(layer, path, untrusted)),
    );
  });
}

/** Lists the settings of a project file that need trust. */
export const showSensitive = ({ whole, sensitive }: Pick<ProjectFile, 'whole' | 'sensitive'>): ShownValue[] =>
  sensitive
    .flatMap((path) => listLeaves(valueAt(whole.raw, path), path.map(String)))
    .map(({ path }) => buildShownValue(whole, path));

const byDefault: Origin = { from: 'default', place: 'default' };

/** Implied defaults, directly above the defaults, whose tables they complete. */
const implied: ConfigLayer = { raw: impliedConfig(), values: {}, originOf: () => byDefault };

const unset = (key: string): ShownValue => ({ key, value: null, origin: byDefault });

/** Returns the layers that define a value: the strongest one, or for rules of gates, which add up, every layer with some. */
function listDefiningLayers(layers: readonly ConfigLayer[], path: string[]): ConfigLayer[] {
  const defining = layers.filter(({ raw }) => valueAt(raw, path) !== undefined);
  const [weakest, ...others] = defining;
  const rules = path[0] === 'gates' && weakest !== undefined;
  return rules ? (others.length === 0 ? [weakest] : others) : defining.slice(-1);
}

function buildShownValue(
  layer: ConfigLayer,
  path: string[],
  untrusted?: Pick<ProjectFile, 'whole' | 'sensitive'>,
): ShownValue {
  const needsTrust =
    layer === untrusted?.whole && untrusted.sensitive.some((part) => part.every((name, index) => name === path[index]));
  return {
    key: path.join('.'),
    value: redactSecrets(valueAt(layer.raw, path)),
    origin: layer.originOf(path),
    ...(needsTrust ? { untrusted: true } : {}),
  };
}

function listLeaves(value: unknown, path: string[]): { path: string[]; value: unknown }[] {
  if (value === undefined) return [];
  if (!isTable(value) || !opened.includes(path[0] ?? '')) return [{ path, value }];
  return Object.entries(value).flatMap(([key, item]) => listLeaves(item, [...path, key]));
}

const secretName = /token|key|secret|pass|credential|auth|cookie/i;
/** The forms of keys that the large providers issue. */
const secretForm = /^(?:sk-|ghp_|github_pat_|glpat-|xox[a-z]-|AKIA|AIza|ya29\.|Bearer\s)\S+/;

/** Arguments are redacted too, because people put keys there although `env` exists for them. */
export function redactSecrets(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => {
      const before: unknown = value[index - 1];
      const named = typeof before === 'string' && /^--?[\w-]+$/.test(before) && secretName.test(before);
      return named && typeof item === 'string' && !item.startsWith('-') ? redacted : redactSecrets(item);
    });
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactSecrets(item)]));
  }
  if (typeof value !== 'string') return value;
  if (secretForm.test(value)) return redacted;
  const pair = /^(-{0,2}[\w-]+)[=:](.+)$/s.exec(value);
  return pair !== null && secretName.test(pair[1] ?? '') ? `${pair[1] ?? ''}=${redacted}` : value;
}

const redacted = '(hidden)';
