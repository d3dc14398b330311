import { describe, expect, test } from 'vitest';
import { ending } from '../../../domain/schedule/task-ending.ts';
import { dueNext } from '../../../domain/schedule/next-due.ts';
import { notBeforeOf, statusOf } from '../../../domain/task/subtask-phase.ts';
import { subtaskOf } from '../../../domain/task/read-state.ts';
import { replansLeft } from '../../../domain/schedule/budget-limits.ts';
import type { RemediationPolicy } from '../../../domain/types/basic/remediation.ts';
import type { Subtask } from '../../../domain/types/subtask.ts';
import type { TaskSettings } from '../../../domain/types/task-settings.ts';
import { statusView } from '../../../domain/views/task-status.ts';
import { Driver } from '../attempt/support-driver.ts';
import { nextPlan } from '../attempt/support-replan.ts';
import { failureOf, person, rung, stateOf, subtask, t0 } from '../support-task.ts';

/* The table of what becomes of a result that misses nothing but evidence: `docs/recovery.md#owed-evidence`. */

type Policy = Exclude<RemediationPolicy, 'block'>;

interface Given extends Partial<TaskSettings> {
  policy?: Policy;
  critical?: boolean;
  /** Nobody is asked. */
  alone?: boolean;
  subtask?: Partial<Subtask>;
}

/** `claims` owes evidence after one attempt; `report` needs it, `other` does not. */
class Case {
  readonly driver: Driver;
  readonly start = t0;

  constructor({ policy, critical = false, alone = false, subtask: given = {}, ...settings }: Given = {}) {
    const ladder = alone ? [rung()] : [rung(), person];
    const claims = subtask('claims', {
      ...{ ladder, critical, maxAttempts: 1 },
      ...(policy === undefined ? {} : { remediation: policy }),
      ...given,
    });
    const subtasks = [claims, subtask('report', { dependsOn: ['claims'] }), subtask('other')];
    this.driver = new Driver(stateOf(subtasks, settings), t0);
  }

  get state() {
    return this.driver.state;
  }

  /** One pass of the workflow at this second. */
  at(seconds: number): this {
    this.driver.now = this.start + seconds * 1_000;
    this.driver.beginAll();
    return this;
  }

  /** The first attempt, which misses this evidence. */
  gap(targets: string[] = ['price'], code: 'evidence-gap' | 'unconfirmed-data' = 'evidence-gap'): this {
    this.at(0).driver.owe('claims', targets, code);
    return this;
  }

  /** A try that misses this evidence. */
  miss(targets: string[] = ['price', 'date'], code: 'evidence-gap' | 'unconfirmed-data' = 'evidence-gap'): this {
    this.driver.owe('claims', targets, code);
    return this;
  }

  finishOthers(): this {
    for (const id of ['other', 'report']) if (this.state.queue.running.includes(id)) this.driver.pass(id);
    this.driver.beginAll();
    if (this.state.queue.running.includes('report')) this.driver.pass('report');
    return this;
  }

  get question() {
    return this.state.decisions.open[0];
  }

  get item() {
    return subtaskOf(this.state, 'claims').remedy;
  }

  status(id: string): string {
    return statusOf(subtaskOf(this.state, id));
  }

  get verdict() {
    const { phase } = subtaskOf(this.state, 'claims');
    return phase.name === 'completed' ? phase.passed.verdict : phase.name;
  }

  /** Seconds after the start at which the next try is due. */
  get due(): number | null {
    const at = notBeforeOf(subtaskOf(this.state, 'claims'));
    return at === null ? null : (at - this.start) / 1_000;
  }

  get used(): number {
    return this.state.budget.used.remediations ?? 0;
  }

  get events(): string[] {
    return this.state.log.events.flatMap((event) => {
      if (event.type === 'remediation.done') return [`done ${event.how}`];
      return event.type.startsWith('remediation.') ? [event.type.slice('remediation.'.length)] : [];
    });
  }

  get freed(): number {
    return this.state.log.events.filter((event) => event.type === 'subtask.started' && event.subtask === 'report')
      .length;
  }

  /** The end of the task, or the code with which it stops. */
  get end(): string {
    const { stopCode, cancelling } = this.state.control;
    if (cancelling !== null) return stopCode ?? 'cancelled';
    return ending(this.state)?.state ?? 'open';
  }
}

const queue = 'queue-follow-up';
const confirm = 'confirm-or-prune-then-queue';

