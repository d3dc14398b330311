// The variables that commands hand over for a task: one file for each task, with the newest value of each variable and those before it.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { variablesFile, variablesFolder } from '../../../activities/home/home-layout.ts';
import { HomeSecrets } from '../../../activities/redact/home-secrets.ts';
import {
  forgetVariables,
  handOver,
  noteNames,
  readVariables,
  refreshVariables,
} from '../../../activities/redact/task-variables.ts';

const task = { server: 'one', task: 'a' };

function home(): string {
  const root = mkdtempSync(join(tmpdir(), 'heddle-variables-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

const secretsIn = (root: string, variables: Record<string, string> = {}): HomeSecrets =>
  new HomeSecrets(variables, { root, server: () => Promise.resolve({ id: 'one' }) });

test('a task has what was handed over for it, and of the worker what was not', async () => {
  const root = home();
  handOver(root, task, ['KEY', 'TOKEN'], { KEY: 'handed-over', OTHER: 'not named' });
  const worker = secretsIn(root, { KEY: 'of the worker', TOKEN: 'worker-token', OTHER: 'worker-other' });
  const secrets = await worker.ofTask('a');
  expect(secrets.valuesOf(['KEY', 'TOKEN', 'OTHER?'])).toEqual({
    values: { KEY: 'handed-over', TOKEN: 'worker-token', OTHER: 'worker-other' },
    missing: [],
  });
  expect((await worker.ofTask('b')).value('KEY')).toBe('of the worker');
});

test('a task of another server with the same id has values of its own', async () => {
  const root = home();
  handOver(root, { ...task, server: 'two' }, ['KEY'], { KEY: 'of the other' });
  expect((await secretsIn(root).ofTask('a')).value('KEY')).toBeUndefined();
});

test('an answer brings new values, a variable that is not set or empty keeps its value, and all are redacted', async () => {
  const root = home();
  handOver(root, task, ['KEY', 'TOKEN', 'THIRD'], { KEY: 'first-value', TOKEN: 'token-value', THIRD: 'third-value' });
  const secrets = await secretsIn(root, { KEY: 'worker-value' }).ofTask('a');
  refreshVariables(root, task, { KEY: 'second-value', THIRD: '', OTHER: 'other-value' });
  expect(secrets.valuesOf(['KEY', 'TOKEN', 'THIRD']).values).toEqual({
    KEY: 'second-value',
    TOKEN: 'token-value',
    THIRD: 'third-value',
  });
  expect(secrets.redactor(['KEY?']).text('first-value second-value worker-value')).toBe('[KEY] [KEY] [KEY]');
  expect(readFileSync(variablesFile(root, task), 'utf8')).not.toContain('other-value');
});

test('an answer brings variables that the worker has noted for a task of another client', async () => {
  const root = home();
  refreshVariables(root, task, { KEY: 'too-early' });
  const secrets = await secretsIn(root).ofTask('a');
  secrets.noteNames(['KEY']);
  expect(secrets.value('KEY')).toBeUndefined();
  refreshVariables(root, task, { KEY: 'answered' });
  secrets.noteNames(['KEY']);
  expect(secrets.value('KEY')).toBe('answered');
});

test('what was handed over for a task that was not started is taken back', () => {
  const root = home();
  handOver(root, task, ['KEY'], { KEY: 'of the open task' });
  const before = readVariables(root, task);
  const takeBack = handOver(root, task, ['KEY'], { KEY: 'refused' });
  takeBack();
  expect(readVariables(root, task)).toEqual(before);
  handOver(root, { ...task, task: 'b' }, ['KEY'], { KEY: 'refused' })();
  expect(readVariables(root, { ...task, task: 'b' })).toBeUndefined();
});

test('only the owner can read the file, and nothing is left of it at the end', () => {
  const root = home();
  handOver(root, task, ['KEY'], { KEY: 'value' });
  expect([statSync(variablesFolder(root)).mode & 0o777, statSync(variablesFile(root, task)).mode & 0o777]).toEqual([
    0o700, 0o600,
  ]);
  forgetVariables(root, task);
  refreshVariables(root, task, { KEY: 'late' });
  expect(readdirSync(variablesFolder(root))).toEqual(['lock.db']);
});

test('a damaged file is an error that names it, and goes at the end of the task', () => {
  const root = home();
  noteNames(root, task, ['KEY']);
  const path = variablesFile(root, task);
  writeFileSync(path, '{');
  expect(() => readVariables(root, task)).toThrow(expect.objectContaining({ code: 'STORE_DAMAGED', where: path }));
  forgetVariables(root, task);
  expect(readVariables(root, task)).toBeUndefined();
});
