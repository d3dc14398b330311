// [sandbox] and [gates]: merging of sources, the base of folders, and the part that a plan freezes.
import { describe, expect, test } from 'vitest';
import { environmentLayer } from '../../../domain/config/environment.ts';
import { flagLayer } from '../../../domain/config/flags.ts';
import { fileLayer } from '../../../domain/config/layer.ts';
import { resolveConfig } from '../../../domain/config/layers.ts';
import { mergeConfig } from '../../../domain/config/merge.ts';
import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import type { Subtask } from '../../../domain/types/subtask.ts';
import { defaultGuards, selectGuards } from '../../../domain/plan/select-guards.ts';
import { planLimits } from '../../../domain/input/limits.ts';
import { agentExecutor, subtask } from '../support-task.ts';
import type { Config } from '../../../domain/schema/config-schema.ts';

interface Sources {
  user?: string;
  project?: string;
  env?: Record<string, string>;
  flags?: string[];
}

const from = (folder: string) => (path: string) => (path.startsWith('/') ? path : `${folder}/${path}`);

function valuesOf({ user = '', project = '', env = {}, flags = [] }: Sources): Config {
  return resolveConfig({
    below: [
      fileLayer({ name: 'user.toml', text: user }, from('/home/u')),
      fileLayer({ name: 'heddle.toml', text: project }, from('/p')),
      environmentLayer(env),
    ],
    above: [flagLayer(flags, from('/cwd'))],
  }).values;
}

describe('rules of gates', () => {
  test('are none by default', () => {
    expect(valuesOf({}).gates).toEqual({ allow: [], ask: [], deny: [] });
  });

  test('add up, so that no source removes a rule of another', () => {
    const { gates } = valuesOf({
      user: '[gates]\ndeny = ["shell:npm publish"]\nask = ["git:push"]\nallow = ["shell:ls"]\n',
      project: '[gates]\ndeny = []\nask = ["git:push", "write:docs/**"]\nallow = ["shell:npm test"]\n',
      flags: ['gates.deny=["shell:rm"]', 'gates.deny=["shell:dd"]', 'gates.allow=["shell:ls"]'],
    });
    expect(gates).toEqual({
      deny: ['shell:npm publish', 'shell:rm', 'shell:dd'],
      ask: ['git:push', 'write:docs/**'],
      allow: ['shell:ls', 'shell:npm test'],
    });
  });

  test('are the only lists that add up, while those of an executor or a model called gates are replaced', () => {
    const weak = { executors: { gates: { args: ['a'] } }, sandbox: { read: ['/a'] } };
    const strong = { executors: { gates: { args: ['b'] } }, sandbox: { read: ['/b'] } };
    expect(mergeConfig<object>(weak, strong)).toEqual(strong);
  });

  test.each<[text: string, isRule: boolean]>([
    ['shell:npm test', true],
    ['git:commit', true],
    ['write:docs/**', true],
    ['web:docs.python.org', true],
    ['web:*.wikipedia.org', true],
    ['web:*', true],
    ['web:127.0.0.1', true],
    ['web:[::1]', true],
    ['web:', false],
    ['web:docs.python.org:443', false],
    ['web:docs.python.org:80', false],
    ['web:[::1]:80', false],
    ['web:https://docs.python.org', false],
    ['web:docs.python.org/3', false],
    ['web:a b', false],
    ['web:*python.org', false],
    ['web:docs.*.org', false],
    ['web:*.', false],
    ['web:*.0.0.1', false],
    ['web:user@host', false],
    ['shell:', false],
    ['shell: ', false],
    ['npm test', false],
    ['Shell:ls', false],
    ['read:docs/**', false],
    ['', false],
    [' shell:ls', false],
    [`shell:${'x'.repeat(planLimits.gateRule)}`, false],
  ])('%j', (text, isRule) => {
    const given = (): unknown => flagLayer([`gates.ask=[${JSON.stringify(text)}]`]).values.gates?.ask;
    if (isRule) expect(given()).toEqual([text]);
    else expect(given).toThrow(HeddleError);
  });

  test('are bounded in number', () => {
    const list = (count: number): string => JSON.stringify(Array.from({ length: count }, (_, n) => `shell:p${n}`));
    expect(flagLayer([`gates.deny=${list(planLimits.gateRules)}`]).values.gates?.deny).toHaveLength(
      planLimits.gateRules,
    );
    expect(() => flagLayer([`gates.deny=${list(planLimits.gateRules + 1)}`])).toThrow(/at most 500 rules/);
  });
});

