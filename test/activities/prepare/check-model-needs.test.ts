// Which models the preflight asks for: those that the rungs of each agent may reach, and no others.
import { describe, expect, test } from 'vitest';
import { EnvironmentSecrets } from '../../../activities/redact/secrets.ts';
import { checkModelNeeds, type ModelSupply } from '../../../activities/prepare/check-model-needs.ts';
import type { Model } from '../../../domain/types/llm.ts';
import type { Subtask } from '../../../domain/types/subtask.ts';
import { completePlan, planDefaults } from '../../../domain/plan/complete-plan.ts';
import { model } from '../../domain/llm/support.ts';
import { accepted } from '../../domain/plan/plan-sample.ts';

const small = model('small', { tier: 1, provider: { name: 'p', kind: 'openai', keyEnv: 'SMALL_KEY' } });
const large = model('large', { tier: 3, provider: { name: 'q', kind: 'openai', keyEnv: 'LARGE_KEY' } });
const judge = model('judge', { roles: ['verifier'] });
const both = { SMALL_KEY: 'a', LARGE_KEY: 'b' };

const subtasks = (...given: object[]): Subtask[] =>
  completePlan(accepted({ goal: 'g', subtasks: given.map((each, index) => ({ id: `s${index}`, ...each })) })).subtasks;
const agent = { executor: { kind: 'agent' } };
const onlyFirst = { ...agent, ladder: [{ tier: 'assigned' }] };

interface Case {
  of?: object[];
  models: Model[];
  env?: Record<string, string>;
  more?: Partial<ModelSupply>;
}

function check({ of = [agent], models, env = {}, more = {} }: Case) {
  const supply = {
    goal: 'g',
    models,
    secrets: new EnvironmentSecrets(env),
    ladder: planDefaults.ladder,
    costLimited: false,
    ...more,
  };
  const { problems, fallbacks } = checkModelNeeds(subtasks(...of), supply);
  return [...problems.map(({ code, message }) => `${code}: ${message}`), ...fallbacks];
}

describe('a model that serves', () => {
  const named = (name: string) => ({ executor: { kind: 'agent', model: name } });
  const cases: [what: string, given: Case, messages: string[]][] = [
    ['is not asked for without an agent', { of: [{ executor: { kind: 'command', run: ['x'] } }], models: [] }, []],
    [
      'is asked for by role, once for all agents',
      { of: [agent, agent], models: [] },
      ['MODEL_NOT_FOUND: No model serves the role `executor`, which s0 needs; there are none'],
    ],
    [
      'is not one that only judges',
      { models: [judge] },
      ['MODEL_NOT_FOUND: No model serves the role `executor`, which s0 needs; there are: judge'],
    ],
    [
      'is asked for by name',
      { of: [named('huge')], models: [small, judge], env: both },
      ['MODEL_NOT_FOUND: There is no model `huge`, which s0 names; there are: small, judge'],
    ],
    [
      'is not a named one that only judges',
      { of: [named('judge')], models: [small, judge], env: both },
      ['MODEL_NOT_FOUND: The model `judge` of s0 does not serve the role `executor`'],
    ],
    ['is there', { models: [small, large], env: both }, []],
  ];
  test.each(cases)('%s', (_, given, messages) => {
    expect(check(given)).toEqual(messages);
  });
});

describe('a key', () => {
  const missing = (variable: string, of: string): string =>
    `MODEL_KEY_MISSING: The variable ${variable} with the key of ${of}, is not set`;
  const cases: [what: string, given: Case, messages: string[]][] = [
    [
      'is asked for of each model that a rung may reach, each once',
      { of: [agent, agent], models: [small, large] },
      [
        missing('SMALL_KEY', 'p, which serves the model small'),
        missing('LARGE_KEY', 'q, which serves the model large'),
      ],
    ],
    [
      'is not asked for of a tier that no rung reaches',
      { of: [onlyFirst], models: [small, large], env: { SMALL_KEY: 'a' } },
      [],
    ],
    [
      'is not asked for of a model that another comes before',
      { models: [large, { ...large, name: 'second', provider: small.provider }], env: { LARGE_KEY: 'b' } },
      [],
    ],
    [
      'is asked for of the named model alone',
      { of: [{ executor: { kind: 'agent', model: 'large' } }], models: [small, large], env: { LARGE_KEY: 'b' } },
      [],
    ],
    [
      'that is empty is missing',
      { of: [onlyFirst], models: [small], env: { SMALL_KEY: '' } },
      [missing('SMALL_KEY', 'p, which serves the model small')],
    ],
    [
      'is not one of the prototype',
      { of: [onlyFirst], models: [model('m', { provider: { name: 'p', kind: 'openai', keyEnv: 'toString' } })] },
      [missing('toString', 'p, which serves the model m')],
    ],
    ['is not asked for where the provider names none', { models: [model('free', { tier: 3 })] }, []],
  ];
  test.each(cases)('%s', (_, given, messages) => {
    expect(check(given)).toEqual(messages);
  });
});

test('a price is asked for only under a budget of money, of each model that a rung may reach', () => {
  const priced = { ...small, price: { in: 1, out: 2 } };
  expect(check({ models: [priced, large], env: both })).toEqual([]);
  expect(check({ models: [priced, large], env: both, more: { costLimited: true } })).toEqual([
    'MODEL_PRICE_MISSING: The model large, which s0 may use, has no price: a budget of `costUsd` could not be kept',
  ]);
  expect(check({ of: [onlyFirst], models: [priced, large], env: both, more: { costLimited: true } })).toEqual([]);
});

test('a prompt that leaves no room in a model that a rung may reach is too large', () => {
  const narrow = { ...small, context: 4_000, output: 1_000 };
  const long = 'word '.repeat(3_500);
  const formatTooLarge = (id: string, tokens: number): string =>
    `PROMPT_TOO_LARGE: The prompt of ${id} alone has about ${tokens} tokens; the model small, which it may use, takes 4000 with 1000 of them for its reply`;
  const models = [narrow, { ...large, context: 100_000 }];
  expect(check({ of: [{ ...agent, description: long }], models, env: both })).toEqual([
    expect.stringContaining(formatTooLarge('s0', 0).slice(0, 40)),
  ]);
  expect(check({ of: [{ ...agent, description: 'short' }], models, env: both })).toEqual([]);
  expect(check({ of: [{ ...agent, description: long, tier: 3 }], models, env: both })).toEqual([]);
  expect(check({ of: [agent], models, env: both, more: { goal: long } })).toHaveLength(1);
  const planner = { ...narrow, roles: ['planner' as const] };
  expect(
    check({
      of: [{ executor: { kind: 'command', run: ['x'] } }],
      models: [planner],
      env: both,
      more: { goal: long, plans: true },
    }),
  ).toEqual([expect.stringContaining('The prompt of the plan alone')]);
});

test('a weaker model that takes the place of a higher tier is said once', () => {
  const messages = [
    'no model of tier 2 or above serves `executor`: `small` (tier 1) does',
    'no model of tier 3 or above serves `executor`: `small` (tier 1) does',
  ];
  expect(check({ of: [agent, agent], models: [small], env: both })).toEqual(messages);
  expect(check({ of: [{ executor: { kind: 'agent', model: 'small' } }], models: [small], env: both })).toEqual([]);
  expect(check({ of: [{ ...agent, ladder: [{ tier: 2 }] }], models: [large], env: both })).toEqual([]);
});
