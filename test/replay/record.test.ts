// The tasks whose histories are the corpus. Skipped unless they are recorded: `node scripts/record-histories.ts`.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { useOwnActivity } from '../support/own-activity.ts';
import { decisionOpened, endOf, eventOf, shellPlan, useRig } from '../support/rig.ts';
import { calls, finishes, serveScript, writeModels } from '../support/scripted-models.ts';
import { failsWith, until } from '../support/witness.ts';

const recording = process.env['HEDDLE_RECORD_HISTORIES'] !== undefined;
const ok = 'echo done';
const asks = '[ $HEDDLE_ATTEMPT = 1 ] && { echo "not allowed" >&2; exit 77; }; echo done';
/** Each its own memory, under a neutral name: the default is the name of a folder of this machine. */
const of = (task: string) => ({ project: `corpus-${task}` });

describe.skipIf(!recording)('recorded tasks', () => {
  const rig = useRig({ server: { dynamicConfig: { 'limit.historyCount.suggestContinueAsNew': '45' } } });

  const own = useOwnActivity(rig, ({ subtaskId, attempt }) => ({
    status: subtaskId === 'own-3' && attempt === 1 ? 'failed' : 'success',
    notes: 'done',
  }));

  // The order in which pieces continue that end in one workflow task is a part of the history; no two crowds end alike.
  test.each(['crowd', 'other-crowd', 'third-crowd', 'fourth-crowd'])(
    '%s: programs and activities of the user, and signals among them',
    async (id) => {
      const programs = {
        'program-1': { sh: ok },
        'program-2': { sh: failsWith('pump') },
        'program-3': { sh: ok, dependsOn: ['own-1'] },
      };
      const owns = { 'own-1': { sh: ok }, 'own-2': { sh: ok, dependsOn: ['program-1'] }, 'own-3': { sh: ok } };
      const { subtasks, ...plan } = shellPlan({ ...programs, ...owns }, of(id));
      const task = await rig.start(
        { ...plan, subtasks: subtasks.map((one) => (one.id in owns ? { ...one, executor: own } : one)) },
        { id },
      );
      const handle = rig.temporal.workflow.getHandle(task.workflowId);
      await until(async () => (await task.status()).state === 'running');
      await handle.signal('pause', { reason: 'lunch' });
      await handle.signal('resume', {});
      await handle.signal('steer', { text: 'be brief' });
      expect(await endOf(task)).toBe('completed');
    },
  );

  test('diamond: results flow down', async () => {
    const task = await rig.start(
      shellPlan(
        {
          a: { sh: `echo '{"status":"success","notes":"the answer is 42"}'` },
          b: { sh: ok, dependsOn: ['a'] },
          c: { sh: 'echo x > c.txt', dependsOn: ['a'], deliverables: ['c.txt'], verify: ['grep -q x c.txt'] },
          d: { sh: ok, dependsOn: ['b', 'c'], synthesis: true },
        },
        of('diamond'),
      ),
      { id: 'diamond' },
    );
    expect(await endOf(task)).toBe('completed');
  });

  test('ladder: four rungs, a person, guidance and steering', async () => {
    const task = await rig.start(shellPlan({ work: { sh: failsWith('pump', 'pump', 'pump', 'pump') } }, of('ladder')), {
      id: 'ladder',
    });
    await eventOf(task, decisionOpened());
    await task.steer({ text: 'be brief' });
    await task.decide({ decisionId: 'work-1', option: 'fix', instruction: 'oil the pump', by: 'ana' });
    expect(await endOf(task)).toBe('completed');
  });

  test('failing branch: a ladder without a person', async () => {
    const ladder = [{ tier: 'assigned' as const }, { tier: 'assigned' as const, feedback: true }];
    const task = await rig.start(
      shellPlan(
        { bad: { sh: failsWith('pump', 'pump') }, behind: { sh: ok, dependsOn: ['bad'] }, free: { sh: ok } },
        { ...of('failing-branch'), ladder },
      ),
      { id: 'failing-branch' },
    );
    expect(await endOf(task)).toBe('failed');
  });

  test('cancelled while a program runs', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(
      shellPlan(
        { runs: { sh: 'touch started; sleep 600' }, later: { sh: ok, dependsOn: ['runs'] } },
        { ...of('cancelled'), workspace },
      ),
      { id: 'cancelled' },
    );
    await until(() => existsSync(join(workspace, 'started')));
    await task.cancel();
    expect(await endOf(task)).toBe('cancelled');
  });

  test('aborted by an answer', async () => {
    const task = await rig.start(shellPlan({ work: { sh: asks } }, of('aborted')), { id: 'aborted' });
    await eventOf(task, decisionOpened());
    await task.decide({ decisionId: 'work-1', option: 'abort', by: 'ana' });
    expect(await endOf(task)).toBe('cancelled');
  });

  test('waits: the environment, an empty output, a time limit', async () => {
    const full = 'echo "ENOSPC: no space left on device" >&2; exit 1';
    const task = await rig.start(
      shellPlan(
        {
          sick: { sh: `[ -e seen ] || { touch seen; ${full}; }; echo done` },
          // Nobody writes beside it: a change could be its own.
          silent: { sh: '[ $HEDDLE_ATTEMPT = 1 ] || echo done', dependsOn: ['sick'] },
          slow: { sh: '[ $HEDDLE_ATTEMPT = 1 ] && sleep 30; echo done', timeout: '1s' },
        },
        of('waits'),
      ),
      { id: 'waits' },
    );
    expect(await endOf(task)).toBe('completed');
  });

  test('a plan that cannot run', async () => {
    const task = await rig.start(
      shellPlan({ a: { sh: ok, dependsOn: ['b'] }, b: { sh: ok, dependsOn: ['a'] } }, of('plan-cycle')),
      { id: 'plan-cycle' },
    );
    expect(await endOf(task)).toBe('failed');
  });

  test('questions: plan, approval with a deadline, budget, pause, bad signals', async () => {
    const task = await rig.start(
      shellPlan(
        {
          a: { sh: `echo '{"status":"success","costUsd":2}'` },
          b: { sh: ok, dependsOn: ['a'] },
        },
        {
          ...of('questions'),
          planApproval: true,
          budget: { costUsd: 1, wallClock: '1h' },
          approval: { mode: 'manual', onTimeout: 'proceed', timeout: '1s' },
        },
      ),
      { id: 'questions' },
    );
    await eventOf(task, decisionOpened('plan-1'));
    await rig.temporal.workflow.getHandle(task.workflowId).signal('decide', { decisionId: 'nobody', option: 'x' });
    await task.pause({ reason: 'lunch' });
    await task.decide({ decisionId: 'plan-1', option: 'approve', by: 'ana' });
    await task.resume();
    await eventOf(task, decisionOpened('budget-costUsd-1'));
    await task.decide({ decisionId: 'budget-costUsd-1', option: 'raise', value: 5 });
    expect(await endOf(task)).toBe('completed');
  });

  test('carried on: a question that is asked in one run and answered in the next', async () => {
    const workspace = rig.workspace();
    const wide = Object.fromEntries(Array.from({ length: 4 }, (_, n) => [`w${n}`, { sh: ok }]));
    const hold = { sh: 'until [ -e go ]; do sleep 0.05; done; echo done' };
    const task = await rig.start(shellPlan({ gate: { sh: asks }, ...wide, hold }, { ...of('carried-on'), workspace }), {
      id: 'carried-on',
    });
    await eventOf(task, decisionOpened('gate-1'));
    const runId = async () => (await rig.temporal.workflow.getHandle(task.workflowId).describe()).runId;
    const first = await runId();
    await task.steer({ text: 'be brief' });
    writeFileSync(join(workspace, 'go'), '');
    await until(async () => (await runId()) !== first);
    await task.decide({ decisionId: 'gate-1', option: 'retry' });
    expect(await endOf(task)).toBe('completed');
  });

  test('agent: a grant that is used up, a question, and the end', async () => {
    const workspace = rig.workspace();
    const { url } = await serveScript([
      calls(['write_file', { path: 'notes.md', content: 'one' }]),
      calls(['ask_user', { question: 'Which colour?', options: ['red', 'blue'] }]),
      finishes('it is red', ['notes.md']),
    ]);
    writeModels(workspace, url);
    const subtasks = [{ id: 'paint', description: 'Write notes.md', deliverables: ['notes.md'] }];
    const budget = { modelCalls: 2 };
    const task = await rig.start(
      { goal: 'paint', workspace, executor: 'agent', budget, subtasks, ...of('agent') },
      { id: 'agent' },
    );
    await eventOf(task, decisionOpened());
    await task.decide({ decisionId: 'paint-1', option: 'option-1', by: 'ana' });
    await until(async () => (await task.status()).decisions.some(({ kind }) => kind === 'budget'));
    await task.decide({ decisionId: 'budget-modelCalls-1', option: 'raise', by: 'ana' });
    expect(await endOf(task)).toBe('completed');
  });

  test('judged: a refusal, a claim that no file shows, votes on a copy, and a budget', async () => {
    const workspace = rig.workspace();
    const pass = { text: '{"passed": true, "confidence": 0.9}' };
    const refusal = {
      text: '{"passed": false, "confidence": 0.9, "issues": [{"message": "It is short.", "criterion": 1}]}',
    };
    const claim = { text: '{"passed": false, "confidence": 0.9, "issues": ["A TODO remains."]}' };
    let [refused, claimed] = [false, false];
    const { url } = await serveScript(({ text }) => {
      if (text.includes('do claimed') && !claimed) {
        claimed = true;
        return claim;
      }
      if (!text.includes('do refused') || refused) return pass;
      refused = true;
      return refusal;
    });
    writeModels(workspace, url);
    const file = (id: string) => ({ sh: `echo "attempt $HEDDLE_ATTEMPT" > ${id}.md`, deliverables: [`${id}.md`] });
    const plan = shellPlan(
      {
        refused: { ...file('refused'), criteria: ['it is long'] },
        claimed: { ...file('claimed'), dependsOn: ['refused'] },
        voted: { ...file('voted'), verification: 3, isolation: 'worktree', dependsOn: ['claimed'] },
      },
      { ...of('judged'), workspace, verification: 2, budget: { modelCalls: 4 } },
    );
    const task = await rig.start(plan, { id: 'judged' });
    await eventOf(task, decisionOpened());
    await task.decide({ decisionId: 'budget-modelCalls-1', option: 'raise', value: '40', by: 'ana' });
    expect(await endOf(task)).toBe('completed');
  });

  test('planned: a goal, another plan that a person wants, one while it runs, and a look at failures', async () => {
    const workspace = rig.workspace();
    const planOf = (...ids: string[]): object => ({
      subtasks: ids.map((id, at) => ({
        id,
        description: `do ${id}`,
        dependsOn: ids.slice(Math.max(0, at - 1), at),
        // The first one only reads; the others need a check.
        ...(at === 0 ? {} : { deliverables: [`${id}.md`] }),
      })),
    });
    const changed = {
      reason: 'It is enough.',
      subtasks: [
        { id: 'inspect' },
        { id: 'short', description: 'do short', dependsOn: ['inspect'], deliverables: ['short.md'] },
      ],
      superseded: [{ id: 'long', reason: 'short does it' }],
    };
    const says = (value: unknown) => ({ text: JSON.stringify(value) });
    let [plans, isWritten] = [0, false];
    const { url } = await serveScript(async ({ text, body }) => {
      if (text.includes('You plan the work of others')) {
        plans += 1;
        return plans === 1 ? { text: 'hm' } : says(planOf('inspect', plans === 2 ? 'other' : 'long'));
      }
      if (body['tools'] === undefined) {
        if (text.includes('You find out why')) return says({ cause: 'Nobody said how.', actions: ['Do it.'] });
        return text.includes('You tell a person') ? { text: 'It came to nothing.' } : says(changed);
      }
      if (text.includes('do long')) await new Promise(() => undefined);
      if (!text.includes('do short')) return finishes('done');
      if (!text.includes('Do it.'))
        return calls(['finish', { status: 'failed', notes: 'no', deliverablesTouched: [] }]);
      if (isWritten) return finishes('done', ['short.md']);
      isWritten = true;
      return calls(['write_file', { path: 'short.md', content: 'short\n' }]);
    });
    writeModels(workspace, url);
    const ladder = [{ tier: 'assigned' as const }, { tier: 'highest' as const }, { person: true }];
    const task = await rig.start(
      { goal: 'Make it short', workspace, planApproval: true, ladder, ...of('planned') },
      { id: 'planned' },
    );
    await eventOf(task, decisionOpened('plan-1'));
    await task.decide({ decisionId: 'plan-1', option: 'reject', instruction: 'make it long', by: 'ana' });
    await eventOf(task, decisionOpened('plan-2'));
    await task.decide({ decisionId: 'plan-2', option: 'approve', by: 'ana' });
    await eventOf(task, (event) => event.type === 'attempt.started' && event.subtask === 'long');
    await task.steer({ text: 'make it short', replan: true });
    expect(await endOf(task)).toBe('completed');
    expect(await task.status()).toMatchObject({
      planVersion: 3,
      subtasks: [{}, { state: 'skipped' }, { attempts: 2 }],
    });
  });

  test('gated: a call that is approved, one that is edited, one that is rejected, and a program', async () => {
    const workspace = rig.workspace();
    const write = (path: string): [string, unknown] => ['write_file', { path, content: 'A=1\n' }];
    const { url } = await serveScript([
      calls(write('.env'), write('.env.local')),
      calls(['delete_path', { path: 'src' }]),
      finishes('it is done', ['.env']),
    ]);
    writeModels(workspace, url);
    mkdirSync(join(workspace, 'src'));
    const subtasks = [
      { id: 'write', description: 'Write .env', deliverables: ['.env'] },
      {
        id: 'clean',
        description: 'Clean up',
        executor: { kind: 'command' as const, run: ['rm', '-fr', 'build'] },
        dependsOn: ['write'],
        verify: ['true'],
      },
    ];
    const task = await rig.start(
      { goal: 'write', workspace, executor: 'agent', subtasks, ...of('gated') },
      { id: 'gated' },
    );
    const answers = [
      { decisionId: 'write-1', option: 'approve' },
      { decisionId: 'write-2', option: 'edit', value: { path: 'notes.md', content: 'none\n' } },
      { decisionId: 'write-3', option: 'reject', instruction: 'it is still needed' },
      { decisionId: 'clean-1', option: 'approve' },
    ];
    for (const answer of answers) {
      await eventOf(task, decisionOpened(answer.decisionId));
      await task.decide({ ...answer, by: 'ana' });
    }
    expect(await endOf(task)).toBe('completed');
  });
});