describe('the sandbox', () => {
  test('is automatic and without a network by default', () => {
    expect(valuesOf({}).sandbox).toEqual({ mode: 'auto', network: false, read: [] });
  });

  test('is set key by key, and the strongest source wins', () => {
    const sources = {
      user: 'sandbox = { mode = "require", network = true }\n',
      project: 'sandbox.mode = "container"\n',
      env: { HEDDLE_SANDBOX_NETWORK: 'false' },
    };
    expect(valuesOf(sources).sandbox).toEqual({ mode: 'container', network: false, read: [] });
    expect(valuesOf({ ...sources, flags: ['sandbox.mode=off'] }).sandbox).toMatchObject({ mode: 'off' });
    expect(valuesOf({ env: { HEDDLE_SANDBOX_MODE: 'require' } }).sandbox).toMatchObject({ mode: 'require' });
  });

  test('resolves folders against the place where they were written', () => {
    expect(valuesOf({ user: 'sandbox.read = ["docs", "/srv"]\n' }).sandbox?.read).toEqual(['/home/u/docs', '/srv']);
    expect(valuesOf({ project: 'sandbox.read = ["docs"]\n' }).sandbox?.read).toEqual(['/p/docs']);
    expect(valuesOf({ flags: ['sandbox.read=["docs"]'] }).sandbox?.read).toEqual(['/cwd/docs']);
  });
});

describe('internal hosts of the web', () => {
  test('have a port and are compared as connections name them', () => {
    const user = 'web.internal = ["Wiki.Corp.:443", "[0:0::1]:8080", "127.1:80"]\n';
    expect(valuesOf({ user }).web).toEqual({ internal: ['wiki.corp:443', '[::1]:8080', '127.0.0.1:80'] });
    expect(valuesOf({}).web).toEqual({ internal: [] });
  });

  test.each(['wiki.corp', 'wiki.corp:0', 'wiki.corp:99999', 'http://wiki.corp:80', 'wiki.corp:80/x', ':80', '*:80'])(
    'are refused as %s',
    (host) => {
      expect(() => valuesOf({ user: `web.internal = ["${host}"]\n` })).toThrow(/a host with its port/);
    },
  );

  test('are frozen where a rule opens the web, and nowhere else', () => {
    const agents = [subtask('a', { executor: agentExecutor })];
    const web = { internal: ['wiki.corp:443'] };
    expect(selectGuards(agents, { web, gates: { ask: ['web:*'] } })).toMatchObject({ web });
    expect(selectGuards(agents, { web, gates: { deny: ['web:*'] } })).not.toHaveProperty('web');
  });
});

describe('what a plan freezes', () => {
  const program = subtask('program');
  const agent = subtask('agent', { executor: agentExecutor });
  const rules = { allow: [], ask: [], deny: ['shell:rm'] };
  const judged = subtask('judged', { verification: 2 });
  const { scan, web: _web, ...withoutScan } = defaultGuards;

  test.each<[what: string, subtasks: Subtask[], config: Config, frozen: object]>([
    [
      'all for an agent',
      [program, agent],
      { sandbox: { mode: 'off', read: ['/r'] }, gates: rules },
      { sandbox: { mode: 'off', network: false }, gates: rules, readRoots: ['/r'] },
    ],
    ['what holds by default too', [agent], {}, withoutScan],
    [
      'how far claims of judges are looked into',
      [judged],
      { verification: { scanFiles: 3 } },
      { scan: { ...scan, files: 3 } },
    ],
    ['that they are not looked into', [judged], { verification: { guard: false } }, { scan: null }],
    [
      'rules alone for programs',
      [program],
      { sandbox: { mode: 'off' }, gates: { deny: ['shell:rm'] } },
      { gates: rules },
    ],
    ['nothing where there is nothing to say', [program], { gates: { allow: [], ask: [] } }, {}],
  ])('%s', (_, subtasks, config, frozen) => {
    expect(selectGuards(subtasks, config)).toEqual(frozen);
  });
});
