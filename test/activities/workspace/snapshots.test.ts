// Snapshots under bad conditions: no git, no time, kills, several processes, large files; and what activities take.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, onTestFinished } from 'vitest';
import { diffTask } from '../../../activities/workspace/undo/diff-task.ts';
import { filesOfAttempt } from '../../../activities/workspace/snapshots/files-of-attempt.ts';
import { forgetSnapshots } from '../../../activities/workspace/snapshots/forget-task.ts';
import { Journal } from '../../../activities/workspace/snapshots/journal.ts';
import { changes } from '../../../activities/workspace/git/tree-changes.ts';
import { readBlob } from '../../../activities/workspace/git/read-blob.ts';
import { openRepository, recordSnapshot, snapshotNow } from '../../../activities/workspace/snapshots/snapshots.ts';
import { undoTask } from '../../../activities/workspace/undo/undo-task.ts';
import { withWorkspaceLock } from '../../../activities/workspace/snapshots/workspace-lock.ts';
import { activityLimits } from '../../../activities/limits/activity-limits.ts';
import { EnvironmentSecrets } from '../../../activities/redact/secrets.ts';
import { activityEnvironment, eventually, makeRig } from '../execute/program/support.ts';
import { VerifyRig } from '../verify/rig.ts';
import { fingerprint, git, makeWorkspace, refusalOf, write, type WorkspaceRig } from './support.ts';

function helper(what: string, rig: WorkspaceRig, task: string): { child: ChildProcess; code: Promise<number | null> } {
  const script = join(import.meta.dirname, 'support-undo.ts');
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', script, what, rig.parts.root, rig.workspace, task],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, code: new Promise((resolve) => child.once('close', resolve)) };
}

const far = (): number => performance.now() + 60_000;

test('an undo that is killed in the middle can be run again and comes to the same end', async () => {
  const rig = await makeWorkspace();
  const names = Array.from({ length: 400 }, (_, index) => `folder-${index % 20}/file-${index}`);
  for (const [index, path] of names.entries()) if (index % 2 === 0) write(rig.at(path), `before ${index}\n`);
  const before = fingerprint(rig.workspace, { folders: true });
  await rig.run('a', () => {
    for (const [index, path] of names.entries()) write(rig.at(path), `after ${index}\n`);
  });
  const undoing = helper('undo', rig, 't');
  await eventually(() => names.some((path) => !existsSync(rig.at(path))));
  undoing.child.kill('SIGKILL');
  await undoing.code;
  expect(fingerprint(rig.workspace, { folders: true })).not.toEqual(before);
  // Somebody else's attempt in between sees the half of it as what it is: work of the undo.
  await rig.run('x', () => write(rig.at('other'), 'o'), [], 'other');
  await rig.undo();
  rmSync(rig.at('other'));
  expect(fingerprint(rig.workspace, { folders: true })).toEqual(before);
  expect((await rig.undo()).files).toEqual([]);
});

test('several processes take their snapshots of one workspace one at a time', async () => {
  const rig = await makeWorkspace();
  write(rig.at('file'), 'x');
  const helpers = ['p', 'q'].map((task) => helper('snapshot', rig, task));
  expect(await Promise.all(helpers.map(({ code }) => code))).toEqual([0, 0]);
  const repository = openRepository(rig.parts, rig.workspace);
  const marks = Journal.with(repository.folder, undefined, (journal) => journal.marks());
  expect(marks).toHaveLength(4);
  expect(new Set(marks.map(({ tree }) => tree)).size).toBe(1);
});

test('waits for another process that is at work in the workspace, and no longer when that is killed', async () => {
  const rig = await makeWorkspace();
  const holder = helper('hold', rig, 't');
  await eventually(() => existsSync(rig.at('held')));
  const { folder } = openRepository(rig.parts, rig.workspace);
  const soon = performance.now() + 300;
  await expect(withWorkspaceLock(folder, soon, () => Promise.resolve())).rejects.toThrow('kept the workspace locked');
  holder.child.kill('SIGKILL');
  await holder.code;
  expect(await withWorkspaceLock(folder, far(), () => Promise.resolve('mine'))).toBe('mine');
});

test('an empty workspace costs no process of git, and is a state to go back to', async () => {
  const rig = await makeWorkspace();
  const moment = {
    writer: { task: 't', subtask: 'a', undo: false },
    attempt: 1,
    declared: [],
    moment: 'start' as const,
  };
  expect(await recordSnapshot({ ...rig.parts, environment: { PATH: '/nonexistent' } }, rig.workspace, moment)).toBe(
    undefined,
  );
  write(rig.at('made/f'), '1');
  await rig.end('a');
  expect((await rig.diff('a')).diff.files.map(({ path }) => path)).toEqual(['made/f']);
  await rig.run('b', () => rmSync(rig.at('made'), { recursive: true }));
  await rig.run('c', () => write(rig.at('g'), '2'));
  const { gitDir } = openRepository(rig.parts, rig.workspace);
  expect(git(rig.workspace, '--git-dir', gitDir, 'fsck', '--full', '--strict')).toBe('');
  await rig.undo();
  expect(readdirSync(rig.workspace)).toEqual([]);
}, 60_000);

