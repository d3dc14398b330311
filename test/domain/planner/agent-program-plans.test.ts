// Plans for a task whose only model is an agent program: it takes no tools of ours, so the program itself does the work.
import { describe, expect, test } from 'vitest';
import { addFoundModels, noConfig } from '../../../domain/config/layers.ts';
import { foundLayer } from '../../../domain/config/found-models.ts';
import { planUnderConfig } from '../../../domain/config/plan-under-config.ts';
import { buildKnownNames } from '../../../domain/config/known-names.ts';
import { buildCliSettings } from '../../../domain/llm/built-in-models.ts';
import { parsePlan } from '../../../domain/plan/parse-plan.ts';
import { estimatePlan } from '../../../domain/planner/estimate-plan.ts';
import { formatEstimate } from '../../../domain/planner/format-estimate.ts';
import { groundPlan } from '../../../domain/planner/ground-plan.ts';
import { namedExecutors, plannedInput } from '../../../domain/planner/planner-input.ts';

const config = addFoundModels(noConfig(), foundLayer(buildCliSettings('codex')));
const brief = { raw: { goal: 'a goal' }, config };

/** The subtasks of a reply as they would run. */
function planned(reply: readonly object[]) {
  const raw = plannedInput(brief, groundPlan(reply, { agent: false }));
  const parsed = parsePlan(raw, buildKnownNames(config));
  if (!parsed.ok) throw new Error(parsed.problems[0]?.message);
  return planUnderConfig(parsed.plan, raw, config).subtasks;
}

const reader = { kind: 'agent', tools: ['read_file', 'list_folder'] };

describe('a plan for codex alone', () => {
  test('every subtask runs with the program, also one that the reply gives to an agent', () => {
    const subtasks = planned([
      { id: 'inspect', description: 'look', executor: reader },
      { id: 'a', description: 'do a', dependsOn: ['inspect'], executor: 'agent' },
      { id: 'b', description: 'do b', dependsOn: ['inspect'] },
    ]);
    expect(subtasks.map(({ id }) => id)).toEqual(['inspect', 'a', 'b']);
    for (const { executor } of subtasks) expect(executor).toMatchObject({ kind: 'command', output: 'codex' });
  });

  test('the inspection of the reply is told to change nothing, and no second one is added', () => {
    const [inspect] = planned([
      { id: 'look', description: 'Find out.', executor: reader },
      { id: 'a', dependsOn: ['look'] },
    ]);
    expect(inspect?.description).toBe('Find out.\n\nOnly read. Change nothing. Report your findings in your notes.');
  });

  test('a reply without an inspection gets one', () => {
    expect(planned([{ id: 'a', description: 'do a' }]).map(({ id, dependsOn }) => [id, dependsOn])).toEqual([
      ['inspect', []],
      ['a', ['inspect']],
    ]);
  });

  test('its estimate says that the cost is unknown', () => {
    const estimate = estimatePlan(planned([{ id: 'a', description: 'do a' }]), config.models);
    expect(formatEstimate(estimate)).toMatch(/^about [1-9]\d*k tokens, cost unknown$/);
  });

  test('the plan of a model may name the program', () => {
    expect(namedExecutors(brief)).toContain('codex');
  });
});
