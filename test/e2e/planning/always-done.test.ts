// A model that always says "done" and does nothing: whatever the plan, nothing of it passes, and no task is completed unless its record
// says `unchecked` or a person said yes.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { PlanInput, Report, TaskHandle } from '../../../client/index.ts';
import { Cli, useSharedHome } from '../../support/cli.ts';
import { eventsOf } from '../../support/events.ts';
import { endOf, eventOf, useRig } from '../../support/rig.ts';
import { playModels, plans, writes, type Entry } from './support.ts';

const rig = useRig();
const home = useSharedHome();

const says = (role: string, reply: Entry['reply']): Entry => ({ when: { role }, times: 99, reply });
const finish = (status: string): Entry['reply'] => ({
  calls: [{ tool: 'finish', input: { status, notes: 'done', deliverablesTouched: [] } }],
});
const done: Entry[] = [
  says('planner', { text: 'done' }),
  says('executor', finish('success')),
  says('verifier', { text: 'done' }),
];

interface Kind {
  plan?: Partial<PlanInput>;
  /** Replies of the model before it says nothing but "done". */
  first?: Entry[];
  config?: string;
  files?: Record<string, string>;
  /** Action of a person once the task has begun. */
  meanwhile?: (task: TaskHandle) => Promise<void>;
  /** How it ends for a person who accepts every result and aborts what failed, and what they are asked. */
  ends: 'completed' | 'cancelled' | 'failed';
  asked: string[];
}

const work = (more: Record<string, unknown> = {}) => ({ id: 'work', description: 'Write made.md', ...more });
const agent = { executor: 'agent' } as const;
const noJudge = 'roles = ["planner", "executor"]\n';
const reads = { executor: { kind: 'agent', tools: ['read_file'] } };
const look = { id: 'look', description: 'Look at what is there', ...reads };
const after = { dependsOn: ['look'] };
const once = { ladder: [{ tier: 'assigned' as const }, { person: true }] };
const judged = { criteria: ['made.md is there'], verification: 2 as const };

const kinds: Record<string, Kind> = {
  'a goal that nobody can plan': { ends: 'completed', asked: ['approval'] },
  'a goal without a model that judges': { config: noJudge, ends: 'completed', asked: ['approval'] },
  'a goal whose degraded plan is approved': {
    plan: { planning: { tries: 1, degraded: 'require-approval' } },
    ends: 'completed',
    asked: ['plan', 'approval'],
  },
  'a goal that may stay unchecked': { plan: { allowUnchecked: true }, ends: 'completed', asked: [] },
  'a goal with a verify command': {
    plan: { verify: ['test -e made.md'], ...once },
    ends: 'cancelled',
    asked: ['escalation'],
  },
  'a goal in a project that tests itself': {
    plan: once,
    files: { Makefile: 'test:\n\ttest -e made.md\n' },
    ends: 'cancelled',
    asked: ['escalation'],
  },
  'a planned subtask with a deliverable': {
    plan: once,
    first: plans({ subtasks: [look, work({ ...after, deliverables: ['made.md'] })] }),
    ends: 'cancelled',
    asked: ['escalation'],
  },
  'a planned subtask whose deliverable was there before': {
    plan: once,
    first: plans({ subtasks: [look, work({ ...after, deliverables: ['made.md'] })] }),
    files: { 'made.md': 'old\n' },
    ends: 'completed',
    asked: ['approval'],
  },
  'a planned subtask whose judge cannot be read': {
    first: plans({ subtasks: [look, work({ ...after, ...judged })] }),
    ends: 'completed',
    asked: ['approval'],
  },
  'a planned synthesis that only reads': {
    first: plans({
      subtasks: [look, { id: 'sum', description: 'Say it', synthesis: true, ...reads }],
    }),
    ends: 'completed',
    asked: ['approval'],
  },
  'a planned goal under an approval that proceeds by itself': {
    plan: { approval: { mode: 'auto', onTimeout: 'proceed', timeout: '200ms' } },
    ends: 'completed',
    asked: ['approval'],
  },
  'an agent without checks': { plan: { subtasks: [work(agent)] }, ends: 'completed', asked: [] },
  'an agent whose deliverable was there before': {
    plan: { subtasks: [work({ ...agent, deliverables: ['made.md'] })] },
    files: { 'made.md': 'old\n' },
    ends: 'completed',
    asked: [],
  },
  'an agent with a judge that cannot be read': {
    plan: { subtasks: [work({ ...agent, ...judged })] },
    ends: 'completed',
    asked: [],
  },
  'an agent with three judges that are dead': {
    plan: { subtasks: [work({ ...agent, criteria: ['made.md is there'], verification: 3 })] },
    first: [says('verifier', { status: 401 })],
    ends: 'completed',
    asked: [],
  },
  'an agent in a worktree': {
    plan: { subtasks: [work({ ...agent, isolation: 'worktree' })] },
    ends: 'completed',
    asked: [],
  },
  'an agent that reports a part, where that is enough': {
    plan: { subtasks: [work({ ...agent, allowPartial: true })] },
    first: [says('executor', finish('partial'))],
    ends: 'completed',
    asked: [],
  },
  'an agent that reports a part, where that is not enough': {
    plan: { subtasks: [work(agent)], ...once },
    first: [says('executor', finish('partial'))],
    ends: 'cancelled',
    asked: ['escalation'],
  },
  'a new plan': {
    plan: { subtasks: [work({ ...agent, id: 'slow' })] },
    first: [
      { when: { role: 'executor', subtask: 'slow' }, reply: { ...finish('success'), delay: '3s' } },
      ...plans({ reason: 'More.', subtasks: [{ id: 'slow' }, work({ ...judged, dependsOn: ['slow'] })] }),
    ],
    meanwhile: async (task) => {
      await eventOf(task, (event) => event.type === 'attempt.started');
      await task.steer({ text: 'do more', replan: true });
    },
    ends: 'completed',
    asked: ['approval'],
  },
};