test('without git an attempt goes on, the gap is told, and undo refuses', async () => {
  const rig = await makeWorkspace();
  const parts = { ...rig.parts, environment: { PATH: '/nonexistent' } };
  write(rig.at('here'), '1');
  const moment = { writer: { task: 't', subtask: 'a', undo: false }, attempt: 1, declared: [] };
  expect(await recordSnapshot(parts, rig.workspace, { ...moment, moment: 'start' })).toBe('git was not found');
  write(rig.at('f'), '1');
  expect(await recordSnapshot(parts, rig.workspace, { ...moment, moment: 'end' })).toBe('git was not found');
  expect((await rig.diff()).diff.gaps).toMatchObject([
    { subtask: 'a', moment: 'start', reason: 'git was not found' },
    { subtask: 'a', moment: 'end' },
  ]);
  expect(await refusalOf(rig.undo())).toMatchObject({ code: 'UNDO_NOT_COVERED' });
  // With git there again, what ran before is as unknown as it was.
  await rig.run('b', () => write(rig.at('g'), '1'));
  expect(await refusalOf(rig.undo())).toMatchObject({ code: 'UNDO_NOT_COVERED' });
  expect((await rig.undo('b')).files).toEqual([{ path: 'g', action: 'removed' }]);
});

test('a gap makes what changed around it doubtful, and nothing else', async () => {
  const rig = await makeWorkspace();
  await rig.run('a', () => write(rig.at('sure'), '1'));
  write(rig.at('by-hand'), '1');
  const broken = { ...rig.parts, environment: { PATH: '/nonexistent' } };
  const moment = { writer: { task: 't', subtask: 'b', undo: false }, attempt: 1, declared: [] };
  await recordSnapshot(broken, rig.workspace, { ...moment, moment: 'start' });
  write(rig.at('doubtful'), '1');
  await rig.end('b');
  const refusal = await refusalOf(rig.undo());
  expect(refusal).toMatchObject({ code: 'UNDO_CONFLICT', files: ['by-hand', 'doubtful'] });
  expect(refusal?.text).toContain('doubtful was changed by b or someone else');
  expect((await rig.undo('a')).files).toEqual([{ path: 'sure', action: 'removed' }]);
});

test('a snapshot that gets no turn in time gives up, and the next one works', async () => {
  const rig = await makeWorkspace();
  const repository = openRepository(rig.parts, rig.workspace);
  const release = Promise.withResolvers<undefined>();
  const holding = withWorkspaceLock(repository.folder, far(), () => release.promise);
  const writer = { task: 't', subtask: 'a', undo: false };
  const moment = { writer, attempt: 1, declared: [], moment: 'start' as const };
  expect(await recordSnapshot(rig.parts, rig.workspace, moment, { timeout: 200 })).toContain(
    'kept the workspace locked',
  );
  release.resolve(undefined);
  await holding;
  expect(await recordSnapshot(rig.parts, rig.workspace, moment)).toBeUndefined();
});

test('what a killed snapshot left behind is no obstacle, and loses no mode', async () => {
  const rig = await makeWorkspace();
  write(rig.at('private'), 'x', 0o600);
  write(rig.at('other'), 'x');
  await rig.start('a');
  const repository = openRepository(rig.parts, rig.workspace);
  // As if it had died after it wrote its index and before it wrote the journal.
  write(rig.at('late'), 'y', 0o600);
  await withWorkspaceLock(repository.folder, far(), () => snapshotNow(repository, far()));
  writeFileSync(`${repository.index}.lock`, '');
  await rig.end('a');
  const before = fingerprint(rig.workspace);
  await rig.run('b', () => {
    rmSync(rig.at('private'));
    rmSync(rig.at('late'));
  });
  await rig.undo('b');
  expect(fingerprint(rig.workspace)).toEqual(before);
});

