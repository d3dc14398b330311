// Pages of the web in a conversation: whom a gate asks, what is fetched again after a crash, and what is kept.
import { createServer } from 'node:http';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';

import { createToolRegistry } from '../../../activities/tools/built-in-tools.ts';
import type { GateAsk } from '../../../domain/types/agent.ts';
import type { GateRules } from '../../../domain/types/basic/gate.ts';
import { call, finish, makeAgentRig, ScriptedModels, suspendedIn, type AgentRig } from './support.ts';

interface Web {
  port: number;
  requests: string[];
}

/** A web of one loopback server, which is `internal`; `a.localhost` and `b.localhost` lead to it too. */
async function openWeb(pages: Record<string, string | { to: string }>): Promise<Web> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const page = pages[request.url ?? ''];
    if (page === undefined) response.writeHead(404, { 'content-type': 'text/plain' }).end('no such page');
    else if (typeof page === 'object') response.writeHead(302, { location: page.to }).end();
    else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { port: typeof address === 'object' && address !== null ? address.port : 0, requests };
}

const registry = createToolRegistry();
const rigOf = (): Promise<AgentRig> => makeAgentRig({ registry });

const internal = ({ port }: Web): { internal: string[] } => ({
  internal: [`127.0.0.1:${port}`, `a.localhost:${port}`, `b.localhost:${port}`],
});

const page = '<title>A page</title><main><h1>Heading</h1><p>Some <a href="/more">text</a> of it.</p></main>';

/** Runs one attempt to its next stop. */
async function run(
  rig: AgentRig,
  web: Web,
  models: ScriptedModels,
  given: { gates: Partial<GateRules>; resume?: unknown },
) {
  const resume = given.resume as never;
  return rig.execute(models, {
    gates: given.gates,
    web: internal(web),
    ...(given.resume === undefined ? {} : { agent: { resume } }),
  });
}

const idIn = (text: string): string => /af_[0-9a-f]{12}/.exec(text)?.[0] ?? '';

