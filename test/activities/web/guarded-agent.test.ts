import { fetch } from 'undici';
import { describe, expect, test } from 'vitest';

import { createGuardedAgent, formatHost, type GuardOptions } from '../../../activities/web/guarded-agent.ts';
import { reachOf } from '../../../activities/web/public-address.ts';
import { ranges, spellings } from './addresses.ts';
import { nameServers, recordingDial, type Names } from './recording.ts';

/* No connection is opened: the connector is ours, and the dialler below it only records. */

/** Asks for addresses, one after the other, and returns what was dialled, and the cause of each failure. */
async function request(urls: readonly string[], names: Names = {}, guard: Partial<GuardOptions> = {}) {
  const { dial, dialled } = recordingDial();
  const servers = nameServers(names);
  const agent = await createGuardedAgent({ signal: new AbortController().signal, servers, dial, ...guard });
  const causes: string[] = [];
  for (const url of urls) {
    const error: unknown = await fetch(url, { dispatcher: agent, redirect: 'manual' }).catch((cause: unknown) => cause);
    const cause = error instanceof Error ? error.cause : undefined;
    causes.push(cause instanceof Error ? `${cause.name}: ${cause.message}` : String(error));
  }
  await agent.destroy();
  return { dialled, causes, questions: servers.questions };
}

describe('addresses', () => {
  test('of no range that is reserved or private are public', () => {
    const inside = ranges.flatMap(({ first, last }) => [first, last]);
    expect(inside.filter((address) => reachOf(address) === 'public')).toEqual([]);
  });

  test('beside such ranges are public', () => {
    const outside = ranges.flatMap((range) => range.outside ?? []);
    expect(outside.filter((address) => reachOf(address) !== 'public')).toEqual([]);
  });

  test('are never dialled where they cannot be read', () => {
    const broken = ['', 'x', '1.2.3', '1.2.3.4.5', '2a00::1%eth0', '::g', '1.2.3.4 ', '8.8.8.8\u0000'];
    expect(broken.filter((address) => reachOf(address) !== 'never')).toEqual([]);
  });

  test('are never private where they are link-local, reserved or of several hosts', () => {
    const never = ['169.254.169.254', 'fe80::1', '224.0.0.1', 'ff02::1', '0.0.0.0', '::', '255.255.255.255'];
    expect(never.filter((address) => reachOf(address) === 'private')).toEqual([]);
  });
});

describe('the guarded agent', () => {
  test('dials nothing for more than 400 spellings of hosts that are not public', async () => {
    const urls = spellings.flatMap((host) => [`http://${host}/`, `https://${host}:8443/`]);
    expect(urls.length).toBeGreaterThan(800);
    const { dialled, questions } = await request(urls);
    expect(dialled).toEqual([]);
    // Name servers hear of names alone.
    expect(questions.filter((name) => /^[\d.]+$/.test(name) || name.endsWith('localhost'))).toEqual([]);
  });

  test('dials nothing for a name that leads to a range that is not public', async () => {
    const addresses = ranges.flatMap(({ first, last }) => [first, last]);
    const names = Object.fromEntries(addresses.map((address, at) => [`n${at}.example`, [[address]]]));
    const { dialled, causes } = await request(
      Object.keys(names).map((name) => `http://${name}/`),
      names,
    );
    expect(dialled).toEqual([]);
    expect(causes.filter((cause) => !cause.startsWith('AddressRefused'))).toEqual([]);
  });

  test('dials the address that was checked, with the name for the certificate', async () => {
    const names = { 'docs.example': [['93.184.216.34', '2606:2800::1']], 'six.example': [['2606:2800::1']] };
    const urls = [
      'https://docs.example./a',
      'http://six.example:8080/',
      'http://93.184.216.34/',
      'https://[2606:2800::1]/',
    ];
    const { dialled } = await request(urls, names);
    expect(dialled).toEqual([
      { address: '93.184.216.34', port: '', name: 'docs.example' },
      { address: '2606:2800::1', port: '8080', name: 'six.example' },
      { address: '93.184.216.34', port: '', name: '' },
      { address: '2606:2800::1', port: '', name: '' },
    ]);
  });

  test('refuses a name with one private address among public ones', async () => {
    const names = { 'mixed.example': [['93.184.216.34', '10.0.0.1']], 'six.example': [['93.184.216.34', 'fd00::1']] };
    const { dialled, causes } = await request(['http://mixed.example/', 'http://six.example/'], names);
    expect(dialled).toEqual([]);
    expect(causes[0]).toBe('AddressRefused: mixed.example leads to 10.0.0.1, which is not a public address.');
  });

  test('checks a name again at each connection', async () => {
    const names = { 'rebind.example': [['93.184.216.34'], ['127.0.0.1']] };
    const { dialled, questions } = await request(['http://rebind.example/', 'http://rebind.example/'], names);
    expect(dialled.map(({ address }) => address)).toEqual(['93.184.216.34']);
    expect(questions).toEqual(['rebind.example', 'rebind.example']);
  });

  test('dials a private address only for an internal host with its port', async () => {
    const internal = ['wiki.corp:443', '127.0.0.1:8080', '[::1]:8080', 'app.localhost:8080', 'meta.corp:80'];
    const names = { 'wiki.corp': [['10.1.2.3']], 'meta.corp': [['169.254.169.254']] };
    const allowed = ['https://wiki.corp/', 'http://127.1:8080/', 'http://[::1]:8080/', 'http://app.localhost:8080/'];
    const refused = [
      'http://wiki.corp/',
      'https://wiki.corp:8443/',
      'http://127.0.0.2:8080/',
      'http://localhost:8080/',
      'http://meta.corp/',
    ];
    expect((await request(allowed, names, { internal })).dialled.map(({ address }) => address)).toEqual([
      '10.1.2.3',
      '127.0.0.1',
      '::1',
      '127.0.0.1',
    ]);
    expect((await request(refused, names, { internal })).dialled).toEqual([]);
  });

  test('says when a host does not exist, and when nobody answered', async () => {
    const servers = nameServers({});
    const down = { ...servers, resolve4: () => Promise.reject(Object.assign(new Error('x'), { code: 'ETIMEOUT' })) };
    expect((await request(['http://no.example/'])).causes).toEqual(['LookupError: There is no host no.example.']);
    expect((await request(['http://no.example/'], {}, { servers: down })).causes).toEqual([
      'LookupError: No name server answered for no.example.',
    ]);
  });
});

test('an internal host is written without the dot at its end, in lower case, with its port', () => {
  expect([formatHost('Wiki.Corp.', '443'), formatHost('::1', '80'), formatHost('[::1]', '80')]).toEqual([
    'wiki.corp:443',
    '[::1]:80',
    '[::1]:80',
  ]);
});
