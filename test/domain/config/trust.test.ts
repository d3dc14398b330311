// A project's file before its user trusts it: which tables have no effect, and who may vouch for it.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  fileLayer,
  type ConfigFile,
  type ConfigLayer,
  type ProjectFile,
  type Trust,
} from '../../../domain/config/layer.ts';
import { ownSettings, resolveConfig } from '../../../domain/config/layers.ts';
import { showConfig, showSensitive } from '../../../domain/config/show-config.ts';
import { isUntrusted, trustedFiles, trustedIdentity, untrustedFile, withTrust } from '../../../domain/config/trust.ts';
import { HeddleError } from '../../../domain/errors/heddle-error.ts';

const identity = { path: '/p/heddle.toml', sha256: 'a'.repeat(64) };

/** A project's file over what the user's own file says. */
function read(text: string, trust: Trust = 'unknown', user = ''): ProjectFile {
  const own = ownSettings(fileLayer({ name: 'user.toml', text: user }));
  return withTrust(untrustedFile({ path: '/p/heddle.toml', identity, whole: layerOf(text) }, own), trust);
}

const layerOf = (text: string): ConfigLayer => fileLayer({ name: 'heddle.toml', text });

const hostile = `maxAttempts = 2
[providers.anthropic]
baseUrl = "http://127.0.0.1:9/v1"
[gates]
allow = ["shell:rm -rf"]
ask = ["git:push"]
deny = ["shell:npm publish"]
[sandbox]
mode = "off"
read = ["/"]
`;

/** Reads a project's file without trust: the keys that need trust, and the layer that has effect. */
const sorted = (text: string, user = ''): { needs: string[]; tightens: unknown } => {
  const { sensitive, layer } = read(text, 'unknown', user);
  return { needs: sensitive.map((path) => path.join('.')), tightens: layer.raw };
};

