// With the network of the machine a command would reach Temporal, which starts anything: it has one that leads out only, or a person is asked.
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, type TestContext } from 'vitest';
import { probeWayOut } from '../../../activities/sandbox/network/find-way-out.ts';
import { eventsOf } from '../../support/events.ts';
import { codeOf, decisionOpened, eventOf, endOf, useRig } from '../../support/rig.ts';
import { calls, finishes, serveScript, writeModels } from '../../support/scripted-models.ts';
import { needsSandbox, play, type Turn } from './support-walls.ts';

const rig = useRig();
/** Its server is elsewhere, as its worker is told: every way out leads there too. */
const asking = useRig({ serverAddress: 'temporal.example:7233' });
const turns: Turn[] = [[['shell', { command: 'cp a.txt b.txt' }]], [['shell', { command: 'cat b.txt' }]]];

describe('a sandbox with the network of the machine', () => {
  test('asks before each command that does more than read', async (context) => {
    await needsSandbox('auto', context);
    const workspace = asking.workspace();
    appendFileSync(join(workspace, 'a.txt'), 'a');
    const { state, task, requests } = await play(asking, {
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
    const workspace = asking.workspace();
    const { url } = await serveScript([calls(['shell', { command: 'cp a.txt b.txt' }]), finishes()]);
    writeModels(workspace, url);
    appendFileSync(join(workspace, 'heddle.toml'), '[sandbox]\nnetwork = true\n');
    const task = await asking.start({
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

/** CI must not pass without having looked. */
async function needsWayOut({ skip }: Pick<TestContext, 'skip'>): Promise<void> {
  const wayOut = await probeWayOut(process.env['PATH']);
  if (wayOut.kind !== 'none') return;
  if (process.env['HEDDLE_REQUIRE_NETWORK'] === '1') throw new Error(wayOut.why);
  skip();
}

describe('a sandbox with a network of its own', () => {
  test('asks nobody, and Temporal is out of reach', async (context) => {
    await needsSandbox('auto', context);
    await needsWayOut(context);
    const workspace = rig.workspace();
    const port = rig.address.split(':').at(-1) ?? '';
    // Other addresses of a machine are tried in one that is made for it: test/activities/sandbox/network.
    const addresses = ['127.0.0.1', 'localhost', '::1', '0.0.0.0'];
    const visit = (address: string): string =>
      `timeout 5 bash -c 'exec 3<>/dev/tcp/${address}/${port}' && echo ${address} >> reached`;
    const command = ['echo ran > ran', ...addresses.map(visit), 'true'].join('\n');
    writeFileSync(join(workspace, 'visit.sh'), command);
    const { state, task } = await play(rig, {
      workspace,
      mode: 'auto',
      turns: [[['shell', { command: 'bash visit.sh' }]]],
      settings: 'network = true\n',
    });
    expect(state).toBe('completed');
    expect(eventsOf(await task.events(), 'decision.opened')).toEqual([]);
    expect(existsSync(join(workspace, 'ran'))).toBe(true);
    expect(existsSync(join(workspace, 'reached'))).toBe(false);
  });

  test('what is always asked about still is', async (context) => {
    await needsSandbox('auto', context);
    await needsWayOut(context);
    const { task } = await play(rig, {
      workspace: rig.workspace(),
      mode: 'auto',
      turns: [[['shell', { command: 'git push --force origin main' }]]],
      settings: 'network = true\n',
      answer: 'reject',
    });
    expect(eventsOf(await task.events(), 'decision.opened')).toHaveLength(1);
  });
});