test('keeps large files outside: one that a task made stays and is named, one that grew goes back; a change of mode alone is found', async () => {
  const rig = await makeWorkspace();
  // In the second in which the file was made.
  write(rig.at('f'), 'x', 0o644);
  write(rig.at('grows'), 'small\n');
  write(rig.at('mine'), '');
  truncateSync(rig.at('mine'), activityLimits.workspace.fileBytes + 1);
  await rig.run('a', () => {
    truncateSync(rig.at('grows'), activityLimits.workspace.fileBytes + 1);
    write(rig.at('made'), '');
    truncateSync(rig.at('made'), activityLimits.workspace.fileBytes + 1);
    write(rig.at('mine'), 'cut');
    write(rig.at('f'), 'x', 0o640);
  });
  const answer = await rig.undo();
  expect(answer.files).toEqual([
    { path: 'grows', action: 'restored' },
    { path: 'f', action: 'mode' },
  ]);
  expect(fingerprint(rig.workspace)['/f']).toMatch(/^644 /);
  expect(answer.outside.map(({ path }) => path).sort()).toEqual(['made', 'mine']);
  expect(existsSync(rig.at('made'))).toBe(true);
});

test('finds what is new where only some folders are searched, in time of old and of young folders', async () => {
  const rig = await makeWorkspace();
  for (const path of ['a/b/f', 'c/f', 'd/e/f', 'a/secret']) write(rig.at(path), '0');
  write(rig.at('.gitignore'), 'secret\n');
  mkdirSync(rig.at('empty'));
  await rig.run('a', () => undefined);
  // Old enough for their times to be trusted.
  await sleep(activityLimits.workspace.recent + 200);
  await rig.run('a', () => undefined);
  const before = fingerprint(rig.workspace, { folders: true });
  const changedPaths = async (subtask: string): Promise<string[]> =>
    (await rig.diff(subtask)).diff.files.map(({ path }) => path);
  // No folder's time tells of a rule that was edited.
  await rig.run('rules', () => write(rig.at('.gitignore'), '\n'));
  expect((await rig.diff('rules')).diff.outside).toEqual([{ path: 'a/secret', why: 'was-ignored' }]);
  await rig.run('b', () => {
    write(rig.at('a/b/new'), '1');
    write(rig.at('c/made/deep/new'), '1');
    write(rig.at('empty/new'), '1');
    rmSync(rig.at('d'), { recursive: true });
  });
  expect(await changedPaths('b')).toEqual(['a/b/new', 'c/made/deep/new', 'd/e/f', 'empty/new']);
  await rig.run('c', () => {
    write(rig.at('c/made/deep/newer'), '1');
    write(rig.at('c/.gitignore'), 'hidden\n');
    write(rig.at('c/hidden'), '1');
    write(rig.at('root'), '1');
  });
  expect(await changedPaths('c')).toEqual(['c/.gitignore', 'c/made/deep/newer', 'root']);
  rmSync(rig.at('c/hidden'));
  await rig.undo();
  expect(fingerprint(rig.workspace, { folders: true })).toEqual(before);
});

test('takes only what is new when Heddle’s home lies in the workspace', async () => {
  const rig = await makeWorkspace();
  const parts = { ...rig.parts, root: rig.at('.heddle [home]') };
  const moment = { writer: { task: 't', subtask: 'a', undo: false }, attempt: 1, declared: [] };
  await recordSnapshot(parts, rig.workspace, { ...moment, moment: 'start' });
  write(rig.at('f'), '1');
  await recordSnapshot(parts, rig.workspace, { ...moment, moment: 'end' });
  const answer = await diffTask(parts, { task: 't', subtask: null });
  expect(answer?.diff.files.map(({ path }) => path)).toEqual(['f']);
});

test('an attempt that a crash made start again is undone to before its first start', async () => {
  const rig = await makeRig(process.env);
  write(join(rig.workspace, 'f'), 'before');
  const parts = { root: rig.root, environment: process.env };
  const writer = { task: 't1', subtask: 'draft', undo: false };
  await recordSnapshot(parts, rig.workspace, { writer, attempt: 1, moment: 'start', declared: [] });
  write(join(rig.workspace, 'f'), 'half done when the worker died');
  await rig.execute({ run: ['sh', '-c', 'echo done > f; echo new > g'] });
  await undoTask(parts, { task: 't1', subtask: null });
  expect(Object.keys(fingerprint(rig.workspace))).toEqual(['/f']);
  write(join(rig.workspace, 'expected'), 'before');
  const after = fingerprint(rig.workspace);
  expect(after['/f']).toBe(after['/expected']);
});

test('a cancelled attempt is closed: what the user does afterwards is not its own', async () => {
  const rig = await makeRig(process.env);
  const environment = activityEnvironment();
  const ended = rig
    .execute({ run: ['sh', '-c', 'echo x > f; sleep 60'] }, environment)
    .catch((error: unknown) => error);
  await eventually(() => existsSync(join(rig.workspace, 'f')));
  environment.cancel();
  await ended;
  write(join(rig.workspace, 'mine'), 'x');
  const parts = { root: rig.root, environment: process.env };
  expect((await undoTask(parts, { task: 't1', subtask: null }))?.files).toEqual([{ path: 'f', action: 'removed' }]);
});

