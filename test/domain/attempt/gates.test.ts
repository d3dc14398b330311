/* Questions before something dangerous runs, and the effect of each answer. */
import { describe, expect, test } from 'vitest';
import { buildAgentInput } from '../../../domain/attempt/agent-input.ts';
import { applyDeadlines } from '../../../domain/decisions/apply-deadlines.ts';
import { atDeadline } from '../../../domain/decisions/options/decision-kinds.ts';
import { limits } from '../../../domain/limits/domain-limits.ts';
import type { GateAsk, ProgramPermit, PersonReply } from '../../../domain/types/agent.ts';
import type { GateApproval, OnTimeout } from '../../../domain/types/decision.ts';
import { currentDetails } from '../../../domain/views/current-details.ts';
import { ending } from '../../../domain/schedule/task-ending.ts';
import { startable, taskStatus } from '../../../domain/schedule/schedule.ts';
import { recordOf, subtaskOf } from '../../../domain/task/read-state.ts';
import { statusOf } from '../../../domain/task/subtask-phase.ts';
import { utf8Length } from '../../../domain/text/text.ts';
import { agentExecutor, failureOf, stateOf, subtask, t0 } from '../support-task.ts';
import { Driver } from './support-driver.ts';

const removal: GateAsk = {
  kind: 'gate',
  call: '2.1',
  tool: 'shell',
  arguments: { command: 'rm -fr build' },
  why: 'It deletes a folder with all that is in it.',
  hash: 'h1',
  danger: 'delete',
  signature: null,
};
const install: GateAsk = {
  ...removal,
  arguments: { command: 'npm install left-pad' },
  why: 'It runs npm outside of a sandbox.',
  danger: 'program',
  signature: 'gate:program:npm install',
};
const program: GateAsk = { ...removal, call: null, tool: 'command', arguments: ['rm', '-fr', 'build dir'] };

const plans = {
  agent: () => [subtask('a', { executor: agentExecutor }), subtask('b', { executor: agentExecutor })],
  command: () => [subtask('a'), subtask('b', { dependsOn: ['a'] })],
};

/** A subtask that stands before its gate. */
function gated(asks: GateAsk, onTimeout: OnTimeout = 'wait'): { driver: Driver; decision: GateApproval } {
  const approval = { mode: 'off' as const, at: 1, onTimeout, timeout: 60_000 };
  const plan = asks.call === null ? plans.command() : plans.agent();
  const driver = new Driver(stateOf(plan, { approval, escalationPause: 1 }), t0);
  driver.begin('a');
  driver.ask('a', asks);
  const [decision] = driver.state.decisions.open;
  if (decision?.kind !== 'approval' || decision.action === undefined) throw new Error('nothing is asked');
  return { driver, decision };
}

const listTypes = (driver: Driver): unknown[] => driver.state.log.events.map(({ type }) => type);

function refusal(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('it was not refused');
}

