import { expect } from 'vitest';
import type { AttemptView } from '../../../client/index.ts';
import { until } from '../../support/cli.ts';
import { processesOf, type Machine } from './machine.ts';

/** The worker ends what a program left behind within its grace and a little more. */
const leftBehind = 20_000;

/** No program ran twice for one attempt unless the record says why, and never beside itself. */
export function checkRuns(machine: Machine, attempts: readonly AttemptView[], taskId: string): void {
  const records = new Map(attempts.map((record) => [`${taskId}/${record.subtask}/${record.attempt}`, record]));
  const keys = new Map<string, string[]>();
  for (const { what, key } of machine.witness()) keys.set(key, [...(keys.get(key) ?? []), what]);
  const { workerKills, workerStops, serverKills, serverStops } = machine.counts;
  for (const [key, lines] of keys) {
    const record = records.get(key);
    if (record === undefined) throw new Error(`${key} ran, and no record knows of it`);
    const times = (what: string): number => lines.filter((line) => line === what).length;
    const explained = times('busy') + record.waits.length + record.reruns;
    expect(times('start') - 1, `${key} ran ${times('start')} times: ${JSON.stringify(record)}`).toBeLessThanOrEqual(
      explained,
    );
  }
  // Each kill of a worker cuts an attempt off at most once; a server that is away may make a worker hand one over.
  for (const [key, { reruns }] of records)
    expect(reruns, key).toBeLessThanOrEqual(
      workerKills + (reruns > workerKills ? workerStops + serverKills + serverStops : 0),
    );
  for (const [key, { outcome }] of records) {
    if (outcome === 'passed') expect(keys.get(key), `${key} passed and never ran`).toContain('done');
  }
}

export async function checkNothingRuns(taskId: string): Promise<void> {
  await until(`nothing of ${taskId} runs`, () => processesOf(taskId).length === 0, leftBehind).catch(
    (error: unknown) => {
      throw new Error(`still running: ${processesOf(taskId).join(', ')}`, { cause: error });
    },
  );
}
