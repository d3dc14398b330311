import { serviceKeys } from './keys/all-keys.ts';
import type { ConfigLayer } from './layer.ts';
import { checkLayer } from './layer.ts';
import { configSchema } from '../schema/config-schema.ts';
import { nearest } from '../text/nearest.ts';
import type { PlanPath } from '../input/problem.ts';
import { codecSchema } from '../schema/codec-schema.ts';
import { sandboxSchema } from '../schema/gates-schema.ts';
import { contextSchema, limitsSchema, loggingSchema } from '../schema/limits-schema.ts';
import { budgetSchema } from '../schema/settings-schema.ts';

type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** Tables whose keys take single values, each with the keys that take a table or a list instead. */
const singleInside: ReadonlyMap<string, readonly string[]> = new Map([
  ['budget', Object.keys(budgetSchema.shape)],
  ['limits', Object.keys(limitsSchema.shape).filter((key) => key !== 'environmentWait')],
  ['logging', Object.keys(loggingSchema.shape)],
  ['context', Object.keys(contextSchema.shape)],
  ['sandbox', Object.keys(sandboxSchema.shape).filter((key) => key !== 'read')],
  // Rights and folders are lists and roles of the user's own file.
  ['server', ['host', 'port', 'publicUrl']],
  ['codec', Object.keys(codecSchema.shape)],
]);

const tables = [
  'retry',
  'ladder',
  'recovery',
  'executors',
  'providers',
  'models',
  'roles',
  'gates',
  'web',
  'prompts',
  'redact',
  'mcp',
  'tools',
  'processes',
];

/** Keys with a single value, which fits into a variable. */
const singleKeys: readonly (readonly string[])[] = [
  ...Object.keys(configSchema.shape)
    .filter((key) => !singleInside.has(key) && !tables.includes(key))
    .map((key) => [key]),
  ...[...singleInside].flatMap(([table, keys]) => keys.map((key) => [table, key])),
];

/** Names the variable of a key: `budget.costUsd` is `HEDDLE_BUDGET_COST_USD`, `logging.level` is `HEDDLE_LOG_LEVEL`. */
export const buildVariableName = (path: PlanPath): string =>
  `HEDDLE_${shortenPath(path)
    .map((part) => String(part).replace(/[A-Z]/g, (letter) => `_${letter}`))
    .join('_')}`.toUpperCase();

function shortenPath([table, ...keys]: PlanPath): PlanPath {
  if (table === 'logging') return ['log', ...keys];
  return table === 'server' && keys[0] === 'publicUrl' ? keys : [table ?? '', ...keys];
}

/** Builds a layer from the variables `HEDDLE_...`. An empty variable counts as not set; variables that are no settings are ignored. */
export function environmentLayer(env: EnvironmentVariables, which: 'task' | 'service' | 'all' = 'all'): ConfigLayer {
  const raw: Record<string, unknown> = {};
  const selectedKeys = singleKeys.filter(([name]) => {
    const ofService = serviceKeys.some((key) => key === name);
    return which === 'all' || ofService === (which === 'service');
  });
  for (const path of selectedKeys) {
    const text = env[buildVariableName(path)];
    if (text === undefined || text === '') continue;
    const [name = '', inner] = path;
    const value = parseVariable(path, text);
    raw[name] = inner === undefined ? value : { ...Object(raw[name]), [inner]: value };
  }
  return checkLayer(raw, {
    originOf: (path) => {
      const variable = buildVariableName(path.slice(0, singleInside.has(String(path[0])) ? 2 : 1));
      return { from: 'environment', place: `variable ${variable}` };
    },
  });
}

/** Variables hold text. A number or a boolean is read from it only where the key does not take text. */
function parseVariable(path: readonly string[], text: string): unknown {
  const fits = (value: unknown): boolean => {
    const [name = '', inner] = path;
    return configSchema.safeParse({ [name]: inner === undefined ? value : { [inner]: value } }).success;
  };
  if (fits(text)) return text;
  const trimmed = text.trim();
  const value = trimmed === 'true' || trimmed === 'false' ? trimmed === 'true' : Number(trimmed);
  // A text that does not fit is kept, so that the problem quotes what was written.
  return trimmed === '' || Number.isNaN(value) ? text : value;
}

/** Variables of Heddle that do not set a key of a task's config. */
const otherVariables = [
  'HEDDLE_HOME',
  'HEDDLE_CONFIG',
  'HEDDLE_DEBUG',
  'HEDDLE_TRUST',
  'HEDDLE_TEMPORAL_SOURCE',
  'HEDDLE_METRICS',
  'HEDDLE_BUILD_ID',
  'HEDDLE_DEPLOYMENT',
  'HEDDLE_GRACE',
  'HEDDLE_TOKENS_FILE',
  'HEDDLE_NO_CONSOLE',
  'HEDDLE_TASK_ID',
  'HEDDLE_SUBTASK_ID',
  'HEDDLE_ATTEMPT',
  'HEDDLE_TIER',
  'HEDDLE_THINKING',
  'HEDDLE_IDEMPOTENCY_KEY',
  'HEDDLE_INPUTS_FILE',
  'HEDDLE_PROMPT_FILE',
];

/** Variables that look like a misspelt setting. Only similar names are reported, because others may belong to other programs. */
export function listSuspiciousVariables(env: EnvironmentVariables): { name: string; suggestion: string }[] {
  const variables = singleKeys.map(buildVariableName);
  return Object.keys(env)
    .filter((name) => name.startsWith('HEDDLE_') && !variables.includes(name) && !otherVariables.includes(name))
    .flatMap((name) => {
      const suffixes = variables.map((variable) => variable.slice('HEDDLE_'.length));
      const suggestion = nearest(name.slice('HEDDLE_'.length), suffixes);
      return suggestion === undefined ? [] : [{ name, suggestion: `HEDDLE_${suggestion}` }];
    });
}

/** Returns the variable of a key of the config, if it has one. */
export function variableFor(key: string): string | undefined {
  return singleKeys.some((path) => path.join('.') === key) ? buildVariableName(key.split('.')) : undefined;
}