describe('evidence that is missing when the ladder is spent', () => {
  test('1: is asked about where the policy blocks', () => {
    const run = new Case().gap();
    expect([run.question?.kind, run.item, run.events]).toEqual(['escalation', undefined, []]);
  });

  test('2: fails the subtask where the policy blocks and nobody is asked, and the rest goes on', () => {
    const run = new Case({ alone: true }).gap();
    expect([run.status('claims'), run.status('report'), run.status('other')]).toEqual(['failed', 'blocked', 'running']);
  });

  test('3: stops the task where the policy blocks, nobody is asked and the subtask is critical', () => {
    const run = new Case({ alone: true, critical: true }).gap();
    expect([run.status('claims'), run.end]).toEqual(['failed', 'CRITICAL_FAILED']);
  });

  test('4: is not owed where tests fail', () => {
    const run = new Case({ policy: queue }).at(0);
    run.driver.failVerdict('claims', failureOf({ type: 'verification-failed' }));
    expect([run.question?.kind, run.item]).toEqual(['escalation', undefined]);
  });

  test('5: is not owed where a person looks at every result', () => {
    const run = new Case({ policy: queue, approval: { mode: 'manual', at: 1, onTimeout: 'wait' } }).gap();
    expect([run.question?.kind, run.item]).toEqual(['escalation', undefined]);
  });

  test('6: is not owed where the budget allows no tries', () => {
    const run = new Case({ policy: queue, budget: { remediations: 0 } }).gap();
    expect([run.question?.kind, run.item]).toEqual(['escalation', undefined]);
  });
});

describe('a claim that is confirmed or taken out first', () => {
  test('7: passes with a new record, and its dependents are freed by that', () => {
    const run = new Case({ policy: confirm }).gap().at(0);
    expect([run.status('claims'), run.status('report')]).toEqual(['running', 'pending']);
    run.driver.confirm('claims', ['price']);
    expect([run.verdict, run.events, run.used]).toEqual(['pass', ['done confirmed'], 1]);
  });

  test('8: passes once it is taken out', () => {
    const run = new Case({ policy: confirm }).gap(['price'], 'unconfirmed-data').at(0);
    run.driver.pass('claims');
    expect([run.verdict, run.events]).toEqual(['pass', ['done pruned']]);
  });

  test('9: is queued after two tries, and its result is used meanwhile', () => {
    const run = new Case({ policy: confirm }).gap().at(0).miss().at(0).miss();
    expect([run.due, run.events, run.used]).toEqual([2, ['queued'], 2]);
    expect(run.at(0).status('report')).toBe('running');
    expect(run.item).toMatchObject({ strategy: 'follow-up', attempts: 2, max: 5 });
  });

  test('10: passes in a follow-up, and its dependents were freed once', () => {
    const run = new Case({ policy: confirm }).gap().at(0).miss().at(0).miss().at(0).at(2);
    run.driver.pass('claims');
    run.finishOthers().at(3);
    expect([run.verdict, run.events, run.used, run.freed]).toEqual(['pass', ['queued', 'done pruned'], 3, 1]);
    expect(run.end).toBe('completed');
  });
});

