import { AskingTask } from '../asking-task.ts';
import type { Rig } from '../rig.ts';

export const victims = ['worker', 'server', 'both'] as const;
export type Victim = (typeof victims)[number];

export interface Recovery {
  victim: Victim;
  /** Until what was killed is there again: milliseconds from its start. */
  restarted: number;
  /** A decision sent then: milliseconds to its receipt and to the start of the next attempt's program. */
  answered: number;
  reacted: number;
}

/** kill -9 while a question is open, start again, answer the question. */
export async function measureRecovery(rig: Rig, times: number): Promise<Recovery[]> {
  const recoveries: Recovery[] = [];
  const task = await AskingTask.start(rig, 'recovery');
  for (let n = 0; n < times; n += 1) {
    for (const victim of victims) {
      await task.question();
      if (victim !== 'server') await rig.killWorker();
      if (victim !== 'worker') await rig.killServer();
      const from = performance.now();
      if (victim !== 'worker') await rig.restartServer();
      if (victim !== 'server') await rig.startWorker();
      const restarted = performance.now() - from;
      recoveries.push({ victim, restarted, ...(await task.answer()) });
    }
  }
  await task.question();
  await task.stop();
  return recoveries;
}
