// A model that always says "done" and does nothing, through many kinds of plans: none of its tasks is completed without the word
// `unchecked`, or a person's yes, in what is told of it.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Report, StatusView } from '../../../client/index.ts';
import { Cli, useSharedHome } from '../../support/cli.ts';

const home = useSharedHome();
const newCli = (): Cli => new Cli({ HEDDLE_HOME: home(), HEDDLE_TRUST: '1' });

const done = { calls: [{ tool: 'finish', input: { status: 'success', notes: 'Done.', deliverablesTouched: [] } }] };
const always = (role: string, reply: object): object => ({ when: { role }, times: 500, reply });
const prose = { text: 'Done. Everything works and all tests pass.' };

/** Replies of one model in each role. */
interface Replies {
  executor?: object;
  verifier?: object;
  planner?: object;
}

function useIdleModel(cli: Cli, { executor = done, verifier = prose, planner = prose }: Replies = {}): void {
  const provider = '[providers.idle]\nkind = "scripted"\nscript = "script.yaml"\n';
  writeFileSync(join(cli.cwd, 'heddle.toml'), `${provider}[models.idle]\nprovider = "idle"\nid = "idle"\n`);
  const entries = [always('executor', executor), always('verifier', verifier), always('planner', planner)];
  writeFileSync(join(cli.cwd, 'script.yaml'), JSON.stringify(entries));
}

/** Whoever fails is not tried again, and asks nobody. */
function writePlan(cli: Cli, subtasks: object[], rest: object = {}): string {
  const plan = { goal: 'Make the tests pass', ladder: [{ tier: 'assigned' }], executor: 'agent', ...rest };
  writeFileSync(join(cli.cwd, 'plan.json'), JSON.stringify({ ...plan, subtasks }));
  return 'plan.json';
}

const work = (more: object = {}): object => ({ id: 'work', description: 'Make the tests pass', ...more });

/** Looked at where people and programs look: the last line, the status, the report and the attempts. */
async function expectHonest(cli: Cli, id: string, printed: string): Promise<StatusView['state']> {
  const status = await cli.jsonHere<StatusView>('status', id);
  if (status.state !== 'completed') return status.state;
  const report = await cli.jsonHere<Report>('report', id);
  const approved = report.decisions.some(({ kind, option }) => kind === 'approval' && option === 'approve');
  if (!approved) {
    expect(status.summary).toContain('unchecked');
    expect(report.unchecked.length).toBeGreaterThan(0);
    expect(printed).toContain('unchecked');
    expect(printed).not.toContain('✓');
  }
  expect(report.attempts).toMatchObject({ passed: 0, firstTry: 0, firstTryRate: 0 });
  expect(report.records.filter(({ verdict }) => verdict === 'pass')).toEqual([]);
  return status.state;
}

