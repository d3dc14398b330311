// The search for models that no config names: which variable or server is taken, and what is never asked.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { resolveLoopback } from '../../../activities/discovery/ask-ollama.ts';
import { completeAddress } from '../../../activities/discovery/complete-address.ts';
import { describeProviders } from '../../../activities/discovery/describe-providers.ts';
import { findModels } from '../../../activities/discovery/find-models.ts';
import { loadModelFacts } from '../../../activities/discovery/load-model-facts.ts';
import { foundLayer } from '../../../domain/config/found-models.ts';
import { addFoundModels, noConfig, resolveConfig } from '../../../domain/config/layers.ts';
import { fileLayer } from '../../../domain/config/layer.ts';

const nowhere = '127.0.0.1:9';
const search = (env: Record<string, string>, options?: { all: boolean }) =>
  findModels({ value: (name) => ({ OLLAMA_HOST: nowhere, PATH: '/nowhere', ...env })[name] }, options);

/** A server on the loopback address that answers `/api/tags` as Ollama does, and keeps the paths of its requests. */
async function serveTags(answer: (path: string) => string | undefined): Promise<{ host: string; paths: string[] }> {
  const paths: string[] = [];
  const server = createServer((incoming, outgoing) => {
    paths.push(incoming.url ?? '');
    const text = answer(incoming.url ?? '');
    if (text !== undefined) outgoing.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, paths };
}

const tags = (...models: object[]): string => JSON.stringify({ models });

describe('keys', () => {
  test.each([
    ['ANTHROPIC_API_KEY', ['claude-haiku-4-5', 'claude-sonnet-5', 'claude-opus-5-5']],
    ['OPENAI_API_KEY', ['gpt-5.6-luna', 'gpt-5.6-terra', 'gpt-5.6-sol']],
    ['GEMINI_API_KEY', ['gemini-3.5-flash-lite', 'gemini-3.8-flash', 'gemini-3.1-pro-preview']],
    ['OPENROUTER_API_KEY', ['anthropic/claude-haiku-4.5', 'anthropic/claude-sonnet-5', 'anthropic/claude-opus-5.5']],
  ])('%s gives three tiers that fit the config and have a price', async (variable, ids) => {
    const { seen, settings } = await search({ [variable]: 'k' });
    expect(seen).toEqual([variable]);
    const { models } = addFoundModels(noConfig(), foundLayer(settings ?? {}));
    expect(models.map(({ id, tier }) => [id, tier])).toEqual(ids.map((id, index) => [id, index + 1]));
    for (const { price, provider, context, output, roles } of models) {
      expect(price?.in).toBeGreaterThan(0);
      expect(provider.keyEnv).toBe(variable);
      expect(context).toBeGreaterThan(output);
      expect(roles).toHaveLength(5);
    }
  });

  test('the first in the order serves, an empty one is not set', async () => {
    const { settings } = await search({ OPENROUTER_API_KEY: 'k', OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: '' });
    expect(Object.keys(settings?.providers ?? {})).toEqual(['openai']);
  });

  test('no value of a key is in what was found', async () => {
    const result = await search({ ANTHROPIC_API_KEY: 'secret-value' }, { all: true });
    expect(JSON.stringify(result)).not.toContain('secret-value');
  });

  test('the address of the variable is used, and its origin says so', async () => {
    const { settings } = await search({ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'http://127.0.0.1:7/' });
    expect(settings?.providers).toMatchObject({ anthropic: { baseUrl: 'http://127.0.0.1:7/v1' } });
    const layer = foundLayer(settings ?? {});
    expect(layer.originOf(['providers', 'anthropic', 'baseUrl'])).toEqual({
      from: 'found',
      place: 'variable ANTHROPIC_BASE_URL',
    });
    expect(layer.originOf(['models', 'claude-sonnet-5', 'tier']).place).toBe('variable ANTHROPIC_API_KEY');
  });

  test.each([
    ['http://h', 'anthropic', 'http://h/v1'],
    ['http://h/v1/', 'anthropic', 'http://h/v1'],
    ['http://h/proxy', 'anthropic', 'http://h/proxy/v1'],
    ['http://h', 'openai', 'http://h/v1'],
    ['http://h/v1', 'openai', 'http://h/v1'],
    ['http://h/openai', 'openai', 'http://h/openai'],
    ['http://h/v1beta/openai', 'openai', 'http://h/v1beta/openai'],
  ] as const)('the address %s of %s is %s', (given, kind, whole) => {
    expect(completeAddress(given, kind)).toBe(whole);
  });
});

describe('prices', () => {
  test('a window ends where a larger request would cost more', async () => {
    const factsOf = await loadModelFacts('google');
    expect(factsOf('gemini-3.1-pro-preview')).toEqual({ context: 200_000, price: { in: 2, out: 12, cached: 0.2 } });
  });

  test('a model that the list does not have has no price', async () => {
    expect((await loadModelFacts('anthropic'))('no-such-model-of-anybody')).toEqual({});
  });
});

describe('a config of the user', () => {
  test('a config that names a model stands alone', async () => {
    const file = fileLayer({
      name: 'heddle.toml',
      text: '[models.mine]\nprovider = "anthropic"\nid = "x"\n',
    });
    const { settings } = await search({ OPENAI_API_KEY: 'k' });
    const { models } = addFoundModels(resolveConfig({ below: [file], above: [] }), foundLayer(settings ?? {}));
    expect(models.map(({ name }) => name)).toEqual(['mine']);
  });

  test('a config that changes a provider changes it for the models of this machine', async () => {
    const file = fileLayer({ name: 'heddle.toml', text: '[providers.anthropic]\nbaseUrl = "http://127.0.0.1:7/v1"\n' });
    const { settings } = await search({ ANTHROPIC_API_KEY: 'k' });
    const { models } = addFoundModels(resolveConfig({ below: [file], above: [] }), foundLayer(settings ?? {}));
    expect(models[0]?.provider).toMatchObject({ baseUrl: 'http://127.0.0.1:7/v1', keyEnv: 'ANTHROPIC_API_KEY' });
  });
});

describe('Ollama', () => {
  test('the largest model that writes text serves all tiers, for nothing', async () => {
    const { host } = await serveTags(() =>
      tags(
        { name: 'small:1b', size: 1, details: { family: 'llama' } },
        { name: 'qwen3:8b', size: 5, details: { family: 'qwen3' } },
        { name: 'nomic-embed-text', size: 9, details: { family: 'nomic-bert' } },
        { name: 'huge:cloud', size: 0, remote_host: 'https://ollama.com:443' },
      ),
    );
    const { seen, settings } = await search({ OLLAMA_HOST: host });
    expect(seen).toEqual([`Ollama at http://${host}`]);
    expect(settings).toEqual({
      providers: { ollama: { kind: 'ollama', baseUrl: `http://${host}` } },
      models: { 'qwen3-8b': { provider: 'ollama', id: 'qwen3:8b', tier: 3, price: { in: 0, out: 0 } } },
    });
    expect(foundLayer(settings ?? {}).originOf(['models']).place).toBe(`http://${host}`);
  });

  test('a server without a model is seen, and serves nothing', async () => {
    const { host } = await serveTags(() => tags());
    expect(await search({ OLLAMA_HOST: host })).toEqual({ seen: [`Ollama at http://${host} (no model)`] });
  });

  test.each([
    ['that is no list of models', 'hello'],
    ['that never comes', undefined],
  ])('an answer %s counts as none, within a second', async (_, text) => {
    const { host } = await serveTags(() => text);
    const begun = performance.now();
    expect(await search({ OLLAMA_HOST: host })).toEqual({ seen: [] });
    expect(performance.now() - begun).toBeLessThan(1_000);
  });

  test('it is not asked where a key is set', async () => {
    const { host, paths } = await serveTags(() => tags());
    await search({ OLLAMA_HOST: host, ANTHROPIC_API_KEY: 'k' });
    expect(paths).toEqual([]);
  });

  test.each([
    [undefined, 'http://127.0.0.1:11434'],
    ['', 'http://127.0.0.1:11434'],
    ['0.0.0.0', 'http://127.0.0.1:11434'],
    [':8080', 'http://127.0.0.1:8080'],
    ['localhost:8080', 'http://127.0.0.1:8080'],
    ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080'],
    ['[::1]:8080', 'http://[::1]:8080'],
    ['192.168.1.2:11434', undefined],
    ['127.0.0.1.example.com', undefined],
    ['https://127.0.0.1', undefined],
    ['a b', undefined],
  ])('OLLAMA_HOST=%s asks %s', (host, address) => {
    expect(resolveLoopback(host)).toBe(address);
  });
});

test('an agent program that only works is seen, and serves no goal', async () => {
  const folder = mkdtempSync('/tmp/heddle-programs-');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(`${folder}/aider`, '#!/bin/sh\n', { mode: 0o755 });
  expect(await search({ PATH: folder })).toEqual({ seen: ['aider'] });
});

test('each key, program and server has a line that shows no value of a key', async () => {
  const env: Record<string, string> = { GEMINI_API_KEY: 'secret-value', OLLAMA_HOST: '192.168.1.2', PATH: '/nowhere' };
  const lines = await describeProviders({ value: (name) => env[name] });
  expect(lines.map(({ name, detail }) => `${name}: ${detail}`)).toEqual([
    'ANTHROPIC_API_KEY: not set',
    'OPENAI_API_KEY: not set',
    'GEMINI_API_KEY: set: models of Gemini can serve goals',
    'OPENROUTER_API_KEY: not set',
    ...['claude', 'codex', 'gemini', 'opencode', 'aider'].map((name) => `program ${name}: not installed`),
    'ollama: not asked: OLLAMA_HOST is not on this machine',
  ]);
});
