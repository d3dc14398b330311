// The existence of a place, for callers that decide before anything else happens.
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { mayExist } from '../../../activities/system/may-exist.ts';
import { resolveLinks } from '../../../activities/files/resolve-links.ts';
import { assessShell } from '../../../domain/gates/assess-shell.ts';
import { gateFacts } from '../../domain/gates/support.ts';

const folder = mkdtempSync(join(tmpdir(), 'heddle-may-exist-'));
writeFileSync(join(folder, 'file'), '');
symlinkSync('nowhere', join(folder, 'link'));

afterAll(() => {
  rmSync(folder, { recursive: true });
});

test.each([
  ['a folder', '', true],
  ['a file', 'file', true],
  ['a link that leads nowhere', 'link', true],
  ['nothing', 'other', false],
  ['nothing below a file', 'file/x', false],
  ['a name that no system takes', 'x'.repeat(5_000), true],
])('%s', (_, name, expected) => {
  expect(mayExist(join(folder, name))).toBe(expected);
});

test('the gate asks before git overwrites a file that is there, and lets it switch to a branch', () => {
  const facts = gateFacts({ workspace: folder, resolve: resolveLinks, exists: mayExist });
  expect(assessShell('git checkout file', facts)).toMatchObject({ kind: 'ask', danger: 'history' });
  expect(assessShell('git checkout other', facts).kind).toBe('allow');
});
