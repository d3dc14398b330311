export interface Node {
  id: string;
  dependsOn: readonly string[];
}

export interface Placed {
  id: string;
  column: number;
  row: number;
}

/** Columns from left to right: a subtask is one column behind the last of those that it waits for. A circle ends in the column where it was met. */
export function layOut(nodes: readonly Node[]): { placed: ReadonlyMap<string, Placed>; columns: number; rows: number } {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const columns = assignColumns(nodes, byId);
  const groups: string[][] = [];
  for (const { id } of nodes) (groups[columns.get(id) ?? 0] ??= []).push(id);
  const rowOf = new Map<string, number>();
  for (const group of groups) {
    // A node goes where those that it waits for are, so that few threads cross.
    const weight = (id: string): number => {
      const rows = (byId.get(id)?.dependsOn ?? []).flatMap((before) => rowOf.get(before) ?? []);
      return rows.length === 0 ? Infinity : rows.reduce((sum, row) => sum + row, 0) / rows.length;
    };
    const weights = new Map(group.map((id) => [id, weight(id)]));
    group.sort((a, b) => compare(weights.get(a) ?? 0, weights.get(b) ?? 0));
    for (const [row, id] of group.entries()) rowOf.set(id, row);
  }
  const rows = Math.max(1, ...groups.map(({ length }) => length));
  const placed = new Map<string, Placed>();
  for (const [column, group] of groups.entries())
    for (const [index, id] of group.entries()) placed.set(id, { id, column, row: index + (rows - group.length) / 2 });
  return { placed, columns: groups.length, rows };
}

const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);

function assignColumns(nodes: readonly Node[], byId: ReadonlyMap<string, Node>): Map<string, number> {
  const columns = new Map<string, number>();
  const waiting = new Map(
    nodes.map(({ id, dependsOn }) => [id, dependsOn.filter((before) => byId.has(before)).length]),
  );
  const after = new Map<string, string[]>();
  for (const { id, dependsOn } of nodes)
    for (const before of dependsOn) after.set(before, [...(after.get(before) ?? []), id]);
  const ready = nodes.filter(({ id }) => waiting.get(id) === 0).map(({ id }) => id);
  for (const id of ready) columns.set(id, 0);
  for (let id = ready.shift(); id !== undefined; id = ready.shift()) {
    const column = columns.get(id) ?? 0;
    for (const next of after.get(id) ?? []) {
      columns.set(next, Math.max(columns.get(next) ?? 0, column + 1));
      const left = (waiting.get(next) ?? 1) - 1;
      waiting.set(next, left);
      if (left === 0) ready.push(next);
    }
  }
  return columns;
}