const passes: readonly unknown[] = ['pass', 'pass-with-warnings', 'partial-verified'];

/** Says yes to every result, and stops what failed. Resolves with what was asked. */
async function answerAll(task: TaskHandle): Promise<string[]> {
  const asked: string[] = [];
  for await (const event of task.follow()) {
    if (event.type !== 'decision.opened') continue;
    const { id, kind } = event.decision;
    asked.push(kind);
    await task.decide({ decisionId: id, option: kind === 'escalation' ? 'abort' : 'approve' });
  }
  return asked;
}

test.each(Object.entries(kinds))('%s is never a pass of a model that only says "done"', async (_, kind) => {
  const { plan, first = [], config = '', files = {}, meanwhile } = kind;
  const workspace = rig.workspace();
  playModels(workspace, [...first, ...done], config);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(workspace, name), text);
  const task = await rig.start({ goal: 'Write made.md', workspace, planning: { tries: 1 }, ...plan });
  const [asked] = await Promise.all([answerAll(task), meanwhile?.(task)]);
  const ended = await endOf(task);
  expect({ ended, asked }).toEqual({ ended: kind.ends, asked: kind.asked });
  const isPlanned = plan?.subtasks !== undefined || first.some(({ when }) => when?.['role'] === 'planner');
  expect(eventsOf(await task.events(), 'plan.degraded')).toHaveLength(isPlanned ? 0 : 1);
  const verdicts = (await task.attempts()).map(({ verdict }) => verdict);
  expect(verdicts.filter((verdict) => passes.includes(verdict))).toEqual([]);
  const isAccepted = asked.includes('approval');
  if (ended === 'completed') expect(isAccepted || verdicts.includes('unchecked')).toBe(true);
});

test('a retry after an undo is never a pass of a model that only says "done"', async () => {
  const cli = new Cli({ HEDDLE_HOME: home(), HEDDLE_TRUST: '1' });
  const fails: Entry = { when: { role: 'executor', subtask: 'last' }, times: 9, reply: finish('failed') };
  playModels(cli.cwd, [...writes('work', 'made.md', 'x\n'), fails]);
  const subtasks = [work(agent), { id: 'last', ...agent, dependsOn: ['work'] }];
  const plan = { goal: 'Write made.md', subtasks, ladder: [{ tier: 'assigned' }] };
  writeFileSync(join(cli.cwd, 'plan.json'), JSON.stringify(plan));
  expect(await cli.here('run', 'plan.json', '--id', 'undone')).toMatchObject({ code: 1 });
  expect(await cli.here('undo', 'undone')).toMatchObject({ code: 0 });
  playModels(cli.cwd, done);
  const retried = await cli.here('retry', 'undone');
  expect(retried).toMatchObject({ code: 0 });
  expect(retried.stdout + retried.stderr).toContain('unchecked');
  const { records, attempts } = await cli.jsonHere<Report>('report', 'undone-r2');
  expect(records.map(({ subtask, verdict }) => [subtask, verdict])).toEqual([
    ['work', 'unchecked'],
    ['last', 'unchecked'],
  ]);
  expect(attempts).toMatchObject({ unchecked: 2 });
}, 60_000);
