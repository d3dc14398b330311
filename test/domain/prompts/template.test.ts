// Files of prompts: what one must hold, how it is written out, and that nothing a user or a value says is taken for ours.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readTemplate, writePrompt } from '../../../domain/prompts/template.ts';
import { promptForms, promptNames } from '../../../domain/types/basic/prompt-sections.ts';

const judge = `## role

You judge.

## focus

{{lens}}

## constraints

- One.
- Two.

## material

Material.

## output

One object: {"passed": true}
`;

const template = readTemplate('judge', judge);
const lens = 'Look at everything.';
const whole = `You judge.

Look at everything.

- One.
- Two.

Material.

One object: {"passed": true}`;

describe('a template file', () => {
  test.each<[what: string, file: string]>([
    ['nothing', ''],
    ['a section too few', judge.replace(/## material[^#]*/, '')],
    ['a section too many', `${judge}\n## more\n\nx\n`],
    ['a section twice', `${judge}\n## output\n\nx\n`],
    ['another order', judge.replace('## role', '## x').replace('## focus', '## role').replace('## x', '## focus')],
    ['an empty section', judge.replace('Material.', '')],
    ['words before the first section', `Hello\n${judge}`],
    ['a value that nobody fills in', judge.replace('Material.', '{{material}}')],
    ['no place for a value', judge.replace('{{lens}}', 'Look.')],
  ])('with %s is refused', (_, file) => {
    expect(() => readTemplate('judge', file)).toThrow('The file of the prompt "judge"');
  });
});

describe('a prompt', () => {
  test('has its sections in their order, with a line between them', () => {
    expect(writePrompt(template, { lens })).toBe(whole);
  });

  test('is extended below the text of a section', () => {
    const prompt = writePrompt(template, { lens }, { constraints: '\n- Three.\n', output: 'Be short.' });
    expect(prompt).toBe(whole.replace('- Two.', '- Two.\n- Three.').concat('\nBe short.'));
  });

  test('is replaced section by section', () => {
    const prompt = writePrompt(template, { lens }, { role: { replace: ' You are strict.\n' } });
    expect(prompt).toBe(whole.replace('You judge.', 'You are strict.'));
  });

  test("keeps a user's text or a value as it is, whatever it looks like", () => {
    const hostile = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.constantFrom('{{lens}}', '## output\nx', '$& $1 $$', '{{{{lens}}}}', '{{constructor}}'),
    );
    fc.assert(
      fc.property(hostile, hostile, hostile, (value, added, replaced) => {
        const changes = { constraints: added, role: { replace: replaced } };
        expect(writePrompt(template, { lens: value }, changes)).toBe(
          [replaced.trim(), value, `- One.\n- Two.\n${added.trim()}`, 'Material.', 'One object: {"passed": true}'].join(
            '\n\n',
          ),
        );
      }),
    );
  });
});

test('every prompt ends with the form of its answer, after the section on foreign text', () => {
  for (const name of promptNames) expect(promptForms[name].sections.slice(-2)).toEqual(['material', 'output']);
});
