import { test } from 'vitest';
import { endOf, shellPlan, useRig } from '../support/rig.ts';
const rig = useRig();
test('stress', { timeout: 300_000 }, async () => {
  const lost: Record<string, number> = {};
  const count: Record<string, number> = {};
  const tasks = [];
  for (let i = 0; i < 6; i += 1) {
    const sh = '[ $HEDDLE_ATTEMPT -gt 1 ] && { echo done; exit; }; echo broke >&2; exit 1';
    const task = await rig.start(shellPlan({ work: { sh } }));
    await endOf(task);
    tasks.push(task);
  }
  const q = async (mode: string, p: Promise<unknown>) => {
    count[mode] = (count[mode] ?? 0) + 1;
    try { await p; } catch (e) { lost[mode] = (lost[mode] ?? 0) + 1; }
  };
  const t0 = Date.now();
  while (Date.now() - t0 < 40_000) for (const task of tasks) { await q('sequential', task.attempts()); await q('sequential', task.status()); await q('sequential', task.events()); }
  const t1 = Date.now();
  while (Date.now() - t1 < 60_000) for (const task of tasks) await Promise.all([q('concurrent', task.attempts()), q('concurrent', task.status()), q('concurrent', task.events())]);
  console.log('LOST', lost, count);
});
