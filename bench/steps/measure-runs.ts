import { setTimeout as sleep } from 'node:timers/promises';
import { cpuTime } from '../cpu-time.ts';
import { taskQueue } from '../names.ts';
import { barePlan, heddlePlan, type Kind, type Shape } from '../plans.ts';
import type { Rig } from '../rig.ts';

export const sides = ['bare', 'heddle'] as const;
export type Side = (typeof sides)[number];

/** The cost of one workflow with `count` subtasks. */
export interface Run {
  side: Side;
  shape: Shape;
  kind: Kind;
  count: number;
  round: number;
  /** From the start to the result, as the client sees it. */
  ms: number;
  events: number;
  bytes: number;
  /** Milliseconds of CPU; undefined where the system does not say. */
  workerCpu: number | undefined;
  serverCpu: number | undefined;
}

/** The work of the server after a workflow has ended must not be charged to the next one. */
const settle = 200;

export async function measureRun(
  rig: Rig,
  about: Pick<Run, 'side' | 'shape' | 'kind' | 'count' | 'round'>,
): Promise<Run> {
  const { side, shape, kind, count, round } = about;
  const id = `${side}-${shape}-${kind}-${count}-${round}`;
  const run = side === 'heddle' ? heddleRun(rig, id, about) : await bareRun(rig, id, about);
  await sleep(settle);
  const before = usage(rig);
  const started = performance.now();
  const workflowId = await run();
  const ms = performance.now() - started;
  const after = usage(rig);
  const { historyLength, historySize } = await rig.temporal.workflow.getHandle(workflowId).describe();
  return {
    ...about,
    ms,
    events: historyLength,
    bytes: historySize ?? NaN,
    workerCpu: difference(after.worker, before.worker),
    serverCpu: difference(after.server, before.server),
  };
}

type About = Pick<Run, 'shape' | 'kind' | 'count'>;

function heddleRun(rig: Rig, id: string, { shape, kind, count }: About): () => Promise<string> {
  const plan = heddlePlan(shape, kind, count, rig.place.workspace);
  return async () => {
    const task = await rig.client.start(plan, { id });
    await task.result();
    return task.workflowId;
  };
}

/** Its plan is in the store before the clock runs: a workflow by hand has it in its code. */
async function bareRun(rig: Rig, workflowId: string, { shape, kind, count }: About): Promise<() => Promise<string>> {
  const input = await barePlan(shape, kind, count, rig.place);
  return async () => {
    await rig.temporal.workflow.execute('bare', { workflowId, taskQueue, args: [input] });
    return workflowId;
  };
}

function usage(rig: Rig): { worker: number | undefined; server: number | undefined } {
  const { worker, server } = rig.pids;
  return { worker: worker === undefined ? undefined : cpuTime(worker), server: cpuTime(server) };
}

const difference = (after: number | undefined, before: number | undefined): number | undefined =>
  after === undefined || before === undefined ? undefined : after - before;
