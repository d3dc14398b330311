// The precedence of settings, their effect on a plan, and the shown origin of each value.
import { describe, expect, test } from 'vitest';
import { applyConfig } from '../../../domain/config/apply-config.ts';
import { environmentLayer, listSuspiciousVariables } from '../../../domain/config/environment.ts';
import { flagLayer } from '../../../domain/config/flags.ts';
import { configKeys, defaultConfig } from '../../../domain/config/keys/all-keys.ts';
import { fileLayer } from '../../../domain/config/layer.ts';
import { noConfig, resolveConfig, type ResolvedConfig } from '../../../domain/config/layers.ts';
import { configSchema } from '../../../domain/schema/config-schema.ts';
import { redactSecrets, showConfig } from '../../../domain/config/show-config.ts';
import { buildKeySettings, keyProviders } from '../../../domain/llm/built-in-models.ts';
import { configTemplate, startTemplate } from '../../../domain/config/template.ts';
import { limits } from '../../../domain/limits/domain-limits.ts';
import { parsePlan } from '../../../domain/plan/parse-plan.ts';
import { completePlan, planDefaults, type PlanParts } from '../../../domain/plan/complete-plan.ts';
import { buildKnownNames } from '../../../domain/config/known-names.ts';

interface Sources {
  user?: string;
  project?: string;
  env?: Record<string, string>;
  flags?: string[];
}

function configOf({ user = '', project = '', env = {}, flags = [] }: Sources): ResolvedConfig {
  return resolveConfig({
    below: [
      fileLayer({ name: 'user.toml', text: user }),
      fileLayer({ name: 'heddle.toml', text: project }),
      environmentLayer(env),
    ],
    above: [flagLayer(flags)],
  });
}

function complete(
  sources: Sources,
  plan: Record<string, unknown> = {},
  subtask: Record<string, unknown> = {},
): PlanParts {
  const config = configOf(sources);
  const parsed = parsePlan({ goal: 'g', subtasks: [{ id: 'a', ...subtask }], ...plan }, buildKnownNames(config));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const applied = applyConfig(parsed.plan, config);
  return completePlan(applied.plan, applied.defaults);
}

const sh = { executor: { kind: 'command', run: ['sh'] } };
const first = (parts: PlanParts) => parts.subtasks[0]!;