describe('web_fetch', () => {
  test('is not there without a rule that opens the web', async () => {
    const rig = await rigOf();
    const web = await openWeb({ '/': page });
    const models = new ScriptedModels([call('web_fetch', { url: `http://127.0.0.1:${web.port}/` })], [finish()]);
    await run(rig, web, models, { gates: { deny: ['web:*'] } });
    expect(models.requests[0]?.tools.map(({ name }) => name)).not.toContain('web_fetch');
    expect(models.heard(2)).toContain('There is no tool of that name.');
    expect(web.requests).toEqual([]);
  });

  test('shows a page as Markdown, keeps it, and reads on from there', async () => {
    const rig = await rigOf();
    const long = Array.from({ length: 300 }, (_, at) => `<p>paragraph ${at + 1}</p>`).join('');
    const web = await openWeb({ '/': page, '/long': long });
    const url = `http://127.0.0.1:${web.port}/`;
    const models = new ScriptedModels(
      [call('web_fetch', { url })],
      () => [call('web_fetch', { url: `${url}long#x`, lines: 3 })],
      () => [call('read_artifact', { artifact: idIn(models.heard(3)), from: 599 })],
      () => [call('read_artifact', { artifact: idIn(models.heard(3)), find: 'PARAGRAPH 299' })],
      () => [call('save_artifact', { artifact: idIn(models.heard(2)), path: 'page.html' })],
      [finish()],
    );
    const outcome = await run(rig, web, models, { gates: { allow: ['web:127.0.0.1'] } });
    expect(outcome).toMatchObject({ kind: 'finished' });
    expect(models.heard(2)).toBe(
      `${url} (200, text/html; charset=utf-8, ${page.length} bytes), "A page", ${idIn(models.heard(2))}\nlines 1-3 of 3\n# Heading\n\nSome [text](${url}more) of it.`,
    );
    expect(models.heard(3)).toContain(
      `lines 1-3 of 599; read on with read_artifact {"artifact": "${idIn(models.heard(3))}", "from": 4}`,
    );
    expect(models.heard(4)).toContain('lines 599-599 of 599\nparagraph 300');
    expect(models.heard(5)).toContain('1 line with this text:\n597: paragraph 299');
    expect(models.heard(6)).toContain(`page.html: created with ${page.length} bytes of af_`);
    expect(await readFile(join(rig.workspace, 'page.html'), 'utf8')).toBe(page);
    expect(web.requests).toEqual(['/', '/long']);
  });

  test('is asked about once, and fetched once, whatever happens between the question, the answer and the page', async () => {
    const rig = await rigOf();
    const web = await openWeb({ '/': { to: '/moved' }, '/moved': page });
    const url = `http://a.localhost:${web.port}/`;
    const given = { gates: { ask: ['web:*'] } };
    const models = new ScriptedModels([call('web_fetch', { url }), call('list_folder', {})], [finish()]);
    const stopped = suspendedIn(await run(rig, web, models, given));
    const asks = stopped.asks as GateAsk;
    expect(asks).toMatchObject({ kind: 'gate', tool: 'web_fetch', danger: 'web', signature: 'gate:web:a.localhost' });
    expect(asks.arguments).toEqual({ url });
    expect(web.requests).toEqual([]);
    const resume = { kind: 'decided', call: asks.call, hash: asks.hash, option: 'approve', by: 'ana' };
    expect(await run(rig, web, models, { ...given, resume })).toMatchObject({ kind: 'finished' });
    expect(web.requests).toEqual(['/', '/moved']);

    // As after a crash: the page was fetched and written down, and the log does not know of it.
    const log = await readFile(rig.paths.conversation, 'utf8');
    const lines = log.split('\n');
    const cut = lines.findIndex((line) => line.includes('"k":"permit"')) + 1;
    await writeFile(rig.paths.conversation, `${lines.slice(0, cut).join('\n')}\n`);
    await rm(rig.paths.record);
    expect(await run(rig, web, models, { ...given, resume })).toMatchObject({ kind: 'finished' });
    expect(models.heard(2)).toContain('(200, text/html');
    expect(web.requests).toEqual(['/', '/moved']);
  });

  test('does not follow a redirect to a host that is asked about, and the host is asked about by its own address', async () => {
    const rig = await rigOf();
    const web = await openWeb({ '/': page });
    const { port } = web;
    const to = `http://b.localhost:${port}/`;
    const moved = await openWeb({ '/': { to } });
    const url = `http://a.localhost:${moved.port}/`;
    const models = new ScriptedModels([call('web_fetch', { url })], [call('web_fetch', { url: to })], [finish()]);
    const stopped = await rig.execute(models, {
      gates: { allow: ['web:a.localhost'], ask: ['web:b.localhost'] },
      web: { internal: [...internal(web).internal, ...internal(moved).internal] },
    });
    expect(models.heard(2)).toContain(`${url} leads to ${to}: ask for that address.`);
    expect(suspendedIn(stopped).asks).toMatchObject({ signature: 'gate:web:b.localhost' });
    expect([moved.requests, web.requests]).toEqual([['/'], []]);
  });

  test('runs what is allowed before it asks about the rest, and hears what a person rejected or changed', async () => {
    const rig = await rigOf();
    const web = await openWeb({ '/1': page, '/2': page, '/3': '<p>third' });
    const at = (host: string, path: string): string => `http://${host}:${web.port}${path}`;
    const given = { gates: { allow: ['web:127.0.0.1'], ask: ['web:*.localhost'] } };
    const models = new ScriptedModels(
      [
        call('web_fetch', { url: at('a.localhost', '/1') }),
        call('web_fetch', { url: at('127.0.0.1', '/2') }),
        call('web_fetch', { url: at('b.localhost', '/3') }),
      ],
      [finish()],
    );
    const first = suspendedIn(await run(rig, web, models, given)).asks as GateAsk;
    expect([first.call, web.requests]).toEqual(['1.1', ['/2']]);
    const rejected = { kind: 'decided', call: first.call, hash: first.hash, option: 'reject', reason: 'not that one' };
    const second = suspendedIn(await run(rig, web, models, { ...given, resume: rejected })).asks as GateAsk;
    expect([second.call, web.requests]).toEqual(['1.3', ['/2']]);
    const value = { url: at('127.0.0.1', '/3') };
    const edited = { kind: 'decided', call: second.call, hash: second.hash, option: 'edit', value };
    expect(await run(rig, web, models, { ...given, resume: edited })).toMatchObject({ kind: 'finished' });
    expect(web.requests).toEqual(['/2', '/3']);
    expect(models.heard(2)).toContain('A person rejected this call: not that one');
    expect(models.heard(2)).toContain(`A person changed the arguments of this call to ${JSON.stringify(value)}`);
    expect(models.heard(2)).toContain('third');
  });

  test('is refused for hosts without a rule, private addresses, and addresses that hold a secret', async () => {
    const rig = await makeAgentRig({ registry, env: { PATH: '/nonexistent', API_TOKEN: 'very-secret-token-1' } });
    const web = await openWeb({ '/': page });
    const models = new ScriptedModels(
      [
        call('web_fetch', { url: `http://other.example:${web.port}/` }),
        call('web_fetch', { url: `http://127.0.0.1:${web.port === 8080 ? 8081 : 8080}/` }),
        call('web_fetch', { url: `http://127.0.0.1:${web.port}/?very-secret-token-1` }),
        call('web_fetch', { url: 'file:///etc/passwd' }),
        call('web_fetch', { url: `http://127.0.0.1:${web.port}/none` }),
      ],
      [finish()],
    );
    const outcome = await rig.execute(models, {
      ...{ gates: { allow: ['web:127.0.0.1'] }, web: internal(web), variables: ['API_TOKEN'] },
    });
    const results = models.heard(2);
    expect(results).toContain('Refused: No rule of the config allows `other.example`.');
    expect(results).toContain('Refused: 127.0.0.1 is not a public address.');
    expect(results).toContain('Refused: the address holds a secret');
    expect(results).toContain('Only http and https are fetched, not file:');
    expect(results).toContain('/none answered 404 (text/plain, 12 bytes).\nno such page');
    expect(web.requests).toEqual(['/none']);
    expect(outcome.kind === 'finished' ? outcome.refusals?.map(({ tool }) => tool) : []).toEqual(
      Array(3).fill('web_fetch'),
    );
  });
});
