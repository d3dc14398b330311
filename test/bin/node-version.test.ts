// bin/heddle.js on a Node that Heddle does not support, where its own Node is not installed, or not usable.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { pretendVersion } from './older-node.ts';

const root = join(import.meta.dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'heddle-bin-'));
const own = join(folder, 'node_modules', 'node');

// Nothing but the launcher: a Node that fits goes on to a program that is not there.
beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  for (const name of ['bin', 'package.json']) cpSync(join(root, name), join(folder, name), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function launch(version: string, ...args: string[]): { status: number | null; stderr: string } {
  const program = [...pretendVersion(version), join(folder, 'bin', 'heddle.js')];
  return spawnSync(process.execPath, [...program, ...args], { encoding: 'utf8' });
}

function bringNode(version: string, script: string): void {
  mkdirSync(join(own, 'bin'), { recursive: true });
  writeFileSync(join(own, 'package.json'), JSON.stringify({ name: 'node', version }));
  writeFileSync(join(own, 'bin', 'node'), script, { mode: 0o755 });
}

test.each(['18.20.8', '20.0.0', '22.18.0', '23.11.1'])('Node %s is refused with a code and a hint', (version) => {
  const { status, stderr } = launch(version, 'doctor');
  expect([status, stderr.split('\n').length]).toEqual([2, 4]);
  expect(stderr).toContain(
    `error: Heddle needs Node 24 or newer, or 22 from 22.19 on; this is Node ${version} (NODE_V`,
  );
  expect(stderr).toContain(`  where: ${process.execPath}\n  hint: Install Node 24`);
});

test.each(['22.19.0', '24.0.0', '26.1.0'])('Node %s is not refused', (version) => {
  expect(launch(version).stderr).not.toContain('NODE_VERSION');
});

test('the range of the package is the one of the launcher', () => {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { engines: { node: string } };
  expect(engines.node).toBe('^22.19.0 || >=24.0.0');
});

test('with --json the refusal is one object', () => {
  const { status, stderr } = launch('20.0.0', 'status', '--json');
  expect([status, Object.keys((JSON.parse(stderr) as { error: object }).error)]).toEqual([
    2,
    ['code', 'message', 'where', 'hint'],
  ]);
});

test('a --json that belongs to the arguments of a program does not count', () => {
  expect(launch('20.0.0', 'run', '--', '--json').stderr).toMatch(/^error: /);
});

test('an own Node that is unsupported itself is not started', () => {
  bringNode('20.1.0', '#!/bin/sh\nexit 7\n');
  expect(launch('20.0.0').status).toBe(2);
});

test('an own Node whose program was not fetched counts as absent', () => {
  bringNode('24.21.0', '');
  rmSync(join(own, 'bin'), { recursive: true });
  expect(launch('20.0.0').stderr).toContain('(NODE_VERSION)');
});

test('an own Node that cannot be started is named', () => {
  bringNode('24.21.0', '#!/nowhere/at/all\n');
  const { status, stderr } = launch('20.0.0');
  expect([status, stderr]).toEqual([
    2,
    expect.stringContaining(`where: ${join(own, 'bin', 'node')} cannot be started`),
  ]);
});

test('the exit code of the own Node is the one of the command', () => {
  bringNode('24.21.0', '#!/bin/sh\nexit 7\n');
  expect(launch('20.0.0').status).toBe(7);
});