describe('the strongest source', () => {
  const weak = { user: 'maxParallelSubtasks = 1\nproject = "u"\n' };
  const file = { ...weak, project: 'maxParallelSubtasks = 2\n' };
  const variable = { ...file, env: { HEDDLE_MAX_PARALLEL_SUBTASKS: '3' } };

  test('wins in the order defaults, user, project, environment, plan, flags', () => {
    const parallel = (sources: Sources, plan = {}): number => complete(sources, { ...sh, ...plan }).maxParallelSubtasks;
    expect(parallel({})).toBe(limits.maxParallelSubtasks);
    expect(parallel(weak)).toBe(1);
    expect(parallel(file)).toBe(2);
    expect(parallel(variable)).toBe(3);
    expect(parallel(variable, { maxParallelSubtasks: 4 })).toBe(4);
    expect(parallel({ ...variable, flags: ['maxParallelSubtasks=6'] }, { maxParallelSubtasks: 4 })).toBe(6);
  });

  test('wins for each key by itself', () => {
    expect(complete(file, sh)).toMatchObject({ project: 'u', maxParallelSubtasks: 2 });
  });

  test('wins inside budgets, recovery and executors too', () => {
    const sources = {
      user: 'budget = { costUsd = 1, tokens = 5 }\nrecovery.timeout.tries = 2\n',
      project: 'budget.costUsd = 2\nrecovery.empty-output.tries = 1\n',
      flags: ['budget.wallClock=1h'],
    };
    const parts = complete(sources, { ...sh, budget: { tokens: 9, wallClock: '2h' } });
    expect(parts.budget).toEqual({ costUsd: 2, tokens: 9, wallClock: 3_600_000 });
    expect(parts).not.toHaveProperty('onExhausted');
    const stops = { project: "budget = { onExhausted = 'stop', mutations = 3 }\n" };
    expect(complete(stops, sh)).toMatchObject({ budget: { mutations: 3 }, onExhausted: 'stop' });
    expect(complete(stops, { ...sh, budget: { onExhausted: 'ask' } })).not.toHaveProperty('onExhausted');
    expect(first(parts).recovery).toEqual({ timeout: { tries: 2 }, 'empty-output': { tries: 1 } });
  });

  test('replaces a list as a whole', () => {
    const sources = { user: 'ladder = [{ tier = 1 }, { tier = 2 }]\n', flags: ['ladder=[{ tier = 3 }]'] };
    expect(complete(sources, sh).ladder.map(({ tier }) => tier)).toEqual([3]);
    expect(complete({ user: sources.user }, { ...sh, ladder: [{ tier: 'next' }] }).ladder).toHaveLength(1);
  });

  test("never overrides a subtask's own keys", () => {
    const sources = { flags: ['maxAttempts=3', 'contractCheck=enforce', 'executor=claude', 'commandTimeout=1m'] };
    const own = { maxAttempts: 5, contractCheck: 'off', executor: { kind: 'command', run: ['own'], timeout: '2m' } };
    expect(first(complete(sources, sh, own))).toMatchObject({
      maxAttempts: 5,
      contractCheck: 'off',
      executor: { run: ['own'], timeout: 120_000 },
    });
    expect(first(complete(sources, sh))).toMatchObject({
      maxAttempts: 3,
      contractCheck: 'enforce',
      executor: { run: expect.arrayContaining(['claude']) as string[], timeout: 60_000 },
    });
  });

  test('never makes a retry policy that Temporal refuses out of two halves', () => {
    const { ladder } = complete({ user: 'retry.initialInterval = "5m"\n' }, sh);
    expect(ladder[0]?.retry).toEqual({ ...limits.transientRetry, initialInterval: 300_000, maximumInterval: 300_000 });
  });

  test('ignores an empty variable', () => {
    expect(environmentLayer({ HEDDLE_MAX_ATTEMPTS: '', HEDDLE_EXECUTOR: '' }).raw).toEqual({});
  });

  test('reads a variable as the type of its key', () => {
    const env = { HEDDLE_PROJECT: '12', HEDDLE_MAX_ATTEMPTS: '12', HEDDLE_PLAN_APPROVAL: 'true', HEDDLE_HOME: '/h' };
    expect(environmentLayer(env).raw).toEqual({ project: '12', maxAttempts: 12, planApproval: true });
    expect(environmentLayer({ ...env, HEDDLE_IDLE: '5m' }, 'service').raw).toEqual({ idle: '5m' });
    expect(environmentLayer({ ...env, HEDDLE_IDLE: '5m' }, 'task').raw).not.toHaveProperty('idle');
  });
});

describe('an executor', () => {
  test('without kind or preset changes single keys of a weaker one', () => {
    const { executors } = configOf({
      user: '[executors.mine]\nkind = "command"\nrun = ["a"]\ntimeout = "1m"\n',
      project: 'executors.mine.timeout = "2m"\nexecutors.claude.models = ["m"]\n',
    });
    expect(executors['mine']).toEqual({ kind: 'command', run: ['a'], timeout: 120_000 });
    expect(executors['claude']).toMatchObject({ kind: 'command', models: ['m'] });
  });

  test('with its kind replaces a weaker one', () => {
    const { executors } = configOf({
      user: '[executors.claude]\npreset = "claude"\nenv = ["GH_TOKEN"]\n',
      project: '[executors.claude]\nkind = "command"\nrun = ["my-claude"]\n',
    });
    expect(executors['claude']).toEqual({ kind: 'command', run: ['my-claude'] });
  });

  test('of a subtask comes before that of its role, of the plan, and of the config', () => {
    const sources = {
      project: 'executor = "config"\nroles.r.executor = "role"\n'.concat(
        ...['config', 'role', 'plan', 'own'].map(
          (name) => `executors.${name} = { kind = "command", run = ["${name}"] }\n`,
        ),
      ),
    };
    const runs = (plan: object, subtask: object): unknown => {
      const { executor } = first(complete(sources, { ...plan }, { ...subtask }));
      return executor.kind === 'command' ? executor.run[0] : undefined;
    };
    expect(runs({}, {})).toBe('config');
    expect(runs({ executor: 'plan' }, {})).toBe('plan');
    expect(runs({ executor: 'plan' }, { role: 'r' })).toBe('role');
    expect(runs({ executor: 'plan' }, { role: 'r', executor: 'own' })).toBe('own');
  });
});

