// `heddle models`: what serves each role and tier, as text and as JSON, and one request to each with --check.
import { describe, expect, test } from 'vitest';
import { main } from '../../../../client/cli/main.ts';
import type { ModelCheck } from '../../../../client/ports/models.ts';
import { fileLayer, type Trust } from '../../../../domain/config/layer.ts';
import { ownSettings } from '../../../../domain/config/layers.ts';
import { untrustedFile, withTrust } from '../../../../domain/config/trust.ts';
import { testPorts } from './support.ts';

const toml = `
[models.large]
provider = "anthropic"
id = "claude-opus"
tier = 2
roles = ["planner", "executor"]
price = { in = 1.0, out = 5.0 }
[models.small]
provider = "local"
id = "qwen3:8b"
[providers.local]
kind = "ollama"
baseUrl = "http://127.0.0.1:11434"
`;

const fine: ModelCheck = { ok: true, latencyMs: 420, tokens: 12, costUsd: 0.000012 };
const dead: ModelCheck = { ok: false, latencyMs: 3, tokens: 0, costUsd: 0, error: 'connection refused' };

const identity = { path: '/heddle.toml', sha256: '0'.repeat(64) };

interface Given {
  text?: string;
  checks?: ModelCheck[];
  trust?: Trust;
  env?: Record<string, string>;
}

async function run(args: string[], { text = toml, checks = [], trust = 'trusted', env = {} }: Given = {}) {
  const asked: string[] = [];
  const left = [...checks];
  const { ports, stdout, stderr } = testPorts({
    readConfig: () =>
      Promise.resolve([
        withTrust(
          untrustedFile(
            { path: '/heddle.toml', identity, whole: fileLayer({ name: 'heddle.toml', text }) },
            ownSettings(undefined),
          ),
          trust,
        ),
      ]),
    env,
    checkModel: ({ name }) => {
      asked.push(name);
      const check = left.shift();
      return check === undefined ? Promise.reject(new Error('asked once too often')) : Promise.resolve(check);
    },
  });
  const code = await main(['models', ...args], ports);
  return { code, stdout: stdout(), stderr: stderr(), asked };
}

describe('heddle models', () => {
  test('--json names all models and who serves which role and tier', async () => {
    const { code, stdout, asked } = await run(['--json']);
    const { models, routes } = JSON.parse(stdout) as { models: unknown; routes: { role: string; model: unknown }[] };
    expect([code, asked]).toEqual([0, []]);
    expect(models).toEqual([
      { name: 'large', provider: 'anthropic', id: 'claude-opus', tier: 2, roles: ['planner', 'executor'] },
      {
        name: 'small',
        provider: 'local',
        id: 'qwen3:8b',
        tier: 1,
        roles: ['planner', 'executor', 'verifier', 'extractor', 'compactor'],
      },
    ]);
    expect(routes).toHaveLength(15);
    expect(routes.filter(({ role }) => role === 'executor')).toEqual([
      { role: 'executor', tier: 1, model: 'small' },
      { role: 'executor', tier: 2, model: 'large' },
      { role: 'executor', tier: 3, model: 'large' },
    ]);
    expect(routes.filter(({ role }) => role === 'verifier').map(({ model }) => model)).toEqual([
      'small',
      'small',
      'small',
    ]);
  });

  test('shows both as tables, and where a weaker model takes the place', async () => {
    expect((await run([])).stdout).toBe(`MODEL  TIER  PROVIDER   ID           ROLES              USD IN/OUT
large  2     anthropic  claude-opus  planner, executor  1/5
small  1     local      qwen3:8b     all                unknown

ROLE       TIER 1  TIER 2               TIER 3
planner    small   large                large (only tier 2)
executor   small   large                large (only tier 2)
verifier   small   small (only tier 1)  small (only tier 1)
extractor  small   small (only tier 1)  small (only tier 1)
compactor  small   small (only tier 1)  small (only tier 1)
`);
  });

  test('says what to do where there is none, and a role that nobody serves is null', async () => {
    const { code, stdout } = await run([], { text: '' });
    expect([code, stdout]).toEqual([
      0,
      'There are no models: set the key of a service, log in to an agent CLI, or write a config with `heddle init --model NAME`.\n',
    ]);
    const { routes } = JSON.parse((await run(['--json'], { text: '' })).stdout) as { routes: { model: unknown }[] };
    expect(new Set(routes.map(({ model }) => model))).toEqual(new Set([null]));
  });

  test('--check asks each once and adds what came of it; one that does not answer is exit 1', async () => {
    const { code, stdout, asked } = await run(['--check', '--json'], { checks: [fine, dead] });
    const { models } = JSON.parse(stdout) as { models: unknown };
    expect([code, asked]).toEqual([1, ['large', 'small']]);
    expect(models).toMatchObject([
      { name: 'large', ...fine },
      { name: 'small', ...dead },
    ]);
    expect((await run(['--check'], { checks: [fine, fine] })).code).toBe(0);
  });

  test('--check shows time, tokens and price, or why there is no answer', async () => {
    const { stdout } = await run(['--check'], { checks: [{ ...fine, costUsd: 0.0005 }, dead] });
    expect(stdout).toContain('large  ok                  0.4 s  12      0.0005\nsmall  connection refused\n');
  });

  test('asks nobody that a file names which is not trusted, unless this one call trusts it', async () => {
    for (const trust of ['unknown', 'changed'] as const) {
      const { code, stderr, asked } = await run(['--check', '--json'], { trust, env: { HEDDLE_TRUST: '0' } });
      expect([code, asked]).toEqual([2, []]);
      expect(JSON.parse(stderr)).toMatchObject({
        error: { code: 'CONFIG_NOT_TRUSTED', where: expect.stringContaining('(providers.') as unknown },
      });
    }
    const once = await run(['--check', '--json'], {
      trust: 'unknown',
      checks: [fine, fine],
      env: { HEDDLE_TRUST: '1' },
    });
    expect([once.code, once.asked]).toEqual([0, ['large', 'small']]);
    expect((await run(['--json'], { trust: 'unknown', text: '[gates]\ndeny = ["shell:rm"]\n' })).code).toBe(0);
  });

  test('takes flags, and refuses what does not fit', async () => {
    const { stdout } = await run(['--json', '-c', 'models.small.tier=3']);
    expect(stdout).toContain('"role":"executor","tier":3,"model":"small"');
    const { code, stderr } = await run(['-c', 'models.small.provider=nobody']);
    expect(code).toBe(2);
    expect(stderr).toContain('CONFIG_UNKNOWN_PROVIDER');
  });
});
