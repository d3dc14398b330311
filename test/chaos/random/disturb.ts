import { setTimeout as sleep } from 'node:timers/promises';
import type { Chance } from './chance.ts';
import type { Machine, Part } from './machine.ts';
import type { People } from './people.ts';

/** Disturbances of the task from outside, one after the other. */
export type Disturbance = { afterMs: number } & (
  | { kind: 'kill' | 'stop'; part: Part; ms: number }
  | { kind: 'pause' | 'steer' | 'cancel' }
);

/** `hard`: kills and stops, of which each costs seconds. */
export function randomDisturbances(chance: Chance, hard: number): Disturbance[] {
  const list: Disturbance[] = [];
  const cancels = chance.once(8);
  for (let left = hard; left > 0;) {
    const afterMs = chance.mostlySmall(50, 4_000);
    const kind = chance.pick({ kill: 3, stop: 2, steer: 3, pause: 2 });
    if (kind === 'steer' || kind === 'pause') {
      list.push({ afterMs, kind });
      continue;
    }
    left -= 1;
    const part = chance.pick({ worker: 3, server: 2 });
    list.push({
      afterMs,
      kind,
      part,
      ms: kind === 'kill' ? chance.mostlySmall(0, 3_000) : chance.mostlySmall(1_000, 12_000),
    });
  }
  if (cancels) list.splice(chance.between(0, list.length), 0, { afterMs: chance.between(50, 4_000), kind: 'cancel' });
  return list;
}

/** Until the list is done or the task has ended. */
export async function disturb(
  list: readonly Disturbance[],
  { machine, people, signal }: { machine: Machine; people: People; signal: AbortSignal },
): Promise<void> {
  for (const one of list) {
    await sleep(one.afterMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    switch (one.kind) {
      case 'kill':
        await machine.kill(one.part, one.ms);
        break;
      case 'stop':
        await machine.stop(one.part, one.ms);
        break;
      case 'pause':
        await people.pause();
        break;
      case 'steer':
        await people.steer();
        break;
      case 'cancel':
        await people.cancel();
    }
  }
}
