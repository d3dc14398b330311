// A sandbox is found by running it: each reason why there is none has its words; and each mode draws its own conclusion.
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Redactor } from '../../../activities/redact/redactor.ts';
import { findSandbox, probeSandbox, type Sandbox } from '../../../activities/sandbox/find-sandbox.ts';
import { openCommands } from '../../../activities/sandbox/open-commands.ts';
import type { SandboxSetting } from '../../../domain/types/basic/gate.ts';
import { temporaryFolder } from '../execute/program/support.ts';
import { bubblewrap } from './support.ts';

/** A program of that name which says and does as it is told. */
async function pathWith(script: string): Promise<string> {
  const folder = await temporaryFolder();
  writeFileSync(
    join(folder, 'bwrap'),
    `#!/bin/sh\nif [ "$1" = --version ]; then echo bubblewrap 0.6.1; exit; fi\n${script}\n`,
  );
  chmodSync(join(folder, 'bwrap'), 0o755);
  return folder;
}

test.runIf(process.platform === 'linux').each([
  [
    'echo "bwrap: Creating new namespace failed: Operation not permitted" >&2; exit 1',
    'bubblewrap is installed, but the system does not allow it to separate programs (bwrap: Creating new namespace failed: Operation not permitted)',
  ],
  [
    'echo "bwrap: setting up uid map: Permission denied" >&2; exit 1',
    'bubblewrap is installed, but the system does not allow it to separate programs (bwrap: setting up uid map: Permission denied)',
  ],
  [
    'echo "bwrap: Unknown option --disable-userns" >&2; exit 1',
    'bubblewrap 0.6.1 is too old, one of 2024 or later is needed (bwrap: Unknown option --disable-userns)',
  ],
  ['echo broken >&2; exit 1', 'bubblewrap is installed, but does not work here (broken)'],
  ['exit 1', 'bubblewrap is installed, but does not work here (it ended without a word)'],
])('one that ends with %s', async (script, why) => {
  expect(await probeSandbox(await pathWith(script))).toEqual({ kind: 'none', why });
});

test.runIf(process.platform === 'linux')('where none is installed, it is said', async () => {
  const none = { kind: 'none', why: 'bubblewrap is not installed' };
  expect(await probeSandbox(await temporaryFolder())).toEqual(none);
  expect(await probeSandbox(undefined)).toEqual(none);
});

test.skipIf(bubblewrap === undefined)('one that works is found once', async () => {
  expect(await findSandbox()).toEqual({
    kind: 'bubblewrap',
    program: bubblewrap,
    version: expect.stringMatching(/^bubblewrap \d/) as string,
  });
  expect(findSandbox()).toBe(findSandbox());
});

describe('modes', () => {
  const none: Sandbox = { kind: 'none', why: 'bubblewrap is not installed' };

  async function whereIn(mode: SandboxSetting['mode'], sandbox?: Sandbox): Promise<[boolean, string]> {
    const workspace = await temporaryFolder();
    const place = { workspace, readRoots: [], hidden: [], mark: 'HEDDLE_TEST_MARK=modes', redactor: Redactor.none };
    const find = (): Promise<Sandbox> => Promise.resolve(sandbox ?? none);
    const port = await openCommands({ mode, network: false }, { ...place, environment: process.env }, find);
    const argv = ['sh', '-c', 'if [ "$HOME" = /tmp/home ]; then echo inside; else echo beside; fi'];
    const result = await port.run({ argv, timeout: 20_000, signal: new AbortController().signal });
    return [port.sandboxed, result.kind === 'exited' ? result.output.head.trim() : JSON.stringify(result)];
  }

  test.skipIf(bubblewrap === undefined)('with a sandbox', async () => {
    const sandbox: Sandbox = { kind: 'bubblewrap', program: bubblewrap ?? '', version: '' };
    expect(await whereIn('auto', sandbox)).toEqual([true, 'inside']);
    expect(await whereIn('require', sandbox)).toEqual([true, 'inside']);
    expect(await whereIn('container', sandbox)).toEqual([true, 'beside']);
    expect(await whereIn('off', sandbox)).toEqual([false, 'beside']);
  });

  test('without one, `require` runs nothing', async () => {
    const why = 'The config requires a sandbox, and there is none here: bubblewrap is not installed.';
    expect(await whereIn('auto')).toEqual([false, 'beside']);
    expect(await whereIn('container')).toEqual([true, 'beside']);
    expect(await whereIn('off')).toEqual([false, 'beside']);
    expect(await whereIn('require')).toEqual([true, JSON.stringify({ kind: 'not-started', why })]);
  });

  test.skipIf(bubblewrap === undefined)('one that stops working starts nothing', async () => {
    const program = join(await pathWith('echo "bwrap: no more namespaces" >&2; exit 1'), 'bwrap');
    const [, answer] = await whereIn('auto', { kind: 'bubblewrap', program, version: '' });
    expect(answer).toBe(JSON.stringify({ kind: 'not-started', why: 'bwrap: no more namespaces' }));
  });
});
