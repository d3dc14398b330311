// The choice of a model for a role and tier: the rule by examples, and as a property for any models.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Model, ModelRole } from '../../../domain/types/llm.ts';
import type { Tier } from '../../../domain/types/subtask.ts';
import { modelRoles } from '../../../domain/llm/model-schema.ts';
import { fallsShort, routeModel, formatFallback } from '../../../domain/llm/route-model.ts';
import { model } from './support.ts';

const tiers: Tier[] = [1, 2, 3];
const of = (...given: [name: string, tier: Tier, roles?: ModelRole[]][]): Model[] =>
  given.map(([name, tier, roles]) => model(name, { tier, ...(roles === undefined ? {} : { roles }) }));

describe('the model of a role and tier', () => {
  const cases: [what: string, models: Model[], served: (string | undefined)[]][] = [
    ['is the one of that tier', of(['a', 1], ['b', 2], ['c', 3]), ['a', 'b', 'c']],
    ['is the nearest above', of(['c', 3], ['b', 2]), ['b', 'b', 'c']],
    ['is above rather than below', of(['a', 1], ['c', 3]), ['a', 'c', 'c']],
    ['is the highest below where none is above', of(['a', 1], ['b', 2]), ['a', 'b', 'b']],
    ['is the first of equal ones', of(['y', 2], ['x', 2]), ['y', 'y', 'y']],
    ['serves the role', of(['a', 1, ['verifier']], ['c', 3, ['executor']]), ['c', 'c', 'c']],
    ['is not there when none serves the role', of(['a', 1, ['planner']]), [undefined, undefined, undefined]],
    ['is not there without models', [], [undefined, undefined, undefined]],
  ];
  test.each(cases)('is chosen: %s', (_, models, served) => {
    expect(tiers.map((tier) => routeModel(models, { role: 'executor', tier })?.name)).toEqual(served);
  });

  test('is the named one at every tier, if it serves the role', () => {
    const models = of(['a', 1], ['b', 3], ['judge', 2, ['verifier']]);
    const by = (name: string): (string | undefined)[] =>
      tiers.map((tier) => routeModel(models, { role: 'executor', tier, name })?.name);
    expect(by('a')).toEqual(['a', 'a', 'a']);
    expect(by('judge')).toEqual([undefined, undefined, undefined]);
    expect(by('nobody')).toEqual([undefined, undefined, undefined]);
  });
});

test('the routing rule holds for any models: role, then nearest at or above, else highest below, else first', () => {
  const models = fc.array(
    fc.record({ tier: fc.constantFrom(...tiers), roles: fc.subarray([...modelRoles], { minLength: 1 }) }),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(models, fc.constantFrom(...modelRoles), fc.constantFrom(...tiers), (given, role, tier) => {
      const all = given.map((each, index) => model(`m${index}`, each));
      const serving = all.filter(({ roles }) => roles.includes(role));
      const above = serving.filter((each) => each.tier >= tier).map((each) => each.tier);
      const below = serving.filter((each) => each.tier < tier).map((each) => each.tier);
      const expected = above.length > 0 ? Math.min(...above) : Math.max(...below);
      expect(routeModel(all, { role, tier })).toBe(serving.find((each) => each.tier === expected));
    }),
  );
});

test('a weaker model than requested is explained in a sentence, a stronger one is not', () => {
  const small = model('small', { tier: 1 });
  expect([fallsShort(small, 1), fallsShort(small, 2), fallsShort(model('large', { tier: 3 }), 1)]).toEqual([
    false,
    true,
    false,
  ]);
  expect(formatFallback(small, { role: 'executor', tier: 3 })).toBe(
    'no model of tier 3 or above serves `executor`: `small` (tier 1) does',
  );
});
