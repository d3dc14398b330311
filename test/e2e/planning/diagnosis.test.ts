// Before the strongest attempt a model looks at the failures, once; what it says stands in the prompt, and its trouble is nobody's.
import { expect, test } from 'vitest';
import { endOf, shellPlan, useRig } from '../../support/rig.ts';
import { failsWith, promptIn } from '../../support/witness.ts';
import { playModels, type Entry } from './support.ts';

const rig = useRig();

const diagnosis = {
  cause: 'The pump has no power.',
  actions: ['Plug it in.'],
  guardrails: ['Do not open it.'],
  successCriteria: ['It runs.'],
};

async function run(script: Entry[]) {
  const workspace = rig.workspace();
  playModels(workspace, script);
  const ladder = [
    { tier: 'assigned' as const },
    { tier: 'next' as const },
    { tier: 'highest' as const },
    { person: true },
  ];
  const task = await rig.start(shellPlan({ work: { sh: failsWith('pump', 'pump') } }, { workspace, ladder }));
  expect(await endOf(task)).toBe('completed');
  return { workspace, status: await task.status(), attempts: await task.attempts() };
}

test('its words are in the prompt of the last rung alone, and what it used counts', async () => {
  const asked = { when: { role: 'planner', subtask: 'work', contains: 'the pump broke' } };
  const { workspace, status, attempts } = await run([{ ...asked, reply: { text: JSON.stringify(diagnosis) } }]);
  expect(promptIn(workspace, 'work', 2)).not.toContain('<diagnosis');
  expect(promptIn(workspace, 'work', 3)).toContain(
    '<cause>The pump has no power.</cause>\n<action>Plug it in.</action>',
  );
  expect(attempts.map((attempt) => attempt.diagnosis)).toEqual([
    ...[undefined, undefined],
    { cause: 'The pump has no power.', by: 'model' },
  ]);
  expect(status.budget).toMatchObject({ modelCalls: { used: 1 } });
  expect(status.planner).toMatchObject([{ model: 'all', role: 'planner', calls: 1 }]);
}, 30_000);

test('a model that says nothing of use, or fails, is asked once and holds nothing up', async () => {
  const { workspace, status } = await run([{ when: { role: 'planner' }, times: 9, reply: { text: 'No idea.' } }]);
  expect(promptIn(workspace, 'work', 3)).not.toContain('<diagnosis');
  expect(status.budget).toMatchObject({ modelCalls: { used: 1 } });
  const failed = await run([{ when: { role: 'planner' }, times: 9, reply: { status: 500 } }]);
  expect(promptIn(failed.workspace, 'work', 3)).toContain('the pump broke');
}, 30_000);
