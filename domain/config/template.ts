import type { ConfigKey } from './keys/config-key.ts';
import { configKeys } from './keys/all-keys.ts';
import { variableFor } from './environment.ts';
import type { ModelSettings } from '../llm/built-in-models.ts';
import { isTable } from '../input/is-table.ts';
import { writeToml } from '../input/toml-write.ts';

const startHead = `# Settings of Heddle. docs/configuration.md explains them; \`heddle config\` shows each value and where it came from.
# \`heddle init --all --force\` writes every setting. A price is in USD for a million tokens.`;

const head = `# Settings of Heddle. docs/configuration.md explains them; \`heddle config\` shows each value and where it came from.
# Later sources override earlier ones: defaults, the user's file, the project's heddle.toml, HEDDLE_ variables, the plan, --config.
#
# Every key is listed with its default or an example. Remove the \`#\` before a key to set it.`;

/** Settings that most people meet first, below the models. */
const usualKeys = ['budget.costUsd', 'maxParallelSubtasks', 'sandbox.network', 'gates.allow'];

/**
 * Builds the file that `heddle init` writes: models, and the settings that most people meet first. Each line is complete, so that any of
 * them can be uncommented alone. Models that are an example are commented out.
 */
export function startTemplate(settings: ModelSettings, { isExample = false } = {}): string {
  const mark = isExample ? '#' : '';
  const { providers, models } = settings;
  const tables = Object.entries<object>({ providers, models }).flatMap(([table, entries]) =>
    Object.entries<unknown>({ ...entries }).map(([name, entry]) => `${mark}${table}.${name} = ${writeToml(entry)}`),
  );
  const usual = configKeys.filter(({ key }) => usualKeys.includes(key));
  const rest = usual.map((entry) => `#${entry.key} = ${writeToml(chooseShownValue(entry))}${formatNote(entry)}`);
  return `${[startHead, '', ...tables, '', ...rest].join('\n')}\n`;
}

/** Builds the file with every key, commented out. `without` are keys that a text above it sets. */
export function configTemplate(without: readonly string[] = []): string {
  const lines = [head];
  let about = '';
  for (const entry of configKeys) {
    if (without.includes(entry.key)) continue;
    // Keys with the same description are listed together below it.
    if (entry.about !== about) lines.push('', `# ${entry.about}`);
    lines.push(`#${entry.key} = ${writeToml(chooseShownValue(entry))}${formatNote(entry)}`);
    about = entry.about;
  }
  return `${lines.join('\n')}\n`;
}

function chooseShownValue({ value, implied, example }: ConfigKey): unknown {
  return isTable(value) && isTable(implied) ? { ...value, ...implied } : (value ?? implied ?? example);
}

function formatNote({ key, value, implied }: ConfigKey): string {
  const variable = variableFor(key);
  const notes = [
    ...(value === undefined && implied === undefined ? ['an example'] : []),
    ...(variable === undefined ? [] : [variable]),
  ];
  return notes.length === 0 ? '' : `   # ${notes.join('; ')}`;
}
