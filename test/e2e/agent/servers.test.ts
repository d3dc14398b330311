// Servers of tools in whole tasks: gates before a call, unknown outcomes after it, and nothing that two tasks share.
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TaskHandle } from '../../../client/index.ts';
import type { GateApproval } from '../../../domain/types/decision.ts';
import { decisionOpened, endOf, eventOf, linesOf, useRig } from '../../support/rig.ts';
import { calls, finishes, serveScript, writeModels } from '../../support/scripted-models.ts';
import { serverFile } from '../../activities/mcp/support.ts';

const rig = useRig();
const subtasks = [{ id: 'work', description: 'Do it', deliverables: ['NOTES.md'] }];
const notes: [string, unknown] = ['write_file', { path: 'NOTES.md', content: 'done\n' }];

/** A config with one model, and the server of tests in one of its modes. */
function configure(workspace: string, url: string, mode: string, more = ''): void {
  writeModels(workspace, url);
  const table = `[mcp.test]\ncommand = ["node", "${serverFile}", "${mode}"]\n${more}\n`;
  appendFileSync(join(workspace, 'heddle.toml'), table);
}

async function gateOf(task: TaskHandle, id: string): Promise<GateApproval> {
  const { decision } = await eventOf(task, decisionOpened(id));
  if (decision.kind !== 'approval' || decision.action === undefined) throw new Error(JSON.stringify(decision));
  return decision;
}

test('a reader runs, a change asks and graduates, a destructive one asks each time', async () => {
  const workspace = rig.workspace();
  const { url, requests } = await serveScript([
    calls(['mcp__test__look', {}], ['mcp__test__fail', {}]),
    calls(['mcp__test__add', { line: 'one' }]),
    calls(['mcp__test__add', { line: 'two' }]),
    calls(['mcp__test__wipe', {}]),
    calls(['mcp__test__wipe', {}]),
    calls(notes),
    finishes('work', ['NOTES.md']),
  ]);
  configure(workspace, url, 'good');
  const task = await rig.start({ goal: 'Work', workspace, executor: 'agent', subtasks });
  const first = await gateOf(task, 'work-1');
  expect(first).toMatchObject({
    action: { tool: 'mcp__test__add', arguments: { line: 'one' }, danger: 'tool' },
    signature: 'gate:tool:mcp__test__add',
  });
  expect(requests[1]?.text).toContain('all is well');
  expect(requests[1]?.text).toContain('no such thing');
  expect(linesOf(join(workspace, 'ledger.txt'))).toEqual([]);
  await task.decide({ decisionId: 'work-1', option: 'approve', scope: 'signature', by: 'ana' });
  const second = await gateOf(task, 'work-2');
  expect(second).toMatchObject({ action: { tool: 'mcp__test__wipe', danger: 'destructive' }, signature: null });
  expect(linesOf(join(workspace, 'ledger.txt')).map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
    'add one',
    'add two',
  ]);
  expect(readFileSync(join(workspace, 'ledger.txt'), 'utf8')).toContain(task.id);
  await task.decide({ decisionId: 'work-2', option: 'approve', by: 'ana' });
  await gateOf(task, 'work-3');
  await task.decide({ decisionId: 'work-3', option: 'reject', instruction: 'once is enough', by: 'ana' });
  expect(await endOf(task)).toBe('completed');
  expect(linesOf(join(workspace, 'ledger.txt')).filter((line) => line.startsWith('wipe'))).toHaveLength(1);
});

test('a dead server refuses the task with the last lines of its errors, and an optional one does not', async () => {
  const { url } = await serveScript([calls(notes), finishes('work', ['NOTES.md'])]);
  const workspace = rig.workspace();
  configure(workspace, url, 'dead');
  const plan = { goal: 'Work', workspace, executor: 'agent', subtasks };
  const refused = rig.start(plan).then((task) => task.result());
  await expect(refused).rejects.toMatchObject({
    code: 'MCP_SERVER_FAILED',
    message: expect.stringContaining('first line no database at localhost:1') as unknown,
    where: 'mcp.test',
  });
  configure(workspace, url, 'dead', 'optional = true');
  expect(await endOf(await rig.start(plan))).toBe('completed');
});

test('a call that did not end is told or asked about, and never sent twice', async () => {
  const workspace = rig.workspace();
  const { url, requests } = await serveScript([
    ...['hang_set', 'hang_add', 'die', 'hang_wipe'].map((tool) => calls([`mcp__test__${tool}`, {}])),
    calls(notes),
    finishes('work', ['NOTES.md']),
  ]);
  configure(workspace, url, 'good', 'timeout = "700ms"');
  const rules =
    '[gates]\nallow = ["tool:mcp__test__hang_set", "tool:mcp__test__hang_add", "tool:mcp__test__die", "tool:mcp__test__hang_wipe"]\n';
  appendFileSync(join(workspace, 'heddle.toml'), rules);
  const task = await rig.start({ goal: 'Work', workspace, executor: 'agent', subtasks });
  const { decision } = await eventOf(task, decisionOpened('work-1'));
  expect(decision.problem).toContain('mcp__test__hang_wipe');
  const shown = requests.map(({ text }) => text).join('\n');
  expect(shown).toContain(
    'test did not answer within 0.7 s. It is not known whether it took effect; it may be called again',
  );
  expect(shown).toContain(
    'test did not answer within 0.7 s. It is not known whether it took effect (call `mcp__test__hang_add` of test).',
  );
  expect(shown).toContain('it ended with 3: I am dying');
  await task.decide({ decisionId: 'work-1', option: decision.options[0]?.id ?? '', by: 'ana' });
  expect(await endOf(task)).toBe('completed');
  expect(linesOf(join(workspace, 'ledger.txt')).map((line) => line.split(' ')[0])).toEqual([
    'hang_set',
    'hang_add',
    'die',
    'hang_wipe',
  ]);
});

test('rules forbid a reader, and an executor has only the tools that its patterns fit', async () => {
  const workspace = rig.workspace();
  const { url, requests } = await serveScript([
    calls(['mcp__test__look', {}]),
    calls(['mcp__test__add', {}]),
    calls(notes),
    finishes('work', ['NOTES.md']),
  ]);
  configure(workspace, url, 'good');
  appendFileSync(join(workspace, 'heddle.toml'), '[gates]\ndeny = ["tool:mcp__test__lo*"]\n');
  const executor = { kind: 'agent' as const, tools: ['write_file', 'mcp__test__l*'] };
  const task = await rig.start({ goal: 'Work', workspace, executor, subtasks });
  expect(await endOf(task)).toBe('completed');
  expect(requests[1]?.text).toContain('Refused: A rule of the config forbids it: `tool:mcp__test__lo*`');
  expect(requests[2]?.text).toContain('There is no tool of that name.');
});

test('a tool that no server has refuses the task with the nearest name', async () => {
  const { url } = await serveScript([]);
  const workspace = rig.workspace();
  configure(workspace, url, 'good');
  const executor = { kind: 'agent' as const, tools: ['mcp__test__lok'] };
  const refused = rig.start({ goal: 'Work', workspace, executor, subtasks }).then((task) => task.result());
  await expect(refused).rejects.toMatchObject({
    code: 'PLAN_WRONG_TYPE',
    message: 'There is no tool mcp__test__lok; did you mean mcp__test__look?',
  });
});
