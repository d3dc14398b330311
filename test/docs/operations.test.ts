// The names and settings of docs/operations.md are those of the code.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProgram } from '../../client/cli/program/program.ts';
import { Output } from '../../client/cli/shared/output.ts';
import { codecSchema } from '../../domain/schema/codec-schema.ts';
import { loggingSchema } from '../../domain/schema/limits-schema.ts';
import { buildVariableName } from '../../domain/config/environment.ts';
import { counters, histograms } from '../../domain/views/metric-counts.ts';
import { serviceKeys } from '../../domain/config/keys/all-keys.ts';
import { readSettings } from '../../workers/settings/settings.ts';
import { testPorts } from '../client/cli/shared/support.ts';
import { testFolder } from '../support/worker-process.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8');
const page = read('docs', 'operations.md');
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, text]) => text ?? '');
const sources = (room: string): string =>
  readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => read(room, name))
    .join('\n');
const unique = (found: Iterable<RegExpMatchArray>): string[] => [...new Set([...found].map(([name]) => name))].sort();

test('every metric of the source is on the page, and no other', () => {
  const counted = Object.keys(counters).map((name) => `${name}_total`);
  const timed = Object.entries(histograms).map(([name, { unit }]) => `${name}_${unit}`);
  const gauges = unique(sources('workers').matchAll(/\bheddle_\w+(?=')/g)).filter((name) => !(name in histograms));
  expect(unique(page.matchAll(/\bheddle_\w+/g))).toEqual([...counted, ...timed, ...gauges].sort());
});

test('every variable of the page is read', () => {
  const logging = Object.keys(loggingSchema.shape).map((key) => ['logging', key]);
  const codec = Object.keys(codecSchema.shape).map((key) => ['codec', key]);
  const settings = [...serviceKeys.map((key) => [key]), ...logging, ...codec]
    .map((path) => `'${buildVariableName(path)}'`)
    .join();
  const code = `${sources('workers')}${settings}`;
  const names = unique(page.matchAll(/\bHEDDLE_[A-Z_]+/g));
  expect(names.length).toBeGreaterThan(7);
  const compose = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
  const isRead = (name: string): boolean => code.includes(`'${name}'`) || compose.includes(`\${${name}:`);
  expect(names.filter((name) => !isRead(name))).toEqual([]);
});

test('the profile file of the page is one: address, namespace, key and TLS reach client and worker', () => {
  const folder = testFolder();
  const [profile = ''] = blocks('toml');
  const file = join(folder, 'temporal.toml');
  for (const name of ['temporal-ca.pem', 'worker.pem', 'worker.key']) writeFileSync(join(folder, name), name);
  writeFileSync(file, profile.replaceAll('/etc/ssl', folder));
  const { server } = readSettings({ TEMPORAL_CONFIG_FILE: file });
  expect(server).toMatchObject({
    connection: { address: 'temporal.example.org:7233', apiKey: 'read it from a secret store' },
    namespace: 'agents',
  });
  const { tls } = server?.connection ?? {};
  const { serverRootCACertificate, clientCertPair } = tls as {
    serverRootCACertificate: Uint8Array;
    clientCertPair: { crt: Uint8Array; key: Uint8Array };
  };
  const told = [serverRootCACertificate, clientCertPair.crt, clientCertPair.key].map((bytes) =>
    Buffer.from(bytes).toString(),
  );
  expect(told).toEqual(['temporal-ca.pem', 'worker.pem', 'worker.key']);
  // A variable wins over the file.
  const overridden = readSettings({ TEMPORAL_CONFIG_FILE: file, TEMPORAL_NAMESPACE: 'other' });
  expect(overridden.server?.namespace).toBe('other');
});

test('every command of the page exists with its options', () => {
  const { ports } = testPorts();
  const program = createProgram({
    context: { ports, output: new Output(ports, { json: false }) },
    onExit: () => undefined,
    write: () => undefined,
  });
  const lines = blocks('sh')
    .join('\n')
    .split('\n')
    .filter((line) => line.startsWith('heddle '))
    .map((line) => (line.split(/[#|&]|2>/)[0] ?? '').trim().split(/\s+/).slice(1));
  expect(lines.length).toBeGreaterThan(4);
  for (const words of lines) {
    let command = program;
    for (const word of words) command = command.commands.find((candidate) => candidate.name() === word) ?? command;
    expect(command.parent === null ? words : []).toEqual([]);
    const options = command.options.map(({ long }) => long);
    for (const option of words.filter((word) => word.startsWith('--'))) expect(options).toContain(option);
  }
});