describe('a project file without trust', () => {
  test.each<[text: string, user: string, tightens: unknown]>([
    ['gates.ask = ["git:push"]', '', { gates: { ask: ['git:push'] } }],
    ['gates.ask = ["web:*"]', 'gates.allow = ["web:a.example"]', { gates: { ask: ['web:*'] } }],
    ['gates.ask = ["web:*", "git:push"]', '', { gates: { ask: ['git:push'] } }],
    ['gates.ask = ["web:*"]', 'gates.deny = ["web:*"]', {}],
    ['gates.deny = ["web:*"]', '', { gates: { deny: ['web:*'] } }],
    ['gates.deny = ["shell:rm"]', 'gates.deny = ["shell:curl"]', { gates: { deny: ['shell:rm'] } }],
    ['planApproval = true', '', { planApproval: true }],
    ['approval = "manual"', '', { approval: 'manual' }],
    ['approval = "manual"', 'approval = { mode = "threshold", at = 0.2 }', { approval: 'manual' }],
    ['approval = { mode = "manual" }', '', { approval: { mode: 'manual' } }],
    ['sandbox.mode = "require"', 'sandbox.mode = "off"', { sandbox: { mode: 'require' } }],
    ['sandbox.network = false', 'sandbox.network = true', { sandbox: { network: false } }],
    ['budget.costUsd = 1', '', { budget: { costUsd: 1 } }],
    ['budget.costUsd = 1', 'budget.costUsd = 2', { budget: { costUsd: 1 } }],
    ['budget.wallClock = "90s"', 'budget.wallClock = "2m"', { budget: { wallClock: '90s' } }],
    ['budget.replans = 0', '', { budget: { replans: 0 } }],
    ['maxParallelSubtasks = 2', '', { maxParallelSubtasks: 2 }],
    ['escalationPause = 1', '', { escalationPause: 1 }],
    ['limits = { goalCostUsd = 1 }', '', { limits: { goalCostUsd: 1 } }],
    ['verification.default = 3', 'verification.default = 2', { verification: { default: 3 } }],
  ])('may set %s, which tightens "%s"', (text, user, tightens) => {
    expect(sorted(text, user)).toEqual({ needs: [], tightens });
  });

  test.each<[text: string, user: string]>([
    ['maxParallelSubtasks = 5', ''],
    ['maxAttempts = 8', ''],
    ['approval = "off"', ''],
    ['approval = "manual"', 'approval = { mode = "manual", onTimeout = "deny" }'],
    ['planApproval = false', ''],
    ['budget.wallClock = "120s"', 'budget.wallClock = "2m"'],
    ['gates.allow = []', 'gates.allow = ["shell:ls"]'],
    ['gates.allow = ["shell:ls"]', 'gates.allow = ["shell:ls", "shell:cat"]'],
    ['sandbox.read = []', ''],
    ['executors.claude.preset = "claude"', ''],
    ['executors.claude.preset = "claude"', 'executors.claude = { preset = "claude", timeout = "5m" }'],
    ['verification.default = 1', ''],
    ['budget.replans = 3', ''],
  ])('may set %s, which changes nothing of "%s" and is ignored', (text, user) => {
    expect(sorted(text, user)).toEqual({ needs: [], tightens: {} });
  });

  test.each<[text: string, user: string, needs: string[]]>([
    ['executor = "claude"', '', ['executor']],
    ['executors.mine = { kind = "command", run = ["./x"] }', '', ['executors.mine.kind', 'executors.mine.run']],
    ['executors.claude.set.ANTHROPIC_BASE_URL = "http://x"', '', ['executors.claude.set.ANTHROPIC_BASE_URL']],
    ['executors.claude.args = ["--x"]', '', ['executors.claude.args']],
    ['redact.harmless = ["TOKEN"]', '', ['redact.harmless']],
    ['web.internal = ["127.0.0.1:80"]', '', ['web.internal']],
    ['gates.allow = ["web:*"]', 'gates.ask = ["web:*"]', ['gates.allow']],
    ['project = "other"', '', ['project']],
    ['budget.costUsd = 3', 'budget.costUsd = 2', ['budget.costUsd']],
    ['budget.wallClock = "121s"', 'budget.wallClock = "2m"', ['budget.wallClock']],
    ['budget.replans = 9', 'budget.replans = 1', ['budget.replans']],
    ['budget.replans = 500', '', ['budget.replans']],
    ['budget.onExhausted = "stop"', '', ['budget.onExhausted']],
    ['approval = "off"', 'approval = "manual"', ['approval']],
    ['approval = { mode = "manual", onTimeout = "proceed" }', '', ['approval.onTimeout']],
    ['planApproval = false', 'planApproval = true', ['planApproval']],
    ['planning.degraded = "deny"', '', ['planning.degraded']],
    ['maxParallelSubtasks = 6', '', ['maxParallelSubtasks']],
    ['escalationPause = 50', '', ['escalationPause']],
    ['limits = { goalCostUsd = 50 }', '', ['limits.goalCostUsd']],
    ['verification.default = 1', 'verification.default = 2', ['verification.default']],
    ['verification.guard = false', '', ['verification.guard']],
    ['maxAttempts = 2', '', ['maxAttempts']],
    [
      'models.m = { provider = "p", id = "m", price = { in = 0, out = 0 } }',
      '',
      ['models.m.provider', 'models.m.id', 'models.m.price.in', 'models.m.price.out'],
    ],
    ['roles.writer.persona = "Obey."', '', ['roles.writer.persona']],
    ['recovery.timeout.emphasis = "Obey."', '', ['recovery.timeout.emphasis']],
    ['prompts.executor.role = "Obey."', '', ['prompts.executor.role']],
    ['providers.anthropic.baseUrl = "http://x"', '', ['providers.anthropic.baseUrl']],
    ['sandbox.mode = "off"', '', ['sandbox.mode']],
    ['sandbox.mode = "auto"', 'sandbox.mode = "require"', ['sandbox.mode']],
    ['sandbox.network = true', '', ['sandbox.network']],
    ['sandbox.read = ["/"]', '', ['sandbox.read']],
    ['sandbox.read = []', 'sandbox.read = ["/srv"]', ['sandbox.read']],
    ['gates.allow = ["shell:ls"]', '', ['gates.allow']],
    ['ladder = [{ tier = "assigned" }]', '', ['ladder']],
    ['limits.askAt = 0.1', '', ['limits.askAt']],
    ['taskQueue = "theirs"', '', ['taskQueue']],
    ['logging.level = "silent"', '', ['logging.level']],
  ])('may not set %s over "%s"', (text, user, needs) => {
    expect(sorted(text, user)).toEqual({
      needs,
      tightens: text.includes('mode = "manual"') ? { approval: { mode: 'manual' } } : {},
    });
  });
});

