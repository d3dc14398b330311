import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTemplate, writePrompt, type Template } from '../../domain/prompts/template.ts';
import {
  promptNames,
  type PromptChanges,
  type PromptName,
  type PromptValues,
} from '../../domain/types/basic/prompt-sections.ts';

/** The folder is beside this file in a clone and in the package, and beside the bundle that holds it. */
const folder = join(import.meta.dirname, 'templates');

/** The templates are read once, when a worker starts, so that a package without them fails at once, not in the middle of a task. */
const templates = new Map<PromptName, Template>(
  promptNames.map((name) => [name, readTemplate(name, readFileSync(join(folder, `${name}.md`), 'utf8'))]),
);

/** Writes the system prompt of a model. `changes` are those that its task froze. */
export function systemPrompt<Name extends PromptName>(
  name: Name,
  values: PromptValues<Name>,
  changes: PromptChanges = {},
): string {
  return writePrompt(templates.get(name) ?? [], values, changes[name]);
}

/** The output section alone, for a model that replied in another form. */
export function outputForm<Name extends PromptName>(
  name: Name,
  values: PromptValues<Name>,
  changes: PromptChanges = {},
): string {
  return writePrompt(templates.get(name)?.slice(-1) ?? [], values, changes[name]);
}
