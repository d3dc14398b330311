// Leases of a folder: one open task, those that share, and never a task that has ended.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { forgetLeases, takeLease } from '../../../activities/prepare/workspace-lease.ts';
import { HeddleError } from '../../../domain/errors/heddle-error.ts';

const folder = mkdtempSync(join(tmpdir(), 'heddle-lease-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
const newFile = (): string => join(folder, `${(files += 1)}`, 'leases.db');

const here = { id: 'server-1', namespace: 'default' };
const elsewhere = { id: 'server-2', namespace: 'fleet' };
const lease = (taskId: string, workspace: string, share = false, server = here) => ({
  ...{ taskId, server, workflowId: `task-${taskId}`, workspace, share },
});

async function refusal(taken: Promise<void>): Promise<HeddleError | undefined> {
  try {
    await taken;
    return undefined;
  } catch (error) {
    if (error instanceof HeddleError) return error;
    throw error;
  }
}

const open = (): Promise<boolean> => Promise.resolve(true);

describe('two tasks', () => {
  test.each([
    ['/repo', '/repo', true],
    ['/repo', '/repo/packages/a', true],
    ['/repo/packages/a', '/repo', true],
    ['/repo', '/repository', false],
    ['/repo/a', '/repo/b', false],
    ['/', '/repo', true],
  ])('in %s and %s meet: %s', async (first, second, meet) => {
    const file = newFile();
    await takeLease(file, lease('one', first), open);
    const refused = await refusal(takeLease(file, lease('two', second), open));
    expect(refused?.code).toBe(meet ? 'WORKSPACE_BUSY' : undefined);
    if (meet) expect(refused?.message).toContain('the task one');
  });

  test('a second one that shares is let in, and a third one that does not is refused as long as one of both is open', async () => {
    const file = newFile();
    await takeLease(file, lease('one', '/repo'), open);
    await takeLease(file, lease('two', '/repo', true), open);
    const oneEnded = (id: string): Promise<boolean> => Promise.resolve(id !== 'task-one');
    expect((await refusal(takeLease(file, lease('three', '/repo'), oneEnded)))?.message).toContain('the task two');
    const bothEnded = (): Promise<boolean> => Promise.resolve(false);
    expect(await refusal(takeLease(file, lease('three', '/repo'), bothEnded))).toBeUndefined();
    expect((await refusal(takeLease(file, lease('four', '/repo'), open)))?.message).toContain('the task three');
  });

  test('a task that asks again has its own lease', async () => {
    const file = newFile();
    await takeLease(file, lease('one', '/repo'), open);
    expect(await refusal(takeLease(file, lease('one', '/repo'), open))).toBeUndefined();
  });

  test('when Temporal cannot be asked, nothing is taken and nothing is freed', async () => {
    const file = newFile();
    await takeLease(file, lease('one', '/repo'), open);
    const unreachable = (): Promise<boolean> => Promise.reject(new Error('unreachable'));
    await expect(takeLease(file, lease('two', '/repo'), unreachable)).rejects.toThrow('unreachable');
    expect((await refusal(takeLease(file, lease('three', '/repo'), open)))?.message).toContain('the task one');
  });
});

describe('two servers on one home', () => {
  const notFound = (): Promise<boolean> => Promise.resolve(false);

  test('a task that this server does not know holds its folder, and is named', async () => {
    const file = newFile();
    await takeLease(file, lease('far', '/repo', false, elsewhere), open);
    const refused = await refusal(takeLease(file, lease('near', '/repo'), notFound));
    expect(refused?.code).toBe('WORKSPACE_BUSY');
    expect(refused?.message).toContain('the task far of another Temporal server (namespace fleet, id server-2)');
    expect(refused?.hint).toContain(file);
    expect(await refusal(takeLease(file, lease('near', '/repo', true), notFound))).toBeUndefined();
  });

  test('the same workflow id of both are two tasks', async () => {
    const file = newFile();
    await takeLease(file, lease('same', '/repo', false, elsewhere), open);
    expect((await refusal(takeLease(file, lease('same', '/repo'), notFound)))?.code).toBe('WORKSPACE_BUSY');
  });

  test('what a server held that is gone for good is given up, and nothing else', async () => {
    const file = newFile();
    await takeLease(file, lease('far', '/repo', false, elsewhere), open);
    await takeLease(file, lease('other', '/other'), open);
    forgetLeases(file, elsewhere);
    expect(await refusal(takeLease(file, lease('near', '/repo'), notFound))).toBeUndefined();
    expect((await refusal(takeLease(file, lease('next', '/other'), open)))?.message).toContain('the task other');
  });
});

test('of many that come at once, in several processes, one gets the folder', async () => {
  const file = newFile();
  const code = `
    import { takeLease } from ${JSON.stringify(join(import.meta.dirname, '../../../activities/prepare/workspace-lease.ts'))};
    const all = Array.from({ length: 10 }, (_, n) => process.pid + '-' + n).map((taskId) =>
      takeLease(${JSON.stringify(file)}, { taskId, server: { id: 's', namespace: 'n' }, workflowId: taskId, workspace: '/repo', share: false }, async () => true).then(() => 1, (e) => e.code));
    console.log(JSON.stringify(await Promise.all(all)));`;
  const runs = Array.from({ length: 4 }, () =>
    promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', code]),
  );
  const answers = (await Promise.all(runs)).flatMap(({ stdout }) => JSON.parse(stdout) as (number | string)[]);
  expect(answers.filter((answer) => answer === 1)).toHaveLength(1);
  expect(answers.filter((answer) => answer === 'WORKSPACE_BUSY')).toHaveLength(39);
});
