import { planLimits } from '../input/limits.ts';

interface Walker {
  node: number;
  next: number;
}

const fresh = 0;
const onTheWay = 1;
const done = 2;

/**
 * Finds the cycles of a graph as lists of nodes, each starting with its first node. There is one for each edge back to the current path,
 * so that no cycle remains without these edges. It takes linear time and keeps its own stack, because plans may be long chains.
 */
export function findCycles(edges: readonly (readonly { to: number }[])[]): number[][] {
  const state = new Uint8Array(edges.length);
  const cycles: number[][] = [];
  for (const start of edges.keys()) {
    if (state[start] !== fresh) continue;
    const way: Walker[] = [{ node: start, next: 0 }];
    state[start] = onTheWay;
    for (let here = way.at(-1); here !== undefined; here = way.at(-1)) {
      const to = edges[here.node]?.[here.next]?.to;
      here.next += 1;
      if (to === undefined) {
        state[here.node] = done;
        way.pop();
      } else if (state[to] === fresh) {
        state[to] = onTheWay;
        way.push({ node: to, next: 0 });
      } else if (state[to] === onTheWay) {
        cycles.push(fromItsFirst(cycleBackTo(to, way)));
        if (cycles.length >= planLimits.problems) return cycles;
      }
    }
  }
  return cycles;
}

function cycleBackTo(to: number, way: readonly Walker[]): number[] {
  return way.slice(way.findLastIndex(({ node }) => node === to)).map(({ node }) => node);
}

/** Rotates a cycle so that it starts with the subtask that comes first in the plan. */
function fromItsFirst(cycle: readonly number[]): number[] {
  let first = 0;
  for (const [index, node] of cycle.entries()) if (node < (cycle[first] ?? node)) first = index;
  return [...cycle.slice(first), ...cycle.slice(0, first)];
}