describe('a follow-up', () => {
  test('11: waits 2 s, 4 s and 8 s', () => {
    const run = new Case({ policy: queue }).gap();
    expect(run.due).toBe(2);
    expect(run.at(2).miss().due).toBe(6);
    expect(run.at(6).miss().due).toBe(14);
  });

  const spend = (given: Given): Case =>
    new Case({ policy: queue, ...given }).gap().at(2).miss().at(6).miss().at(14).miss();

  test('12: is tried once more when all others are done, and then the result stands in part', () => {
    const run = spend({}).at(14);
    expect([run.status('claims'), run.item?.last]).toEqual(['pending', undefined]);
    run.finishOthers().at(15);
    expect([run.status('claims'), run.item?.last]).toEqual(['running', true]);
    run.miss();
    expect([run.verdict, run.events, run.used, run.end]).toEqual([
      'partial-verified',
      ['queued', 'failed'],
      4,
      'completed',
    ]);
  });

  test('13: passes with its last try', () => {
    const run = spend({}).at(14).finishOthers().at(15);
    run.driver.pass('claims');
    expect([run.verdict, run.events, run.end]).toEqual(['pass', ['queued', 'done pruned'], 'completed']);
  });

  test('14: fails the subtask and stops the task where it is critical', () => {
    const run = spend({ critical: true });
    expect([run.status('claims'), run.end, run.used]).toEqual(['failed', 'REMEDIATION_UNRESOLVED', 3]);
  });

  test('15: keeps the changes of a try that left less to find', () => {
    const run = new Case({ policy: queue }).gap(['a', 'b', 'c']).at(2).miss(['b']);
    expect(run.item?.targets).toEqual(['b']);
  });

  test('16: keeps the targets where a try brings in another one', () => {
    const run = new Case({ policy: queue }).gap(['a', 'b', 'c']).at(2).miss(['a', 'b', 'd']);
    expect(run.item?.targets).toEqual(['a', 'b', 'c']);
  });

  test('17: is one item, whatever reasons join', () => {
    const run = new Case({ policy: queue }).gap().at(2).miss(['price'], 'unconfirmed-data');
    expect(run.item).toMatchObject({ id: 'rem-1', reasons: ['evidence-gap', 'unconfirmed-data'] });
  });

  test('18: counts a try that breaks a verify command, and stays', () => {
    const run = new Case({ policy: queue }).gap().at(2);
    run.driver.failVerdict('claims', failureOf({ type: 'verification-failed' }));
    expect([run.used, run.due, run.item?.targets, run.question]).toEqual([1, 6, ['price'], undefined]);
  });

  test('19: is not resolved by a verdict that nobody could read', () => {
    const run = new Case({ policy: queue }).gap().at(2);
    run.driver.passUnread('claims');
    expect([run.used, run.due, run.status('claims'), run.events]).toEqual([1, 6, 'pending', ['queued']]);
  });

  const auth = failureOf({ type: 'auth', category: 'never-retry', summary: 'It was refused the key.' });

  test('20: asks one question where credentials are missing, and goes on with the answer', () => {
    const run = new Case({ policy: queue }).gap().at(2);
    run.driver.fail('claims', auth);
    expect([run.question?.kind, run.status('claims')]).toEqual(['escalation', 'waiting']);
    run.driver.answer({ decisionId: 'claims-1', option: 'retry' });
    run.at(3).driver.pass('claims');
    expect([run.verdict, Object.keys(run.state.decisions.answered), run.used]).toEqual(['pass', ['claims-1'], 2]);
  });

  test('21: ends where credentials are missing and nobody is asked', () => {
    const run = new Case({ policy: queue, alone: true }).gap().at(2);
    run.driver.fail('claims', auth);
    expect([run.verdict, run.events]).toEqual(['partial-verified', ['queued', 'failed']]);
  });

  test('22: waits for the machine without using another try', () => {
    const run = new Case({ policy: queue }).gap().at(2);
    run.driver.fail('claims', failureOf({ type: 'environment', category: 'environment' }));
    expect(run.due).toBe(7);
    run.at(7).driver.pass('claims');
    expect([run.verdict, run.used]).toEqual(['pass', 1]);
  });

  test('23: stands still in a pause, with its due time and its end', () => {
    const run = new Case({ policy: queue }).gap();
    const expiresAt = run.item?.expiresAt ?? 0;
    run.driver.record({ type: 'task.paused', reason: 'a break', by: 'person' });
    run.at(600).driver.record({ type: 'task.resumed' });
    expect([run.due, run.item?.expiresAt]).toEqual([602, expiresAt + 600_000]);
  });

  const sixHours = 6 * 3_600;

  test('24: expires after six hours, without a last try', () => {
    const run = new Case({ policy: queue, maxParallelSubtasks: 1 }).gap().at(0);
    expect(dueNext(run.state, run.start + 3_000, null)).toBe(run.start + sixHours * 1_000);
    run.at(sixHours);
    expect([run.verdict, run.events, run.used]).toEqual(['partial-verified', ['queued', 'expired'], 0]);
  });

  test('25: stops the task when it expires and is critical', () => {
    const run = new Case({ policy: queue, critical: true, maxParallelSubtasks: 1 }).gap().at(0).at(sixHours);
    expect([run.status('claims'), run.events, run.end]).toEqual([
      'failed',
      ['queued', 'expired'],
      'REMEDIATION_UNRESOLVED',
    ]);
  });

  test('26: is dropped with a task that is cancelled, and its result stands in part', () => {
    const run = new Case({ policy: queue }).gap();
    run.driver.stop('somebody cancelled it');
    run.driver.endCancelled();
    expect([run.verdict, run.events, run.state.control.ended?.state]).toEqual([
      'partial-verified',
      ['queued', 'dropped'],
      'cancelled',
    ]);
  });

  test('27: is skipped where it is critical and the task is cancelled', () => {
    const run = new Case({ policy: queue, critical: true }).gap();
    run.driver.stop('somebody cancelled it');
    run.driver.endCancelled();
    expect([run.verdict, run.events]).toEqual(['skipped', ['queued', 'dropped']]);
  });

  test('28: is waived by the person who finishes with what is done', () => {
    const run = new Case({ policy: queue, critical: true, budget: { tokens: 10 } });
    run.at(0).driver.pass('other', 'pass', 10);
    run.driver.owe('claims', ['price']);
    expect(run.question?.kind).toBe('budget');
    run.driver.answer({ decisionId: run.question?.id, option: 'finish', by: 'ana' });
    const waived = run.state.log.events.find(({ type }) => type === 'remediation.waived');
    expect([run.verdict, waived, run.end]).toMatchObject(['partial-verified', { by: 'ana' }, 'completed']);
  });

  test('29: is dropped by a new plan that changes it, and dependents wait again', () => {
    const run = new Case({ policy: queue, planner: { tries: 3 } }).gap().at(0);
    expect([run.status('report'), replansLeft(run.state)]).toEqual(['running', 3]);
    const definitions = run.state.plan.current?.definitions ?? [];
    const changed = definitions.map((each) => (each.id === 'claims' ? { ...each, description: 'other claims' } : each));
    const request = { reason: 'another way', trigger: 'steering', subtasks: [] } as const;
    run.driver.record({ type: 'replan.asked', request: { ...request, subtasks: [] } });
    run.at(1);
    const { current } = run.state.plan;
    if (current === null) throw new Error('no plan');
    const changes = { reason: 'another way', added: [], retargeted: ['claims'], superseded: [] };
    const spent = { used: { costUsd: 0, tokens: 1 }, models: [] };
    run.driver.plan({ kind: 'planned', plan: nextPlan(current, changed), changes, ...spent });
    expect([run.item, run.events]).toEqual([undefined, ['queued', 'dropped']]);
    // The result of the dependent that runs counts no more.
    run.driver.pass('report');
    expect([run.status('report'), subtaskOf(run.state, 'report').waitsFor]).toEqual(['pending', 1]);
    run.at(2).driver.pass('claims');
    expect(run.at(3).status('report')).toBe('running');
  });

  test('30: ends when the budget for tries is used up', () => {
    const run = new Case({ policy: queue, budget: { remediations: 1 } }).gap().at(2).miss();
    expect([run.verdict, run.events]).toEqual(['partial-verified', ['queued', 'failed']]);
    const failed = run.state.log.events.find(({ type }) => type === 'remediation.failed');
    expect(failed).toMatchObject({ reason: 'the budget for repairs is used up' });
  });
});