describe('plans that a person wrote', () => {
  const partial = {
    calls: [{ tool: 'finish', input: { status: 'partial', notes: 'Half.', deliverablesTouched: [] } }],
  };
  const judged = { verification: 2, criteria: ['the tests pass'] };
  test.each<[kind: string, ends: StatusView['state'], subtasks: object[], replies?: Replies, rest?: object]>([
    ['bare', 'completed', [work()]],
    ['chain', 'completed', [work(), { id: 'next', description: 'Go on', dependsOn: ['work'] }]],
    ['synthesis', 'completed', [work(), { id: 'sum', description: 'Sum up', synthesis: true }]],
    ['worktree', 'completed', [work({ isolation: 'worktree' })]],
    ['partial', 'completed', [work({ allowPartial: true })], { executor: partial }],
    ['unread-judge', 'completed', [work(judged)]],
    ['dead-judge', 'completed', [work(judged)], { verifier: { status: 500 } }],
    ['voters', 'completed', [work({ ...judged, verification: 3 })]],
    ['judged-copy', 'completed', [work({ ...judged, isolation: 'worktree' })]],
    [
      'empty-rule',
      'completed',
      [work({ rules: [{ pattern: 'TODO', in: ['*.md'], must: 'absent', severity: 'hard' }] })],
    ],
    ['missing-file', 'failed', [work({ deliverables: ['NOTES.md'] })]],
    ['failing-check', 'failed', [work({ verify: ['test -s NOTES.md'] })]],
    ['says-no-word', 'failed', [work()], { executor: prose }],
    [
      'no-notes',
      'failed',
      [work()],
      { executor: { calls: [{ tool: 'finish', input: { status: 'success', notes: '' } }] } },
    ],
  ])(
    '%s is %s',
    async (kind, ends, subtasks, replies = {}, rest = {}) => {
      const cli = newCli();
      useIdleModel(cli, replies);
      const ran = await cli.here('run', writePlan(cli, subtasks, rest), '--id', `idle-${kind}`);
      expect([await expectHonest(cli, `idle-${kind}`, ran.stdout), ran.code]).toEqual([
        ends,
        ends === 'completed' ? 0 : 1,
      ]);
    },
    120_000,
  );

  test('an agent program that says it is done is unchecked', async () => {
    const cli = newCli();
    const bin = join(cli.cwd, 'bin');
    mkdirSync(bin);
    const result = { type: 'result', subtype: 'success', is_error: false, result: 'Done.', total_cost_usd: 0 };
    writeFileSync(join(bin, 'claude'), `#!/bin/sh\ncat > /dev/null\necho '${JSON.stringify(result)}'\n`);
    chmodSync(join(bin, 'claude'), 0o755);
    const run = ['sh', '-c', 'exec ./bin/claude'];
    const executor = { kind: 'command', run, output: 'claude' };
    const ran = await cli.here('run', writePlan(cli, [work({ executor })]), '--id', 'idle-program');
    expect(await expectHonest(cli, 'idle-program', ran.stdout)).toBe('completed');
  }, 120_000);

  test("a person's yes stands in the record", async () => {
    const cli = newCli();
    useIdleModel(cli);
    const file = writePlan(cli, [work()], { approval: 'manual' });
    const asked = await cli.here('run', file, '--id', 'idle-approved', '--exit-on-decision');
    expect(asked.code).toBe(3);
    expect(asked.stdout).toContain('work is done and nothing checked it');
    expect(asked.stdout).not.toContain('its checks passed');
    expect(await cli.here('decide', 'idle-approved', 'work-1', 'approve')).toMatchObject({ code: 0 });
    const ran = await cli.here('watch', 'idle-approved');
    expect(await expectHonest(cli, 'idle-approved', ran.stdout)).toBe('completed');
    expect(ran.stdout).toContain('unchecked');
  }, 120_000);

  test('a retry that takes over an unchecked result says so, also after an undo', async () => {
    const cli = newCli();
    useIdleModel(cli);
    const executor = { kind: 'command', run: ['sh', '-c', 'test -f ready && echo yes'] };
    const last = { id: 'last', description: 'Go on', dependsOn: ['work'], executor };
    const ran = await cli.here('run', writePlan(cli, [work(), last]), '--id', 'idle-again');
    expect([ran.code, await expectHonest(cli, 'idle-again', ran.stdout)]).toEqual([1, 'failed']);
    expect(await cli.here('undo', 'idle-again')).toMatchObject({ code: 0 });
    writeFileSync(join(cli.cwd, 'ready'), '');
    const again = await cli.here('retry', 'idle-again');
    expect([again.code, again.stderr]).toEqual([0, '']);
    expect(await expectHonest(cli, 'idle-again-r2', again.stdout)).toBe('completed');
    const { subtasks } = await cli.jsonHere<StatusView>('status', 'idle-again-r2');
    expect(subtasks.map(({ verdict }) => verdict)).toEqual(['unchecked', 'unchecked']);
  }, 120_000);
});

describe('plans that a model made', () => {
  const planned = {
    text: JSON.stringify({ subtasks: [work(), { id: 'more', description: 'More', dependsOn: ['work'] }] }),
  };
  test.each<[kind: string, replies: Replies]>([
    ['prose', {}],
    ['unchecked-plan', { planner: planned }],
    ['no-subtasks', { planner: { text: '{"subtasks": []}' } }],
    ['no-answer', { planner: { status: 401 } }],
  ])(
    'a goal, and the planner gives %s',
    async (kind, replies) => {
      const cli = newCli();
      useIdleModel(cli, replies);
      const id = `idle-goal-${kind}`;
      const ran = await cli.here('run', 'Make the tests pass', '--id', id, '--exit-on-decision');
      const state = await expectHonest(cli, id, ran.stdout);
      expect(['completed', 'waiting', 'failed']).toContain(state);
      if (state === 'waiting') await cli.here('cancel', id, '--wait');
    },
    120_000,
  );

  test('a new plan in the middle', async () => {
    const cli = newCli();
    const reply = {
      reason: 'another way',
      subtasks: [{ id: 'other', description: 'Another way' }],
      superseded: [{ id: 'work', reason: 'it failed' }],
    };
    useIdleModel(cli, { planner: { text: JSON.stringify(reply) } });
    const file = writePlan(cli, [work({ verify: ['false'] })], { ladder: [{ tier: 'assigned' }, { person: true }] });
    expect((await cli.here('run', file, '--id', 'idle-replan', '--exit-on-decision')).code).toBe(3);
    expect(await cli.here('decide', 'idle-replan', 'work-1', 'replan')).toMatchObject({ code: 0 });
    const ran = await cli.here('watch', 'idle-replan', '--exit-on-decision');
    const state = await expectHonest(cli, 'idle-replan', ran.stdout);
    expect(['completed', 'waiting', 'failed']).toContain(state);
    if (state === 'waiting') await cli.here('cancel', 'idle-replan', '--wait');
  }, 120_000);
});