describe('a gated call', () => {
  test('shows exactly what would run, why, and what each answer does', () => {
    const { decision } = gated(removal);
    expect(decision).toMatchObject({
      id: 'a-1',
      kind: 'approval',
      signature: null,
      call: '2.1',
      action: { tool: 'shell', arguments: { command: 'rm -fr build' }, why: removal.why, hash: 'h1', danger: 'delete' },
      problem: 'a needs your approval. It deletes a folder with all that is in it. It would run: rm -fr build',
      recommendation: 'reject',
    });
    expect(decision.options.map(({ id, reversible }) => [id, reversible])).toEqual([
      ['approve', false],
      ['edit', false],
      ['reject', true],
    ]);
    expect(gated(install).decision.recommendation).toBe('approve');
  });

  test.each<[string, object, PersonReply]>([
    ['approve', { by: 'ana' }, { kind: 'decided', call: '2.1', hash: 'h1', option: 'approve', by: 'ana' }],
    [
      'edit',
      { value: { command: 'rm -r build/tmp' } },
      { kind: 'decided', call: '2.1', hash: 'h1', option: 'edit', value: { command: 'rm -r build/tmp' } },
    ],
    [
      'reject',
      { instruction: 'it is still needed' },
      { kind: 'decided', call: '2.1', hash: 'h1', option: 'reject', reason: 'it is still needed' },
    ],
  ])('%s goes on in the same attempt, climbs nothing, counts nothing and pauses nothing', (option, given, reply) => {
    const { driver } = gated(removal);
    const { startedAt } = recordOf(driver.state, 'a') ?? {};
    const before = subtaskOf(driver.state, 'a').climb;
    driver.now += 3_600_000;
    driver.answer({ decisionId: 'a-1', option, ...given });
    expect(driver.begin('a')).toMatchObject({ attempt: 1, startedAt, reply, step: { rung: 1 } });
    expect(subtaskOf(driver.state, 'a')).toMatchObject({ climb: before, decisionCount: 0, guidance: [] });
    expect(driver.state).toMatchObject({ decisions: { escalations: 0 }, control: { paused: null } });
    expect(listTypes(driver)).toContain('attempt.suspended');
  });

  test.each<[OnTimeout, string | null, string]>([
    ['wait', null, 'waiting'],
    ['proceed', null, 'waiting'],
    ['deny', 'reject', 'pending'],
    ['skip', 'skip', 'skipped'],
  ])('is never approved by a deadline: %s', (onTimeout, option, status) => {
    const { driver } = gated(removal, onTimeout);
    driver.now += 60_000;
    applyDeadlines(driver);
    expect(statusOf(subtaskOf(driver.state, 'a'))).toBe(status);
    expect(driver.state.decisions.answered['a-1']?.option ?? null).toBe(option);
    if (option === 'reject') expect(driver.begin('a').reply).toMatchObject({ option: 'reject', hash: 'h1' });
  });

  test.each([removal, program])('has no deadline where the policy is to proceed, and none would approve it', (asks) => {
    const { decision } = gated(asks, 'proceed');
    expect(decision).toMatchObject({ deadline: null, onTimeout: 'wait' });
    expect(atDeadline({ ...decision, onTimeout: 'proceed' })).toBeNull();
  });

  test.each<[string, object]>([
    ['nothing', {}],
    ['a text', { value: 'rm x' }],
    ['a list', { value: ['rm', 'x'] }],
    ['null', { value: null }],
    ['words', { instruction: 'rm x' }],
  ])('cannot be edited with %s', (_, given) => {
    const { driver } = gated(removal);
    expect(refusal(() => driver.answer({ decisionId: 'a-1', option: 'edit', ...given }))).toMatchObject({
      code: 'DECISION_NEEDS_VALUE',
    });
    expect(driver.state.decisions.open).toHaveLength(1);
  });

  test('takes arguments as long as those that it shows, and no longer', () => {
    const { driver } = gated(removal);
    const value = { command: 'x'.repeat(limits.asked.arguments) };
    expect(refusal(() => driver.answer({ decisionId: 'a-1', option: 'edit', value }))).toMatchObject({
      code: 'MESSAGE_INVALID',
    });
    driver.answer({ decisionId: 'a-1', option: 'edit', value: { command: 'x'.repeat(limits.asked.arguments - 100) } });
  });

  test('is bounded, whatever its arguments are, and says that it is cut', () => {
    const long = { ...removal, arguments: { path: '.env', content: 'x'.repeat(90_000) } };
    const { driver, decision } = gated(long);
    expect(JSON.stringify(decision).length).toBeLessThan(16_000);
    expect(decision.action).toMatchObject({ cut: true, arguments: { path: '.env' } });
    expect(decision.problem).toContain('too long to be shown as a whole');
    const many = { ...removal, arguments: { args: Array.from({ length: 9_000 }, () => '-x') } };
    expect(JSON.stringify(gated(many).decision).length).toBeLessThan(16_000);
    expect(utf8Length(currentDetails(driver.state, driver.now))).toBeLessThanOrEqual(limits.currentDetails);
  });

  test('is in the Web UI with the action in a block, and JSON that answers it', () => {
    const { driver } = gated({ ...removal, arguments: { command: 'echo "```"; rm -fr build' } });
    const details = currentDetails(driver.state, driver.now);
    expect(details).toContain('````\necho "```"; rm -fr build\n````');
    const examples = [...details.matchAll(/`{3,}json\n(.+)\n`{3,}/g)].map(
      ([, json]) => JSON.parse(json ?? '') as object,
    );
    expect(examples).toEqual([
      { decisionId: 'a-1', option: 'reject' },
      { decisionId: 'a-1', option: 'edit', value: { command: 'echo "```"; rm -fr build' } },
    ]);
    for (const example of examples) {
      const { driver: again } = gated({ ...removal, arguments: { command: 'echo "```"; rm -fr build' } });
      again.answer(example);
    }
  });
});

