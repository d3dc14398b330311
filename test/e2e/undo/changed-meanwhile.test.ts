// What a person changes in the workspace while an agent's attempt runs, or while its worker is down, is the person's: `heddle undo` names
// it and leaves it.
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HeddleClient, type TaskHandle } from '../../../client/index.ts';
import type { TaskDiff, UndoAnswer } from '../../../domain/types/basic/workspace.ts';
import { Cli } from '../../support/cli.ts';
import { endOf, useRig } from '../../support/rig.ts';
import { calls, finishes, serveScript, writeModels } from '../../support/scripted-models.ts';
import { vouched } from '../../support/vouched.ts';
import { startWorkerProcess, testFolder, type WorkerProcess } from '../../support/worker-process.ts';
import type { ScriptReply } from '../../../activities/llm/scripted/script.ts';

const rig = useRig();
let counter = 0;

interface Scene {
  at: (path: string) => string;
  task: TaskHandle;
  worker: WorkerProcess;
  startWorker: () => Promise<WorkerProcess>;
  cli: Cli;
  /** Resolves when the agent waits for the reply that is held. */
  isHeld: Promise<unknown>;
  release: () => void;
}

const write = (path: string, content: string): [string, unknown] => ['write_file', { path, content }];
const run = (command: string): [string, unknown] => ['shell', { command }];

/** A task whose agent waits in its second model request until the test releases it. */
async function begin(first: ScriptReply, second: ScriptReply, files: Record<string, string>): Promise<Scene> {
  const folder = testFolder();
  const workspace = join(folder, 'workspace');
  mkdirSync(workspace);
  const at = (path: string): string => join(workspace, path);
  for (const [path, content] of Object.entries(files)) writeFileSync(at(path), content);
  const held = Promise.withResolvers<null>();
  const gate = Promise.withResolvers<null>();
  // By what the conversation holds: a request may come again after a crash.
  const { url } = await serveScript(async ({ text }) => {
    if (text.includes('second narration')) return finishes('done');
    if (!text.includes('first narration')) return first;
    held.resolve(null);
    await gate.promise;
    return second;
  });
  writeModels(workspace, url);
  const taskQueue = `meanwhile-${process.pid}-${(counter += 1)}`;
  const home = join(folder, 'home');
  const env = { HEDDLE_HOME: home, HEDDLE_TASK_QUEUE: taskQueue, HEDDLE_HOST: 'one' };
  const startWorker = (): Promise<WorkerProcess> => startWorkerProcess(env);
  const worker = await startWorker();
  const client = new HeddleClient(rig.temporal, { taskQueue });
  const subtasks = [{ id: 'work', description: 'Write the files' }];
  const task = await client.start(vouched({ goal: 'Write', workspace, executor: 'agent', subtasks }));
  rig.adopt(task.workflowId);
  const cli = new Cli({ ...env, TEMPORAL_ADDRESS: rig.address });
  return { at, task, worker, startWorker, cli, isHeld: held.promise, release: () => gate.resolve(null) };
}

const narrate = (text: string): [string, unknown] => ['narrate', { text }];

