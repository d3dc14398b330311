import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTemplate, writePrompt, type Template } from '../../domain/prompts/template.ts';
import {
  promptNames,
  type PromptChanges,
  type PromptName,
  type PromptValues,
} from '../../domain/types/basic/prompt-sections.ts';

/** Beside this file in a clone and in the package, and beside the bundle that holds it. */
const folder = join(import.meta.dirname, 'templates');

/** Read once, when a worker starts: a package without them fails at once, not in the middle of a task. */
const templates = new Map<PromptName, Template>(
  promptNames.map((name) => [name, readTemplate(name, readFileSync(join(folder, `${name}.md`), 'utf8'))]),
);

/** Builds the system text of a model. `changes` are those that its task froze. */
export function systemPrompt<Name extends PromptName>(
  name: Name,
  values: PromptValues<Name>,
  changes: PromptChanges = {},
): string {
  return writePrompt(templates.get(name) ?? [], values, changes[name]);
}

/** How to answer, alone: for a model that did it otherwise. */
export function outputForm<Name extends PromptName>(
  name: Name,
  values: PromptValues<Name>,
  changes: PromptChanges = {},
): string {
  return writePrompt(templates.get(name)?.slice(-1) ?? [], values, changes[name]);
}
