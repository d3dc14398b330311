// [prompts] of a heddle.toml: what may be said, what is refused and why, and which layer wins.
import { describe, expect, test } from 'vitest';
import { environmentLayer } from '../../../domain/config/environment.ts';
import { flagLayer } from '../../../domain/config/flags.ts';
import { fileLayer } from '../../../domain/config/layer.ts';
import { resolveConfig } from '../../../domain/config/layers.ts';
import { showConfig } from '../../../domain/config/show-config.ts';
import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import { promptNames } from '../../../domain/types/basic/prompt-sections.ts';
import { planLimits } from '../../../domain/input/limits.ts';

const quoted = promptNames.map((name) => `\`${name}\``);
const tables = `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;

const file = (text: string) => fileLayer({ name: 'heddle.toml', text });
const promptsOf = (...texts: string[]) => resolveConfig({ below: texts.map(file), above: [] }).values.prompts;

function refusal(text: string): { code: string; message: string; where: string | undefined; hint: string | undefined } {
  try {
    file(text);
  } catch (error) {
    if (error instanceof HeddleError) {
      const { code, message, where, hint } = error.toJSON();
      return { code, message, where, hint };
    }
    throw error;
  }
  throw new Error('it was taken');
}

describe('a section', () => {
  test('is extended by a string and replaced by a table', () => {
    expect(promptsOf('[prompts]\nexecutor.constraints = "A"\n[prompts.judge]\nrole = { replace = "B" }\n')).toEqual({
      executor: { constraints: 'A' },
      judge: { role: { replace: 'B' } },
    });
  });

  test.each<[stronger: string, wins: unknown]>([
    ['executor.role = "B"', 'B'],
    ['executor.role = { replace = "B" }', { replace: 'B' }],
    ['executor.output = "B"', { replace: 'A' }],
  ])('of a stronger file overrides %s', (stronger, wins) => {
    expect(
      promptsOf('[prompts]\nexecutor.role = { replace = "A" }\n', `[prompts]\n${stronger}\n`)?.executor?.role,
    ).toEqual(wins);
  });

  test('can be set by a flag, not by a variable', () => {
    const flags = flagLayer([
      'prompts.planner.constraints=Use {{tools}}.\nAnd more.',
      'prompts.judge.role={replace="x"}',
    ]);
    expect(flags.values.prompts).toEqual({
      planner: { constraints: 'Use {{tools}}.\nAnd more.' },
      judge: { role: { replace: 'x' } },
    });
    expect(environmentLayer({ HEDDLE_PROMPTS: 'x', HEDDLE_PROMPTS_EXECUTOR: 'x' }).raw).toEqual({});
  });

  test.each(['focus', 'material', 'output'])('called %s cannot be replaced, and the error says why', (section) => {
    const { code, message, where, hint } = refusal(`[prompts]\njudge.${section} = { replace = "x" }\n`);
    expect({ code, where }).toEqual({
      code: 'CONFIG_PROMPT_FIXED',
      where: `heddle.toml:2:${section.length + 10} (prompts.judge.${section})`,
    });
    expect(message).toMatch(new RegExp(`^\`prompts\\.judge\\.${section}\` cannot be replaced: \\S.*\\.$`));
    expect(hint).toBe(`Add to it: \`prompts.judge.${section} = "..."\`.`);
  });
});

describe('a refused section', () => {
  test.each<[text: string, code: string, message: string, hint: string]>([
    [
      '[prompts.verifier]\nrole = "x"',
      'CONFIG_UNKNOWN_KEY',
      '`verifier` is not a key of `prompts`.',
      `Remove it, or use one of: ${promptNames.join(', ')}.`,
    ],
    [
      '[prompts]\nexecuter.role = "x"',
      'CONFIG_UNKNOWN_KEY',
      '`executer` is not a key of `prompts`; did you mean `executor`?',
      'Rename it to `executor`.',
    ],
    [
      '[prompts]\nexecutor.persona = "x"',
      'CONFIG_UNKNOWN_KEY',
      '`persona` is not a key of `prompts.executor`.',
      'Remove it, or use one of: role, constraints, material, output.',
    ],
    [
      '[prompts]\nplanner.focus = "x"',
      'CONFIG_UNKNOWN_KEY',
      '`focus` is not a key of `prompts.planner`.',
      'Remove it, or use one of: role, constraints, material, output.',
    ],
    [
      '[prompts]\nexecutor.role = { replace = "x", append = "x" }',
      'CONFIG_UNKNOWN_KEY',
      '`append` is not a key of a section.',
      'Remove it, or use one of: replace.',
    ],
    [
      '[prompts]\nexecutor.role = 3',
      'CONFIG_WRONG_TYPE',
      '`role` should be a string, or a table such as `{ replace = ... }`; found the number 3.',
      'Make it a string, or a table such as `{ replace = ... }`.',
    ],
    [
      '[prompts]\nexecutor.role = { replace = 3 }',
      'CONFIG_WRONG_TYPE',
      '`replace` should be a string that is not empty; found the number 3.',
      'Make it a string that is not empty.',
    ],
    [
      '[prompts]\nexecutor.role = " "',
      'CONFIG_WRONG_TYPE',
      '`role` should be a string that is not empty; found the string " ".',
      'Make it a string that is not empty.',
    ],
    [
      '[prompts]\nexecutor = "x"',
      'CONFIG_WRONG_TYPE',
      '`executor` should be a table with `role`, `constraints`, `material` or `output`; found the string "x".',
      'Make it a table with `role`, `constraints`, `material` or `output`.',
    ],
    [
      'prompts = "x"',
      'CONFIG_WRONG_TYPE',
      `\`prompts\` should be a table with ${tables}; found the string "x".`,
      `Make it a table with ${tables}.`,
    ],
  ])('%s', (text, code, message, hint) => {
    expect(refusal(text)).toMatchObject({ code, message, hint });
  });

  test.each(['executor.role = "WORDS"', 'executor.role = { replace = "WORDS" }'])('is %s that is too long', (text) => {
    const { promptSection } = planLimits;
    const withLength = (length: number) => `[prompts]\n${text.replace('WORDS', 'x'.repeat(length))}\n`;
    expect(() => file(withLength(promptSection))).not.toThrow();
    expect(refusal(withLength(promptSection + 1))).toMatchObject({
      code: 'CONFIG_WRONG_TYPE',
      message: expect.stringContaining(`a string of at most ${promptSection} characters`) as unknown,
    });
  });
});

test('heddle config has a line with the place of each changed section', () => {
  const layers = [file('[prompts]\nexecutor.constraints = "A"\njudge.role = { replace = "B" }\n')];
  const shown = showConfig({ layers }).filter(({ key }) => key.startsWith('prompts'));
  expect(shown).toEqual([
    { key: 'prompts.executor.constraints', value: 'A', origin: { from: 'file', place: 'heddle.toml:2' } },
    { key: 'prompts.judge.role.replace', value: 'B', origin: { from: 'file', place: 'heddle.toml:3' } },
  ]);
  expect(showConfig({ layers: [] }).find(({ key }) => key === 'prompts')).toMatchObject({ value: null });
});