test('a verify command that writes is seen; checks that only look take no snapshot', async () => {
  const rig = await VerifyRig.make();
  onTestFinished(() => rig.remove());
  const parts = { root: rig.home, environment: process.env };
  const secrets = new EnvironmentSecrets(process.env);
  await rig.verify({}, { secrets });
  expect(existsSync(join(rig.home, 'workspaces'))).toBe(false);
  await rig.verify({ verify: ['echo x > made'] }, { secrets });
  const answer = await diffTask(parts, { task: 'demo', subtask: 'draft' });
  expect(answer?.diff.files.map(({ path }) => path)).toEqual(['made']);
});

test('forgets a task: its bytes go, and another task of the same time stays as it was', async () => {
  const rig = await makeWorkspace();
  await rig.run('a', () => write(rig.at('f'), 'only in the first task\n'), [], 'old');
  rmSync(rig.at('f'));
  await rig.start('b', [], 'kept');
  write(rig.at('g'), '1');
  await rig.run('c', () => write(rig.at('h'), '1'), [], 'between');
  await rig.end('b', [], 'kept');
  const repository = openRepository(rig.parts, rig.workspace);
  const objects = async (): Promise<number> =>
    (await readdir(join(repository.gitDir, 'objects'), { recursive: true })).length;
  const many = await objects();
  expect(await forgetSnapshots(rig.parts, 'old', () => true)).toBe(true);
  expect(await forgetSnapshots(rig.parts, 'between', () => true)).toBe(true);
  expect(await forgetSnapshots(rig.parts, 'old', () => true)).toBe(false);
  expect(await objects()).toBeLessThan(many);
  expect(await refusalOf(rig.undo(undefined, {}, 'kept'))).toMatchObject({ code: 'UNDO_CONFLICT', files: ['h'] });
  await rig.run('d', () => write(rig.at('i'), '1'), [], 'later');
  expect((await rig.undo(undefined, {}, 'later')).files).toEqual([{ path: 'i', action: 'removed' }]);
  expect(git(rig.workspace, '--git-dir', repository.gitDir, 'fsck', '--full', '--no-dangling')).toBe('');
});

test('gives others what they need: trees to compare and files to read from them', async () => {
  const rig = await makeWorkspace();
  write(rig.at('a'), 'one', 0o600);
  write(rig.at('d/b'), 'two', 0o755);
  const repository = openRepository(rig.parts, rig.workspace);
  const take = () => withWorkspaceLock(repository.folder, far(), () => snapshotNow(repository, far()));
  const first = await take();
  write(rig.at('a'), 'three');
  rmSync(rig.at('d'), { recursive: true });
  write(rig.at('new/c'), 'four');
  const second = await take();
  const changed = await changes(repository, first, second, far());
  expect(changed.map(({ path }) => path).sort()).toEqual(['a', 'd/b', 'new/c']);
  const oid = changed.find(({ path }) => path === 'a')?.before.split(' ')[1] ?? '';
  expect((await readBlob(repository, oid, far())).toString()).toBe('one');
});

test('what agent programs leave in a workspace for themselves is no work of a subtask', async () => {
  const rig = await makeWorkspace();
  await rig.run('a', () => {
    write(rig.at('notes.md'), 'work\n');
    write(rig.at('.aider.chat.history.md'), 'the whole prompt\n');
    write(rig.at('.aider.tags.cache.v4/cache.db'), 'binary');
    write(rig.at('.aider.conf.yml'), 'model: x\n');
  });
  const { diff } = await rig.diff('a');
  expect(diff.files.map(({ path }) => path).sort()).toEqual(['.aider.conf.yml', 'notes.md']);
});

test('an attempt does not name files of another that ran around it, even when that has ended before anybody looks', async () => {
  const rig = await makeWorkspace();
  const filesOf = async (subtaskId: string): Promise<string[]> => {
    const about = { taskId: 't', subtaskId, attempt: 1, workspace: rig.workspace };
    return (await filesOfAttempt(rig.parts, about)).map(({ path }) => path);
  };
  await rig.start('outer');
  await rig.run('inner', () => {
    write(rig.at('of-outer'), 'x');
    write(rig.at('of-inner'), 'x');
  });
  expect(await filesOf('inner')).toEqual([]);
  await rig.end('outer');
  expect(await filesOf('inner')).toEqual([]);
  await rig.run('alone', () => write(rig.at('of-alone'), 'x'));
  await rig.run('later', () => write(rig.at('of-later'), 'x'));
  expect(await filesOf('alone')).toEqual(['of-alone']);
  expect(await filesOf('inner')).toEqual([]);
});
