import type { ConfigKey } from './keys/config-key.ts';
import { configKeys } from './keys/all-keys.ts';
import { variableFor } from './environment.ts';
import { isTable } from '../input/is-table.ts';
import { writeToml } from '../input/toml-write.ts';

const head = `# Settings of Heddle. docs/configuration.md explains them; \`heddle config\` shows each value and where it came from.
# Later sources override earlier ones: defaults, the user's file, the project's heddle.toml, HEDDLE_ variables, the plan, --config.
#
# Every key is listed with its default or an example. Remove the \`#\` before a key to set it.`;

/** Builds the file that `heddle init` writes. Each line is complete, so that any of them can be uncommented alone. */
export function configTemplate(): string {
  const lines = [head];
  let about = '';
  for (const entry of configKeys) {
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