describe('a role', () => {
  const sources = {
    project:
      '[roles.writer]\npersona = "Short."\ntier = 2\nrecovery = { timeout = { tries = 1 }, unknown = { tries = 2 } }\n',
  };

  test('gives persona, tier and recovery, which the subtask can override', () => {
    expect(first(complete(sources, sh, { role: 'writer' }))).toMatchObject({
      role: 'writer',
      persona: 'Short.',
      tier: 2,
    });
    const own = { role: 'writer', tier: 3, recovery: { timeout: { tries: 5 } } };
    const subtask = first(complete(sources, { ...sh, recovery: { unknown: { tries: 9 } } }, own));
    expect([subtask.tier, subtask.recovery]).toEqual([3, { timeout: { tries: 5 }, unknown: { tries: 2 } }]);
  });

  test('only enters the prompt where the config has no roles', () => {
    expect(first(complete({}, sh, { role: 'anything' }))).not.toHaveProperty('persona');
  });
});

describe('without any config', () => {
  test('the config has the same defaults as a plan', () => {
    const plan = { goal: 'g', ...sh, subtasks: [{ id: 'a' }] };
    const parsed = parsePlan(plan);
    if (!parsed.ok) throw new Error('bad');
    const applied = applyConfig(parsed.plan, noConfig());
    const { verifyTimeout, ...rest } = completePlan(applied.plan, applied.defaults);
    expect(rest).toEqual(completePlan(parsed.plan, planDefaults));
    expect(verifyTimeout).toBe(limits.verifyCommandTimeout);
  });
});

describe('the shown config', () => {
  test('names file and line, variable, flag or default of every value', () => {
    const values = showConfig(
      configOf({
        user: '\nescalationPause = 2\n',
        project: '# c\n[budget]\ntokens = 7\n',
        env: { HEDDLE_MAX_ATTEMPTS: '4' },
        flags: ['executors.claude.timeout=5m'],
      }),
    );
    const of = (key: string) => values.find((value) => value.key === key);
    expect(of('escalationPause')).toEqual({
      key: 'escalationPause',
      value: 2,
      origin: { from: 'file', place: 'user.toml:2' },
    });
    expect(of('budget.tokens')?.origin).toEqual({ from: 'file', place: 'heddle.toml:3' });
    expect(of('maxAttempts')).toMatchObject({
      value: 4,
      origin: { from: 'environment', place: 'variable HEDDLE_MAX_ATTEMPTS' },
    });
    expect(of('executors.claude.timeout')).toMatchObject({
      value: '5m',
      origin: { from: 'flag', place: '--config executors.claude.timeout' },
    });
    expect(of('executors.claude.preset')?.origin.from).toBe('default');
    expect(of('project')).toMatchObject({ value: null, origin: { from: 'default' } });
  });

  test('has a line for every key of the schema', () => {
    const names = new Set(showConfig(noConfig()).map(({ key }) => key.split('.')[0]));
    expect([...names].sort()).toEqual(Object.keys(configSchema.shape).sort());
  });

  const secrets: [given: unknown, shown: unknown][] = [
    [
      ['--api-key', 'abc', '--model', 'm'],
      ['--api-key', '(hidden)', '--model', 'm'],
    ],
    [['--api-key=abc'], ['--api-key=(hidden)']],
    [
      ['-e', 'GH_TOKEN=abc'],
      ['-e', 'GH_TOKEN=(hidden)'],
    ],
    [
      ['sh', 'sk-ant-123'],
      ['sh', '(hidden)'],
    ],
    [
      ['--max-tokens', '--fast'],
      ['--max-tokens', '--fast'],
    ],
    [{ run: ['x', '--password', 'p'] }, { run: ['x', '--password', '(hidden)'] }],
    ['plain text', 'plain text'],
  ];
  test.each(secrets)('shows %j as %j', (given, shown) => {
    expect(redactSecrets(given)).toEqual(shown);
  });

  test('points at variables that look like a misspelt setting, and at no others', () => {
    const env = {
      HEDDLE_MAX_ATEMPTS: '1',
      HEDDLE_HOME: 'h',
      HEDDLE_MAX_ATTEMPTS: '1',
      HEDDLE_ZZZ: '1',
      HEDDLE_TASK_ID: 't',
    };
    expect(listSuspiciousVariables(env)).toEqual([{ name: 'HEDDLE_MAX_ATEMPTS', suggestion: 'HEDDLE_MAX_ATTEMPTS' }]);
  });
});

