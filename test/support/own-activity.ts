import type { Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { afterAll, beforeAll } from 'vitest';
import type { Rig } from './rig.ts';

export interface OwnInput {
  subtaskId: string;
  attempt: number;
  prompt: string;
  workspace: string;
}

/**
 * An activity of the test's own as the executor of subtasks: hundreds of attempts in the time of a few programs. Call it after
 * `useRig`, whose server it uses.
 */
export function useOwnActivity(rig: Rig, act: (input: OwnInput) => unknown) {
  const taskQueue = `${rig.taskQueue}-own`;
  let connection: NativeConnection;
  let worker: Worker;
  let running: Promise<void>;
  beforeAll(async () => {
    const { address } = (rig.temporal.connection as Connection).options;
    connection = await NativeConnection.connect({ address });
    worker = await Worker.create({ connection, taskQueue, activities: { act } });
    running = worker.run();
  });
  afterAll(async () => {
    worker.shutdown();
    await running;
    await connection.close();
  });
  return { kind: 'activity' as const, name: 'act', taskQueue };
}
