// The codec behind the guard: the Web UI's own page and our own programs have payloads opened, nobody else has.
import { spawnSync } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { parseCodecKeys } from '../../../client/codec/codec-keys.ts';
import { workerCodec } from '../../../client/codec/payload-codec.ts';
import { secludedAddress } from '../../../workers/server/loopback-address.ts';
import { startWebUiGuard } from '../../../workers/server/web-ui-guard.ts';

const keys = (fill: number) => parseCodecKeys(`k${fill}:${Buffer.alloc(32, fill).toString('base64')}`, 'keys');
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const greeting = { metadata: { encoding: base64('json/plain') }, data: base64('"hello"') };

async function guarded(): Promise<string> {
  const host = await secludedAddress(undefined);
  const guard = await startWebUiGuard({ host, port: undefined, webUi: () => undefined, codec: workerCodec(keys(1)) });
  onTestFinished(() => guard.close());
  return guard.url;
}

const post = (url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body), headers });

interface Body {
  payloads: (typeof greeting)[];
}

test('payloads are encrypted and opened again, and one with another key stays as it is', async () => {
  const url = await guarded();
  const own = { origin: url, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
  const encoded = (await (await post(`${url}/codec/encode`, { payloads: [greeting] }, own)).json()) as Body;
  expect(encoded.payloads[0]?.metadata.encoding).toBe(base64('binary/encrypted'));
  const [foreign] = await workerCodec(keys(2)).encode([{ metadata: {}, data: Buffer.from('x') }]);
  const closed = {
    metadata: { encoding: base64('binary/encrypted'), 'encryption-key-id': base64('k2') },
    data: Buffer.from(foreign?.data ?? []).toString('base64'),
  };
  const answer = await post(
    `${url}/codec/decode?namespace=default`,
    { payloads: [...encoded.payloads, closed, greeting] },
    own,
  );
  expect(await answer.json()).toEqual({ payloads: [greeting, closed, greeting] });
});

test.each<[string, Record<string, string>]>([
  ['another page', { origin: 'http://foreign.invalid' }],
  ['another site', { 'sec-fetch-site': 'cross-site' }],
  ['a page of this machine on another port', { origin: 'http://127.0.0.1:1234', 'sec-fetch-site': 'same-site' }],
])('%s cannot use the keys', async (_, headers) => {
  expect((await post(`${await guarded()}/codec/decode`, { payloads: [greeting] }, headers)).status).toBe(403);
});

test.each<[string, string, unknown, number]>([
  ['another path', '/codec/keys', { payloads: [] }, 404],
  ['a text that is no JSON', '/codec/decode', '{', 400],
  ['another form', '/codec/decode', { payloads: [{ data: 5 }] }, 400],
  ['data that is no base64', '/codec/decode', { payloads: [{ metadata: {}, data: '???' }] }, 400],
])('%s is refused', async (_, path, body, status) => {
  expect((await post(`${await guarded()}${path}`, body)).status).toBe(status);
});

test('a link to the codec opens nothing', async () => {
  expect((await fetch(`${await guarded()}/codec/decode`)).status).toBe(404);
});

const canBeNobody = process.getuid?.() === 0 && spawnSync('setpriv', ['--version']).status === 0;

test.skipIf(!canBeNobody)('a program of another user of this machine cannot use the keys', async () => {
  const url = await guarded();
  const request = `POST /codec/decode HTTP/1.1\r\nHost: ${new URL(url).host}\r\nContent-Length: 15\r\nConnection: close\r\n\r\n{"payloads":[]}`;
  const { hostname, port } = new URL(url);
  const script = `exec 3<>/dev/tcp/${hostname}/${port}; printf '%s' "$1" >&3; cat <&3`;
  const ask = async (as: string[]): Promise<string> => {
    const { execFile } = await import('node:child_process');
    return new Promise((resolve) => {
      execFile('setpriv', [...as, 'bash', '-c', script, 'bash', request], { timeout: 10_000 }, (_, out) =>
        resolve(out),
      );
    });
  };
  expect(await ask(['--reuid=65534', '--clear-groups'])).toContain('403 Forbidden');
  expect(await ask([])).toContain('{"payloads":[]}');
});
