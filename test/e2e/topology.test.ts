// How a plan runs on the real server: order, parallelism, synthesis, shared deliverables, results that flow down.
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { endOf, linesOf, shellPlan, useRig } from '../support/rig.ts';

const rig = useRig();
const log = 'echo $HEDDLE_SUBTASK_ID >> order.log; echo done';
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `s${index + 1}`);

/** Writes a line at its start and one at its end. */
const spans = (seconds: number): string =>
  `echo "+ $HEDDLE_SUBTASK_ID" >> spans.log; sleep ${seconds}; echo "- $HEDDLE_SUBTASK_ID" >> spans.log; echo done`;

/** How many ran at once at most, by the lines that the programs wrote. */
function mostAtOnce(lines: readonly string[]): number {
  let now = 0;
  let most = 0;
  for (const line of lines) {
    now += line.startsWith('+') ? 1 : -1;
    most = Math.max(most, now);
  }
  return most;
}

describe('order', () => {
  test('a diamond and a chain run each subtask once, in order of their dependencies, with the results of those; a synthesis is the last, whatever it depends on', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(
      shellPlan(
        {
          report: { sh: log, synthesis: true },
          a: { sh: `${log}; echo working; echo '{"status":"success","notes":"the answer is 42"}'` },
          b: { sh: log, dependsOn: ['a'] },
          c: { sh: `cat > prompt.txt; cp "$HEDDLE_INPUTS_FILE" inputs.json; ${log}`, dependsOn: ['a'] },
          d: { sh: log, dependsOn: ['b', 'c'] },
          e: { sh: log, dependsOn: ['d'] },
          f: { sh: `sleep 0.5; ${log}`, dependsOn: ['e'] },
        },
        { workspace },
      ),
    );
    expect(await endOf(task)).toBe('completed');
    const order = linesOf(join(workspace, 'order.log'));
    expect([order[0], ...order.slice(1, 3).sort(), ...order.slice(3)]).toEqual([
      'a',
      'b',
      'c',
      'd',
      'e',
      'f',
      'report',
    ]);
    expect(readFileSync(join(workspace, 'prompt.txt'), 'utf8')).toContain('<notes>the answer is 42</notes>');
    const inputs = JSON.parse(readFileSync(join(workspace, 'inputs.json'), 'utf8')) as { id: string; output: string }[];
    expect(inputs[0]?.id).toBe('a');
    expect(readFileSync(inputs[0]?.output ?? '', 'utf8')).toContain('working');
  });

  test('8 independent subtasks run each once, and never more at once than the plan allows', async () => {
    const workspace = rig.workspace();
    const ids = names(8);
    // Nobody ends before a second one has begun: without that a busy machine might run them one by one.
    const together = `echo "+ $HEDDLE_SUBTASK_ID" >> spans.log
      until [ "$(grep -c + spans.log)" -gt 1 ]; do sleep 0.05; done
      sleep 0.05; echo "- $HEDDLE_SUBTASK_ID" >> spans.log; echo done`;
    const task = await rig.start(
      shellPlan(Object.fromEntries(ids.map((id) => [id, { sh: together }])), { workspace, maxParallelSubtasks: 3 }),
    );
    expect(await endOf(task)).toBe('completed');
    const lines = linesOf(join(workspace, 'spans.log'));
    expect(
      lines
        .filter((line) => line.startsWith('+'))
        .map((line) => line.slice(2))
        .sort(),
    ).toEqual([...ids].sort());
    expect(mostAtOnce(lines)).toBeGreaterThan(1);
    expect(mostAtOnce(lines)).toBeLessThanOrEqual(3);
  });

  test('a subtask starts when its last dependency is done, while an unrelated sibling still runs', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(
      shellPlan(
        {
          quick: { sh: log },
          // Ends only when the subtask behind its sibling has run: with a barrier between levels it would wait for ever.
          slow: { sh: 'until [ -e behind.txt ]; do sleep 0.05; done; echo done', timeout: '20s' },
          behind: { sh: 'touch behind.txt; echo done', dependsOn: ['quick'] },
        },
        { workspace },
      ),
    );
    expect(await endOf(task)).toBe('completed');
    expect(await task.attempts()).toHaveLength(3);
  });

  test('two subtasks that write the same deliverable never overlap', async () => {
    const workspace = rig.workspace();
    const write = (seconds: number): string => `${spans(seconds)}; echo $HEDDLE_SUBTASK_ID >> shared.txt`;
    const task = await rig.start(
      shellPlan(
        {
          first: { sh: write(0.4), deliverables: ['shared.txt'] },
          // Another spelling of the same path.
          second: { sh: write(0.4), deliverables: ['./sub/../shared.txt'] },
          third: { sh: `echo mine > own.txt; ${write(0.4)}`, deliverables: ['own.txt', 'shared.txt'] },
        },
        { workspace },
      ),
    );
    expect(await endOf(task)).toBe('completed');
    expect(mostAtOnce(linesOf(join(workspace, 'spans.log')))).toBe(1);
    expect(linesOf(join(workspace, 'shared.txt'))).toEqual(['first', 'second', 'third']);
  });
});
