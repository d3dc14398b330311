// A key is enough: a goal of a project without any file of Heddle, against services on the loopback address.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startScriptedServer, type ScriptedRequest } from '../../../activities/llm/scripted/scripted-server.ts';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Report } from '../../../client/index.ts';
import { Cli } from '../../support/cli.ts';
import { correctingReplies, writeFailingProject } from './failing-project.ts';
import { serveScript } from '../../support/scripted-models.ts';

const goal = 'Make the tests pass';
const minute = 60_000;

const modelsOf = (requests: readonly ScriptedRequest[]): unknown[] => requests.map(({ body }) => body['model']);

test.each([
  {
    service: 'Anthropic',
    env: (url: string) => ({ ANTHROPIC_API_KEY: 'test-key-1', ANTHROPIC_BASE_URL: url }),
    chosen: 'Using claude-opus-5-5, claude-sonnet-5 and claude-haiku-4-5 of Anthropic (ANTHROPIC_API_KEY)',
    planner: 'claude-opus-5-5',
    worker: 'claude-haiku-4-5',
  },
  {
    service: 'OpenAI',
    env: (url: string) => ({ OPENAI_API_KEY: 'test-key-2', OPENAI_BASE_URL: `${url}/v1` }),
    chosen: 'Using gpt-5.6-sol, gpt-5.6-terra and gpt-5.6-luna of OpenAI (OPENAI_API_KEY)',
    planner: 'gpt-5.6-sol',
    worker: 'gpt-5.6-luna',
  },
])(
  'a key of $service and one command are enough for a goal that the project checks',
  async ({ env, chosen, planner, worker }) => {
    const { url, requests } = await serveScript(correctingReplies);
    const cli = new Cli({ HEDDLE_TRUST: '1', ...env(url) });
    writeFailingProject(cli.cwd);
    const { code, stdout, stderr } = await cli.run('run', goal, '--id', 'first', '--exit-on-decision');
    expect([code, stdout]).toEqual([0, expect.stringContaining('Completed')]);
    expect(stderr.split('\n')[0]).toBe(`${chosen}; \`heddle init\` writes a config to change that.`);
    expect(modelsOf(requests)).toEqual([planner, worker, worker, worker]);
    const { records } = await cli.json<Report>('report', 'first');
    expect(records).toMatchObject([
      { subtask: 'inspect' },
      { subtask: 'fix', verdict: 'pass', verify: [{ command: 'npm test', exit: 0 }] },
    ]);
    expect(readFileSync(join(cli.cwd, 'sum.cjs'), 'utf8')).toContain('a + b');
  },
  2 * minute,
);

test(
  'a model of Ollama on this machine serves a goal where no key is set',
  async () => {
    const { url, requests } = await serveOllama();
    const cli = new Cli({ HEDDLE_TRUST: '1', OLLAMA_HOST: url.replace('http://', '') });
    writeFailingProject(cli.cwd);
    const { code, stderr } = await cli.run('run', goal, '--exit-on-decision');
    expect([code, stderr]).toEqual([0, expect.stringContaining(`Using qwen3:8b of Ollama (${url})`)]);
    expect(new Set(modelsOf(requests))).toEqual(new Set(['qwen3:8b']));
  },
  2 * minute,
);

test(
  'where nothing is there, the goal is refused with what was looked for, and nothing is started',
  async () => {
    const cli = new Cli({ ANTHROPIC_API_KEY: '', HOME: '/nowhere' });
    const { code, stderr } = await cli.here('run', goal, '--json');
    const { error } = JSON.parse(stderr) as { error: Record<string, unknown> };
    expect([code, error]).toMatchObject([2, { code: 'MODEL_NOT_CONFIGURED' }]);
    for (const name of [
      'ANTHROPIC_API_KEY',
      'OPENAI_API_KEY',
      'GEMINI_API_KEY',
      'OPENROUTER_API_KEY',
      'agent CLI',
      'Ollama',
    ])
      expect(error['message']).toContain(name);
    expect(error['hint']).toContain('export ANTHROPIC_API_KEY=');
    expect(Array.isArray(error['found'])).toBe(true);
    expect((await cli.here('status', 'latest')).code).not.toBe(0);
  },
  minute,
);

test(
  'a config whose models plan nothing is refused by the same code, with what it lacks and what is there',
  async () => {
    const cli = new Cli({ HEDDLE_TRUST: '1', ANTHROPIC_API_KEY: 'test-key-3' });
    const text = '[models.mine]\nprovider = "anthropic"\nid = "x"\nroles = ["executor"]\n';
    writeFileSync(join(cli.cwd, 'heddle.toml'), text);
    const { code, stderr } = await cli.here('run', goal, '--json');
    expect([code, JSON.parse(stderr)]).toMatchObject([
      2,
      {
        error: {
          code: 'MODEL_NOT_CONFIGURED',
          message: expect.stringContaining(
            'no model of the config serves `planner`; there are: mine (executor)',
          ) as string,
          found: expect.arrayContaining(['ANTHROPIC_API_KEY']) as string[],
        },
      },
    ]);
  },
  minute,
);

test(
  'models and config show what was found, and where',
  async () => {
    const cli = new Cli({ GEMINI_API_KEY: 'test-key-4' });
    const { models } = await cli.jsonHere<{ models: object[] }>('models');
    expect(models).toMatchObject([
      { name: 'gemini-3-5-flash-lite', provider: 'gemini', id: 'gemini-3.5-flash-lite', tier: 1 },
      { id: 'gemini-3.8-flash', tier: 2 },
      { id: 'gemini-3.1-pro-preview', tier: 3 },
    ]);
    const { values } = await cli.jsonHere<{ values: { key: string; from: string; place: string }[] }>('config');
    expect(values.find(({ key }) => key === 'models.gemini-3-8-flash.id')).toMatchObject({
      from: 'found',
      place: 'variable GEMINI_API_KEY',
    });
  },
  minute,
);

test(
  'a plan of commands looks for no model',
  async () => {
    const { url, paths } = await serveTags();
    const cli = new Cli({ OLLAMA_HOST: url.replace('http://', '') });
    writeFileSync(
      join(cli.cwd, 'plan.json'),
      JSON.stringify({ goal, subtasks: [{ id: 'a', executor: { kind: 'command', run: ['echo', 'done'] } }] }),
    );
    const { code, stderr } = await cli.run('run', 'plan.json');
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('Using')]);
    expect(paths).toEqual([]);
  },
  2 * minute,
);

/** A server that lists one model as Ollama does, and passes all else to a scripted one. */
async function serveOllama(): Promise<{ url: string; requests: ScriptedRequest[] }> {
  const requests: ScriptedRequest[] = [];
  const scripted = await startScriptedServer((request) => {
    requests.push(request);
    return Promise.resolve(correctingReplies[Math.min(requests.length, correctingReplies.length) - 1] ?? 'no reply');
  });
  onTestFinished(() => scripted.close());
  const { url } = await serveTags(scripted.url);
  return { url, requests };
}

async function serveTags(next?: string): Promise<{ url: string; paths: string[] }> {
  const paths: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '';
    paths.push(path);
    const pass = async (): Promise<void> => {
      if (path === '/api/tags') {
        outgoing.end(JSON.stringify({ models: [{ name: 'qwen3:8b', size: 5, details: { family: 'qwen3' } }] }));
        return;
      }
      const body = Buffer.concat(await incoming.toArray());
      const reply = await fetch(`${next ?? ''}${path}`, { method: 'POST', body });
      outgoing.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? '' });
      outgoing.end(Buffer.from(await reply.arrayBuffer()));
    };
    pass().catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths };
}