describe.each(keyProviders.map((provider) => [provider.name, provider] as const))(
  'the file that `heddle init --model %s` writes',
  (_, provider) => {
    const settings = buildKeySettings(provider, { factsOf: () => ({ price: { in: 1, out: 2 } }) });
    const check = (text: string) => resolveConfig({ below: [fileLayer({ name: 'heddle.toml', text })], above: [] });

    test('sets three models that serve all roles', () => {
      const { models } = check(startTemplate(settings));
      expect(models.map(({ id }) => id)).toEqual(provider.ids);
      for (const { roles } of models) expect(roles).toContain('planner');
    });

    test('sets nothing as an example, and works when all of it is uncommented', () => {
      const text = startTemplate(settings, { isExample: true });
      expect(fileLayer({ name: 'heddle.toml', text }).raw).toEqual({});
      expect(check(text.replace(/^#(?=\S)/gm, '')).models).toHaveLength(3);
    });

    test('has ten lines that matter', () => {
      expect(
        startTemplate(settings)
          .split('\n')
          .filter((line) => line !== ''),
      ).toHaveLength(10);
    });
  },
);

describe('the file that `heddle init --all` writes', () => {
  const lines = configTemplate().split('\n');
  const settings = lines.filter((line) => /^#\S/.test(line));
  const check = (text: string) => resolveConfig({ below: [fileLayer({ name: 'heddle.toml', text })], above: [] });

  test('shows every key of the schema, of budgets, and the defaults', () => {
    const keys = new Set(settings.map((line) => line.slice(1).split(' =')[0] ?? ''));
    for (const { key } of configKeys) expect(keys).toContain(key);
    const names = new Set([...keys].map((key) => key.split('.')[0]));
    expect([...names].sort()).toEqual(Object.keys(configSchema.shape).sort());
  });

  test('sets nothing as it is', () => {
    expect(fileLayer({ name: 'heddle.toml', text: lines.join('\n') }).raw).toEqual({});
  });

  test.each(settings)('is valid with this line alone: %s', (line) => {
    expect(() => check(lines.map((other) => (other === line ? other.slice(1) : other)).join('\n'))).not.toThrow();
  });

  test('is valid with all lines, and its defaults are the defaults', () => {
    const all = lines.map((line) => (/^#\S/.test(line) ? line.slice(1) : line)).join('\n');
    expect(() => check(all)).not.toThrow();
    expect(fileLayer({ name: 'heddle.toml', text: all }).raw).toMatchObject(defaultConfig());
  });
});