describe('an untrusted file', () => {
  test('has only the effect that needs no trust, and its deny and ask rules hold', () => {
    const { layer, whole } = read(hostile);
    expect(layer.raw).toEqual({ gates: { ask: ['git:push'], deny: ['shell:npm publish'] } });
    expect(layer.values).toEqual(layer.raw);
    expect(whole.raw).toHaveProperty('providers');
  });

  test.each<[Trust, string, string]>([
    ['unknown', 'CONFIG_NOT_TRUSTED', 'is not trusted'],
    ['changed', 'CONFIG_NOT_TRUSTED', 'has changed since you trusted it'],
    ['damaged', 'TRUST_DAMAGED', 'is not trusted, because the record of what you trust is damaged'],
  ])('is refused where all of it is used (%s), by name, table and line', (trust, code, reason) => {
    const refused = (): ConfigFile[] => trustedFiles([read(hostile, trust)], () => false);
    expect(refused).toThrow(HeddleError);
    expect(refused).toThrow(
      expect.objectContaining({
        code,
        message: `This project's heddle.toml ${reason}, and it sets \`maxAttempts\`, \`providers.anthropic.baseUrl\`, \`gates.allow\`, \`sandbox.mode\` and \`sandbox.read\`.`,
        where:
          'heddle.toml:1 (maxAttempts), heddle.toml:3 (providers.anthropic.baseUrl), heddle.toml:5 (gates.allow), heddle.toml:9 (sandbox.mode), heddle.toml:10 (sandbox.read)',
        hint: expect.stringContaining('`heddle trust`') as string,
      }),
    );
  });

  test('counts when a starter vouches for this content at this place, and for no other', () => {
    const files = [read(hostile)];
    const [trusted] = trustedFiles(files, ({ path, sha256 }) => path === identity.path && sha256 === identity.sha256);
    expect(trusted?.layer?.raw).toHaveProperty('providers');
    expect(trustedIdentity([trusted!])).toEqual(identity);
    expect(trustedIdentity(files)).toBeUndefined();
    expect(() => trustedFiles(files, ({ path }) => path === '/q/heddle.toml')).toThrow(HeddleError);
  });

  test('is used without a question where nothing in it needs trust', () => {
    const plain = read('escalationPause = 2\n[gates]\nallow = []\n', 'changed');
    expect(trustedFiles([plain], () => expect.unreachable())).toEqual([plain]);
    expect(trustedIdentity([plain])).toBeUndefined();
  });
});

describe('a trusted file', () => {
  test('has its full effect', () => {
    const trusted = read(hostile, 'trusted');
    expect(trustedFiles([trusted], () => expect.unreachable())).toEqual([trusted]);
    const { values } = resolveConfig({ below: [trusted.layer], above: [] });
    expect(values).toMatchObject({
      sandbox: { mode: 'off', network: false, read: ['/'] },
      gates: { allow: ['shell:rm -rf'] },
    });
  });
});

test("the user's own file needs no trust", () => {
  const layer = fileLayer({ name: 'user.toml', text: hostile });
  const user: ConfigFile = { kind: 'user', path: '/u/heddle.toml', layer };
  expect(trustedFiles([user], () => expect.unreachable())).toEqual([user]);
  expect(isUntrusted(user)).toBe(false);
});

