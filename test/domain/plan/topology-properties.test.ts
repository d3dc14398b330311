/* Random graphs: every one without a cycle is accepted, every cycle is found and is one. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TopologySubtask } from '../../../domain/plan/topology.ts';
import { checkTopology } from '../../../domain/plan/topology.ts';

/** Edges lead only to smaller numbers, so there is no cycle; the order in the plan is any. */
const acyclic = fc
  .integer({ min: 1, max: 40 })
  .chain((size) =>
    fc.tuple(
      fc.array(fc.array(fc.nat({ max: size - 1 }), { maxLength: 6 }), { minLength: size, maxLength: size }),
      fc.shuffledSubarray(
        Array.from({ length: size }, (_, index) => index),
        { minLength: size, maxLength: size },
      ),
    ),
  )
  .map(([wishes, order]) =>
    order.map((index) => ({
      id: `s${index}`,
      dependsOn: (wishes[index] ?? []).filter((to) => to < index).map((to) => `s${to}`),
      synthesis: false,
    })),
  );

const anyGraph = fc
  .integer({ min: 1, max: 12 })
  .chain((size) =>
    fc.array(fc.array(fc.nat({ max: size - 1 }), { maxLength: 4 }), { minLength: size, maxLength: size }),
  )
  .map((edges) => edges.map((to, index) => ({ id: `s${index}`, dependsOn: to.map((n) => `s${n}`), synthesis: false })));

/** Takes subtasks away whose dependencies are all gone; what stays is in a cycle or behind one. */
function hasCycle(subtasks: readonly TopologySubtask[]): boolean {
  const done = new Set<string | undefined>();
  for (let before = -1; before !== done.size;) {
    before = done.size;
    for (const { id, dependsOn } of subtasks) if (dependsOn.every((to) => done.has(to))) done.add(id);
  }
  return done.size < subtasks.length;
}

const cyclesOf = (subtasks: readonly TopologySubtask[]): string[][] =>
  checkTopology(subtasks)
    .filter(({ code }) => code === 'PLAN_CYCLE')
    .map(({ message }) => message.replace(/^.*: /, '').replace(/\.$/, '').split(' -> '));

describe('a random graph', () => {
  test('without cycles has no problem', () => {
    const check = (subtasks: TopologySubtask[]): void => {
      expect(checkTopology(subtasks)).toEqual([]);
    };
    fc.assert(fc.property(acyclic, check));
  });

  test('has a cycle named exactly when it has one', () => {
    const check = (subtasks: TopologySubtask[]): void => {
      expect(cyclesOf(subtasks).length > 0).toBe(hasCycle(subtasks));
    };
    fc.assert(fc.property(anyGraph, check));
  });

  test('has only true cycles named, none twice', () => {
    const check = (subtasks: TopologySubtask[]): void => {
      const cycles = cyclesOf(subtasks);
      expect(new Set(cycles.map(String)).size).toBe(cycles.length);
      for (const names of cycles) {
        expect(new Set(names).size).toBe(names.length - 1);
        for (const [index, name] of names.slice(0, -1).entries()) {
          expect(subtasks.find(({ id }) => id === name)?.dependsOn).toContain(names[index + 1]);
        }
      }
    };
    fc.assert(fc.property(anyGraph, check));
  });

  test('has no cycles after the dependencies that the problems name are removed', () => {
    const check = (subtasks: TopologySubtask[]): void => {
      let left = subtasks;
      for (let cycles = checkTopology(left); cycles.length > 0; cycles = checkTopology(left)) {
        const [{ path }] = [cycles[0]!];
        left = left.map((subtask, index) =>
          index === path[1]
            ? { ...subtask, dependsOn: subtask.dependsOn.filter((_, entry) => entry !== path[3]) }
            : subtask,
        );
      }
      expect(hasCycle(left)).toBe(false);
    };
    fc.assert(fc.property(anyGraph, check));
  });
});
