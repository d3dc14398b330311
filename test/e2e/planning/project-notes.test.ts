// AGENTS.md of a trusted workspace is told to the planner and to agents, the same in each attempt, and without secrets.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderIdentity } from '../../../activities/config/folder-identity.ts';
import { endOf, useRig } from '../../support/rig.ts';
import { finishes, playModels, plans, type Entry } from './support.ts';

const rig = useRig();

const notes = 'House rule: two spaces. Token: sk-abcdefghij0123456789abcdefghij\n';
/** The notes as a model must see them. */
const redacted = 'House rule: two spaces. Token: [api-key]';

const withNotes = (entry: Entry): Entry => ({ ...entry, when: { ...entry.when, contains: redacted } });

function prepared(script: Entry[]): string {
  const workspace = rig.workspace();
  playModels(workspace, script);
  writeFileSync(join(workspace, 'AGENTS.md'), notes);
  return workspace;
}

test('planner and agents are told the notes of a trusted workspace', async () => {
  const plan = {
    subtasks: [{ id: 'look', description: 'Look around', executor: { kind: 'agent', tools: ['read_file'] } }],
  };
  const workspace = prepared([...plans(plan).map(withNotes), withNotes(finishes('look'))]);
  const config = { folder: await folderIdentity(workspace) };
  const task = await rig.start({ goal: 'Look around', workspace, config, allowUnchecked: true });
  expect([await endOf(task), (await task.status()).summary]).toEqual(['completed', expect.any(String)]);
});

test('a later attempt is told the same notes, though the file has changed', async () => {
  const write: Entry = {
    when: { role: 'executor', subtask: 'work', attempt: 2, turn: 1 },
    reply: { calls: [{ tool: 'write_file', input: { path: 'done.txt', content: 'x' } }] },
  };
  const workspace = prepared([finishes('work'), write, finishes('work', 2, 2)].map(withNotes));
  const config = { folder: await folderIdentity(workspace) };
  const verify = ['echo "House rule: tabs" > AGENTS.md; test -f done.txt'];
  const subtasks = [{ id: 'work', executor: 'agent', verify, verifyOutside: true }];
  const task = await rig.start({ goal: 'Work', workspace, config, subtasks });
  expect(await endOf(task)).toBe('completed');
  expect(await task.attempts()).toMatchObject([{ outcome: 'failed' }, { outcome: 'passed' }]);
});

test('an agent in a workspace that nobody trusts is told no notes', async () => {
  const workspace = prepared([withNotes(finishes('work'))]);
  const task = await rig.start({
    goal: 'Work',
    workspace,
    subtasks: [{ id: 'work', executor: 'agent' }],
    ladder: [{ tier: 'assigned' }],
  });
  expect(await endOf(task)).toBe('failed');
  expect((await task.attempts())[0]?.summary).toContain('script');
});