test('undo names what a person changed while an attempt ran, leaves it, and takes back what the agent did', async () => {
  const { at, task, cli, isHeld, release } = await begin(
    calls(
      write('agent.md', 'by the agent\n'),
      write('shared.md', 'by the agent\n'),
      write('taken.md', 'by the agent\n'),
      run('echo made > by-command.txt; echo made > shared-command.txt'),
      narrate('first narration'),
    ),
    calls(
      write('folder/late.md', 'by the agent\n'),
      run('echo more >> by-command.txt; echo changed > edited-before.txt'),
      narrate('second narration'),
    ),
    {
      'notes.md': 'old\n',
      'shared.md': 'old\n',
      'taken.md': 'old\n',
      'gone.md': 'old\n',
      'edited-before.txt': 'old\n',
    },
  );
  await isHeld;
  writeFileSync(at('notes.md'), 'by a person\n');
  writeFileSync(at('person.md'), 'by a person\n');
  rmSync(at('gone.md'));
  appendFileSync(at('shared.md'), 'and a person\n');
  appendFileSync(at('shared-command.txt'), 'and a person\n');
  writeFileSync(at('edited-before.txt'), 'by a person\n');
  release();
  expect(await endOf(task)).toBe('completed');

  const others = [
    { path: 'gone.md', during: ['work'], shared: false },
    { path: 'notes.md', during: ['work'], shared: false },
    { path: 'person.md', during: ['work'], shared: false },
    { path: 'shared-command.txt', during: ['work'], shared: true },
    { path: 'shared.md', during: ['work'], shared: true },
  ];
  const diff = await cli.jsonHere<TaskDiff>('diff', task.id);
  expect(diff.changedByOthers).toEqual(others);
  expect(diff.files.map(({ path, sure }) => `${path} ${String(sure)}`)).toEqual([
    'agent.md true',
    'by-command.txt true',
    'edited-before.txt true',
    'folder/late.md true',
    'shared-command.txt false',
    'shared.md false',
    'taken.md true',
  ]);
  expect((await cli.here('diff', task.id, '--stat')).stderr).toContain(
    'not its own: person.md (changed by someone else',
  );
  const dry = await cli.here('undo', task.id, '--dry-run');
  expect(dry).toMatchObject({ code: 0 });
  expect(dry.stderr).toContain('left as it is: notes.md (changed by someone else while work ran)');
  expect(dry.stderr).toContain('left as it is: shared.md (changed by work and by someone else while it ran)');
  const undone = await cli.jsonHere<UndoAnswer>('undo', task.id);
  expect(undone.changedByOthers).toEqual(others);
  expect(undone.files.map(({ path, action }) => `${path} ${action}`).sort()).toEqual([
    'agent.md removed',
    'by-command.txt removed',
    'edited-before.txt restored',
    'folder/late.md removed',
    'taken.md restored',
  ]);
  const left = (path: string): string => readFileSync(at(path), 'utf8');
  for (const gone of ['agent.md', 'by-command.txt', 'folder', 'gone.md']) expect(existsSync(at(gone))).toBe(false);
  expect(left('notes.md')).toBe('by a person\n');
  expect(left('person.md')).toBe('by a person\n');
  expect(left('taken.md')).toBe('old\n');
  expect(left('shared.md')).toBe('by the agent\nand a person\n');
  expect(left('shared-command.txt')).toBe('made\nand a person\n');
  // The agent's command overwrote it: undo brings back what the person had written.
  expect(left('edited-before.txt')).toBe('by a person\n');

  // Whoever wants the files of both back says so; those of the person alone stay even then.
  const forced = await cli.jsonHere<UndoAnswer>('undo', task.id, '--force');
  expect(forced.files.map(({ path }) => path).sort()).toEqual(['shared-command.txt', 'shared.md']);
  expect(left('shared.md')).toBe('old\n');
  expect(left('notes.md')).toBe('by a person\n');
}, 120_000);

test('undo leaves what a person changed while the worker was dead', async () => {
  const { at, task, worker, startWorker, cli, isHeld, release } = await begin(
    calls(
      write('agent.md', 'by the agent\n'),
      run('echo made > by-command.txt'),
      write('shared.md', 'by the agent\n'),
      narrate('first narration'),
    ),
    calls(write('late.md', 'by the agent\n'), narrate('second narration')),
    { 'notes.md': 'old\n', 'shared.md': 'old\n' },
  );
  await isHeld;
  await worker.end('SIGKILL');
  writeFileSync(at('notes.md'), 'by a person\n');
  appendFileSync(at('shared.md'), 'and a person\n');
  await startWorker();
  release();
  expect(await endOf(task)).toBe('completed');
  const undone = await cli.jsonHere<UndoAnswer>('undo', task.id);
  expect(undone.changedByOthers).toEqual([
    { path: 'notes.md', during: ['work'], shared: false },
    { path: 'shared.md', during: ['work'], shared: true },
  ]);
  expect(undone.files.map(({ path }) => path).sort()).toEqual(['agent.md', 'by-command.txt', 'late.md']);
  expect(readFileSync(at('notes.md'), 'utf8')).toBe('by a person\n');
  expect(readFileSync(at('shared.md'), 'utf8')).toBe('by the agent\nand a person\n');
}, 120_000);