describe('the shown config', () => {
  test('of a file to be trusted lists everything that needs trust, with its lines', () => {
    expect(showSensitive(read(hostile)).map(({ key, value, origin }) => [key, value, origin.place])).toEqual([
      ['maxAttempts', 2, 'heddle.toml:1'],
      ['providers.anthropic.baseUrl', 'http://127.0.0.1:9/v1', 'heddle.toml:3'],
      ['gates.allow', ['shell:rm -rf'], 'heddle.toml:5'],
      ['sandbox.mode', 'off', 'heddle.toml:9'],
      ['sandbox.read', ['/'], 'heddle.toml:10'],
    ]);
  });

  test('of an untrusted file is marked, value by value', () => {
    const user = fileLayer({ name: 'user.toml', text: '[gates]\nallow = ["shell:ls"]\n[sandbox]\nnetwork = true\n' });
    const file = read(hostile);
    const shown = showConfig(resolveConfig({ below: [user, file.whole], above: [] }), file);
    const listed = shown.filter(({ key }) => /^(?:sandbox|gates|maxAttempts)/.test(key));
    expect(listed.map(({ key, value, origin, untrusted }) => [key, value, origin.place, untrusted])).toEqual([
      ['sandbox.mode', 'off', 'heddle.toml:9', true],
      ['sandbox.network', true, 'user.toml:4', undefined],
      ['sandbox.read', ['/'], 'heddle.toml:10', true],
      ['gates.allow', ['shell:ls'], 'user.toml:2', undefined],
      ['gates.allow', ['shell:rm -rf'], 'heddle.toml:5', true],
      ['gates.ask', ['git:push'], 'heddle.toml:6', undefined],
      ['gates.deny', ['shell:npm publish'], 'heddle.toml:7', undefined],
      ['maxAttempts', 2, 'heddle.toml:1', true],
    ]);
  });
});

test('an untrusted file never changes a value except to tighten it', () => {
  const lines = [
    ...['planApproval = true', 'planApproval = false', 'approval = "auto"', 'approval = "manual"', 'maxAttempts = 3'],
    ...['sandbox.mode = "off"', 'sandbox.mode = "require"', 'sandbox.network = true', 'sandbox.read = ["/"]'],
    ...['budget.costUsd = 1', 'budget.costUsd = 9', 'budget.tokens = 5', 'gates.allow = ["shell:sh"]'],
    ...['gates.deny = ["shell:rm"]', 'executor = "claude"', 'project = "x"', 'verification.default = 1'],
    ...['verification.default = 3', 'maxParallelSubtasks = 1', 'maxParallelSubtasks = 9', 'redact.harmless = ["T"]'],
  ];
  const file = fc.uniqueArray(fc.constantFrom(...lines), { selector: (line) => line.split(' ')[0], maxLength: 8 });
  fc.assert(
    fc.property(file, file, (ofProject, ofUser) => {
      const user = fileLayer({ name: 'user.toml', text: ofUser.join('\n') });
      const without = resolveConfig({ below: [user], above: [] }).values;
      const { layer } = read(ofProject.join('\n'), 'unknown', ofUser.join('\n'));
      const { values } = resolveConfig({ below: [user, layer], above: [] });
      expect(values.executor).toEqual(without.executor);
      expect(values.redact).toEqual(without.redact);
      expect(values.project).toEqual(without.project);
      expect(values.gates?.allow).toEqual(without.gates?.allow);
      expect(values.sandbox?.read).toEqual(without.sandbox?.read);
      expect(values.maxAttempts).toEqual(without.maxAttempts);
      expect(values.budget?.costUsd ?? Infinity).toBeLessThanOrEqual(without.budget?.costUsd ?? Infinity);
      expect(values.maxParallelSubtasks).toBeLessThanOrEqual(without.maxParallelSubtasks ?? 0);
      expect(values.verification?.default).toBeGreaterThanOrEqual(without.verification?.default ?? 9);
      if (without.planApproval === true) expect(values.planApproval).toBe(true);
      if (without.sandbox?.mode === 'require') expect(values.sandbox?.mode).toBe('require');
      if (without.sandbox?.network === false) expect(values.sandbox?.network).toBe(false);
      if (without.approval === 'manual') expect(values.approval).toBe('manual');
    }),
  );
});
