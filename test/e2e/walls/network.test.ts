// With a network a command reaches Temporal, which starts anything: so a person is asked, each time.
import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventsOf } from '../../support/events.ts';
import { codeOf, decisionOpened, eventOf, endOf, useRig } from '../../support/rig.ts';
import { calls, finishes, serveScript, writeModels } from '../../support/scripted-models.ts';
import { needsSandbox, play, type Turn } from './support-walls.ts';

const rig = useRig();
const turns: Turn[] = [[['shell', { command: 'cp a.txt b.txt' }]], [['shell', { command: 'cat b.txt' }]]];

describe('a sandbox with a network', () => {
  test('asks before each command that does more than read', async (context) => {
    await needsSandbox('auto', context);
    const workspace = rig.workspace();
    appendFileSync(join(workspace, 'a.txt'), 'a');
    const { state, task, requests } = await play(rig, {
      workspace,
      mode: 'auto',
      turns,
      settings: 'network = true\n',
      answer: 'reject',
    });
    expect(state).toBe('completed');
    const asked = eventsOf(await task.events(), 'decision.opened');
    expect(asked).toHaveLength(1);
    expect(existsSync(join(workspace, 'b.txt'))).toBe(false);
    expect(requests.join()).toContain('A person rejected this call');
  });

  test('an answer for good is not taken', async (context) => {
    await needsSandbox('auto', context);
    const workspace = rig.workspace();
    const { url } = await serveScript([calls(['shell', { command: 'cp a.txt b.txt' }]), finishes()]);
    writeModels(workspace, url);
    appendFileSync(join(workspace, 'heddle.toml'), '[sandbox]\nnetwork = true\n');
    const task = await rig.start({
      goal: 'a test',
      workspace,
      subtasks: [{ id: 'agent', executor: { kind: 'agent' } }],
    });
    const { decision } = await eventOf(task, decisionOpened());
    expect(decision.problem).toContain('reach the services of this machine');
    const answer = { decisionId: decision.id, option: 'approve', scope: 'signature' } as const;
    expect(await codeOf(task.decide(answer))).toBe('DECISION_ONCE_ONLY');
    await task.decide({ decisionId: decision.id, option: 'approve' });
    expect(await endOf(task)).toBe('completed');
  });

  test('without one, nobody is asked', async (context) => {
    await needsSandbox('auto', context);
    const workspace = rig.workspace();
    appendFileSync(join(workspace, 'a.txt'), 'a');
    const { state, task } = await play(rig, { workspace, mode: 'auto', turns });
    expect(state).toBe('completed');
    expect(eventsOf(await task.events(), 'decision.opened')).toEqual([]);
  });
});