describe('owed evidence beside other work', () => {
  test('takes a slot only after subtasks that are ready', () => {
    const run = new Case({ policy: queue, maxParallelSubtasks: 1 }).gap().at(0);
    expect(run.state.queue.running).toEqual(['other']);
    run.at(5).driver.pass('other');
    run.at(5);
    expect(run.state.queue.running).toEqual(['report']);
  });

  test('is shown in the status while it is open', () => {
    const run = new Case({ policy: queue }).gap();
    const { subtasks, remediations } = statusView(run.state, run.driver.now);
    expect(subtasks[0]).toMatchObject({ id: 'claims', state: 'remediating' });
    expect(remediations).toEqual([
      {
        ...{ id: 'rem-1', subtask: 'claims', strategy: 'follow-up', reasons: ['evidence-gap'], targets: ['price'] },
        ...{ blocking: false, released: true, attempts: 0, max: 3 },
        queuedAt: new Date(t0).toISOString(),
        expiresAt: new Date(t0 + 6 * 3_600_000).toISOString(),
        dueAt: new Date(t0 + 2_000).toISOString(),
      },
    ]);
  });

  test('is never tried together with a dependent that writes the same file', () => {
    const deliverables = ['notes.md'];
    const ladder = [rung()];
    const claims = subtask('claims', { ladder, maxAttempts: 1, remediation: queue, deliverables });
    const driver = new Driver(stateOf([claims, subtask('report', { dependsOn: ['claims'], deliverables })]), t0);
    driver.beginAll();
    driver.owe('claims', ['price']);
    driver.beginAll();
    driver.now += 5_000;
    driver.beginAll();
    expect(driver.state.queue.running).toEqual(['report']);
  });

  test('names in the end what has no evidence', () => {
    const run = new Case({ policy: queue, alone: true, budget: { remediations: 1 } }).gap().at(2).miss().finishOthers();
    expect(ending(run.state)?.reason).toBe('3 subtasks done, claims without all evidence');
  });

  test('teaches no fix when it is kept although it did not pass', () => {
    const run = new Case({ policy: queue, budget: { remediations: 1 } }).gap().at(2).miss();
    expect(run.verdict).toBe('partial-verified');
    expect(Object.values(run.state.log.learned.signatures).every(({ fixedAtRung }) => fixedAtRung === null)).toBe(true);
  });
});