describe('an answer for good', () => {
  test('lets every later call of its signature pass, in this task and, by its project, in others', () => {
    const { driver } = gated(install);
    driver.begin('b');
    driver.answer({ decisionId: 'a-1', option: 'approve', scope: 'signature', by: 'ana' });
    expect(driver.state.log.learned.answers).toMatchObject([
      { signature: install.signature, option: 'approve', by: 'ana' },
    ]);
    const begun = driver.begin('a');
    expect(buildAgentInput(driver.state, 'a', begun).allowed).toEqual([install.signature]);
    // It ran before the answer was there, and asks.
    driver.ask('b', { ...install, call: '5.1', hash: 'h9' });
    expect(driver.state.decisions.open).toEqual([]);
    expect(driver.begin('b').reply).toEqual({
      kind: 'decided',
      call: '5.1',
      hash: 'h9',
      option: 'approve',
      by: 'the answer of ana for this action',
    });
    const answers = driver.state.log.events.filter((event) => event.type === 'decision.answered');
    expect(answers).toMatchObject([{ source: 'person' }, { source: 'standing' }]);
    expect(driver.state.decisions.escalations).toBe(0);
    const later = stateOf(plans.agent(), {
      memory: { signatures: [], answers: [{ signature: 'gate:program:npm install', option: 'approve' }] },
    });
    const next = new Driver(later, t0);
    expect(buildAgentInput(next.state, 'a', next.begin('a')).allowed).toEqual([install.signature]);
  });

  test('answers what else is open with the same signature', () => {
    const { driver } = gated(install);
    driver.begin('b');
    driver.ask('b', { ...install, call: '7.1', hash: 'h7' });
    driver.answer({ decisionId: 'a-1', option: 'approve', scope: 'signature' });
    expect(driver.state.decisions.open).toEqual([]);
    expect(startable(driver.state, driver.now)).toContain('a');
  });

  test.each<[string, GateAsk, object]>([
    ['of what is asked each time', removal, { option: 'approve' }],
    ['that is no yes', install, { option: 'reject' }],
    ['with other arguments', install, { option: 'edit', value: { command: 'npm test' } }],
  ])('is refused: one %s', (_, asks, answer) => {
    const { driver } = gated(asks);
    const sent = { decisionId: 'a-1', scope: 'signature', ...answer };
    expect(refusal(() => driver.answer(sent))).toMatchObject({ code: 'DECISION_ONCE_ONLY' });
    expect(driver.state).toMatchObject({ decisions: { standing: {}, open: [{ id: 'a-1' }] } });
  });
});

describe('a program', () => {
  test('is asked about before its first start, in words that a shell would read', () => {
    const { driver, decision } = gated(program);
    expect(decision).toMatchObject({
      problem: `a needs your approval. ${program.why} It would run: rm -fr 'build dir'`,
      recommendation: 'approve',
      call: null,
    });
    expect(decision.options.map(({ id }) => id)).toEqual(['approve', 'edit', 'skip', 'skip-branch', 'abort']);
    expect([driver.state.queue.running, taskStatus(driver.state, driver.now)]).toEqual([[], 'waiting']);
  });

  test.each<[string, object, ProgramPermit]>([
    ['approve', {}, { hash: 'h1' }],
    ['edit', { value: ['rm', '-r', 'build/tmp'] }, { run: ['rm', '-r', 'build/tmp'] }],
  ])('%s holds for this attempt and all after it, and is no guidance', (option, given, permit) => {
    const { driver } = gated(program);
    driver.answer({ decisionId: 'a-1', option, ...given });
    expect(driver.begin('a')).toMatchObject({ attempt: 1 });
    expect(subtaskOf(driver.state, 'a')).toMatchObject({ permit, guidance: [], decisionCount: 0 });
    driver.fail('a', failureOf());
    expect(driver.begin('a').attempt).toBe(2);
    expect(subtaskOf(driver.state, 'a').permit).toEqual(permit);
    driver.pass('a');
    expect(subtaskOf(driver.state, 'a').permit).toBeUndefined();
  });

  test.each([{}, { value: {} }, { value: [] }, { value: [''] }, { value: ['a', 1] }, { value: ['a\0'] }])(
    'cannot be edited with %j',
    (given) => {
      const { driver } = gated(program);
      expect(refusal(() => driver.answer({ decisionId: 'a-1', option: 'edit', ...given }))).toMatchObject({
        code: 'DECISION_NEEDS_VALUE',
      });
    },
  );

  test.each<[string, string[]]>([
    ['skip', ['skipped', 'pending']],
    ['skip-branch', ['skipped', 'skipped']],
  ])('%s starts nothing of it', (option, statuses) => {
    const { driver } = gated(program);
    driver.answer({ decisionId: 'a-1', option });
    expect(['a', 'b'].map((id) => statusOf(subtaskOf(driver.state, id)))).toEqual(statuses);
    expect(recordOf(driver.state, 'a')).toMatchObject({ outcome: 'cancelled' });
  });

  test.each<[OnTimeout, string]>([
    ['wait', 'waiting'],
    ['proceed', 'waiting'],
    ['deny', 'failed'],
    ['skip', 'skipped'],
  ])('is never started by a deadline: %s', (onTimeout, status) => {
    const { driver } = gated(program, onTimeout);
    driver.now += 60_000;
    applyDeadlines(driver);
    expect(statusOf(subtaskOf(driver.state, 'a'))).toBe(status);
    if (status === 'failed') expect(ending(driver.state)?.state).toBe('failed');
  });
});

test('a result after a gated action is less sure', () => {
  const approval = { mode: 'threshold' as const, at: 0.9, onTimeout: 'wait' as const };
  const driver = new Driver(stateOf([subtask('a', { executor: agentExecutor })], { approval }), t0);
  driver.begin('a');
  driver.record({
    ...{ type: 'attempt.used', subtask: 'a', used: { costUsd: 0, tokens: 0 }, reruns: 0, output: null },
    gated: true,
  });
  driver.pass('a');
  expect(driver.state.decisions.open).toMatchObject([
    { kind: 'approval', problem: expect.stringContaining('0.86') as unknown },
  ]);
});
