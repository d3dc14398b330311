import {
  promptForms,
  type PromptName,
  type PromptSection,
  type SectionChanges,
} from '../types/basic/prompt-sections.ts';

/** The sections of a prompt's file, in order. */
export type Template = readonly { section: PromptSection; text: string }[];

const placeholder = /\{\{(\w+)\}\}/g;

/** Reads a file of `## section` headings. A file that does not match its definition is our own mistake, so the worker fails at its start. */
export function readTemplate(name: PromptName, file: string): Template {
  const [before = '', ...parts] = file.split(/^## +/m);
  const read = parts.map(splitLine);
  const { sections, values } = promptForms[name];
  const used = new Set([...file.matchAll(placeholder)].map(([, value]) => value));
  const isSound =
    before.trim() === '' &&
    read.map(({ heading }) => heading).join() === sections.join() &&
    read.every(({ text }) => text !== '') &&
    [...used].sort().join() === [...values].sort().join();
  if (!isSound)
    throw new Error(`The file of the prompt "${name}" does not have the sections and values that it should have.`);
  return sections.map((section, index) => ({ section, text: read[index]?.text ?? '' }));
}

function splitLine(part: string): { heading: string; text: string } {
  const [heading = '', ...lines] = part.split('\n');
  return { heading: heading.trim(), text: lines.join('\n').trim() };
}

/** Writes the whole prompt. Placeholders are replaced in our own text only, and once: values and the user's text are not searched for more. */
export function writePrompt(
  template: Template,
  values: Readonly<Record<string, string>>,
  changes: SectionChanges = {},
): string {
  return template
    .map(({ section, text }) => {
      const ours = text.replace(placeholder, (_, value: string) => values[value] ?? '');
      const change = changes[section];
      if (change === undefined) return ours;
      return typeof change === 'string' ? `${ours}\n${change.trim()}` : change.replace.trim();
    })
    .join('\n\n');
}
