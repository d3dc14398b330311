// docs/prompts.md names every prompt and section, says which can be replaced, and shows a file that works.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileLayer } from '../../domain/config/layer.ts';
import { fixedSections, promptForms } from '../../domain/types/basic/prompt-sections.ts';
import { planLimits } from '../../domain/input/limits.ts';

const text = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'prompts.md'), 'utf8');
const rows = text
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')));

test('docs/prompts.md has a row for every section, in their order, and says which can be replaced', () => {
  const said = rows.filter((cells) => cells.length === 5).map(([, name = '', , can]) => [name, can]);
  const { sections } = promptForms.judge;
  expect(said).toEqual(sections.map((name) => [name, fixedSections[name] === undefined ? 'yes' : 'no']));
});

test('docs/prompts.md has a row for every prompt, with its sections', () => {
  const said = rows.filter((cells) => cells.length === 6).map(([, name, , sections]) => [name, sections]);
  expect(said).toEqual(Object.entries(promptForms).map(([name, { sections }]) => [name, sections.join(', ')]));
});

test('docs/prompts.md shows a file that works, and the limits', () => {
  const [, toml = ''] = /```toml\n(.*?)```/s.exec(text) ?? [];
  expect(Object.keys(fileLayer({ name: 'heddle.toml', text: toml }).values.prompts ?? {})).toHaveLength(3);
  expect(text).toContain(`at most ${planLimits.promptSection.toLocaleString('en-US')} characters`);
  expect(text).toContain(`at most ${planLimits.promptBytes / 1024} KiB`);
});
