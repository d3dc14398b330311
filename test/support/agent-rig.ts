import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { afterAll, afterEach, beforeAll, inject } from 'vitest';
import { HeddleClient, type TaskHandle } from '../../client/index.ts';
import type { SharedActivities, HostActivities } from '../../domain/types/activities.ts';
import type { ExecuteInput } from '../../domain/types/attempt.ts';
import type { Outcome } from '../../domain/types/outcome.ts';
import type { PlanSoFar } from '../../domain/types/plan.ts';
import type { PlanTaskOutcome } from '../../domain/types/planner.ts';
import type { TaskSettings } from '../../domain/types/task-settings.ts';
import type { Subtask } from '../../domain/types/subtask.ts';
import { packPlan } from '../../domain/plan/pack-plan.ts';
import { planOf, refOf, settings, verdictOf } from '../domain/support-task.ts';
import { replay } from './rig.ts';

/** Play of an agent in one execution. `nth`: of its subtask, from 1. */
export type Play = (input: ExecuteInput, nth: number) => Outcome | Promise<Outcome>;

/** Play of a planner. */
export type Replanner = (have: PlanSoFar) => PlanTaskOutcome | Promise<PlanTaskOutcome>;

export interface AgentRig {
  temporal: Client;
  /** Input of every execution, in the order in which they began. */
  inputs: ExecuteInput[];
  start(subtasks: Subtask[], given: Partial<TaskSettings>, play: Play, plan?: Replanner): Promise<TaskHandle>;
}

let counter = 0;

/** The workflow of this tree on a real server; the worker behind it plays what an agent does, as the test says. */
export function useAgentRig(): AgentRig {
  const taskQueue = `agents-${process.pid}-${(counter += 1)}`;
  const rig = { inputs: [] as ExecuteInput[] } as AgentRig;
  const plans = new Map<
    string,
    { subtasks: Subtask[]; given: Partial<TaskSettings>; play: Play; plan: Replanner | undefined }
  >();
  const started: string[] = [];
  let native: NativeConnection;
  let worker: Worker;
  let running: Promise<void>;
  let client: HeddleClient;
  const of = (task: string) => {
    const found = plans.get(task);
    if (found === undefined) throw new Error(`no task ${task}`);
    return found;
  };
  const shared: Pick<SharedActivities, 'prepareTask' | 'rememberTask'> = {
    prepareTask: ({ taskId }) => {
      const { subtasks, given } = of(taskId);
      const said = settings({ ...given, id: taskId, hostQueue: taskQueue });
      return Promise.resolve({ settings: said, plan: packPlan(planOf(subtasks)), reuse: null });
    },
    rememberTask: () => Promise.resolve(),
  };
  const host: Pick<HostActivities, 'executeSubtask' | 'verifySubtask' | 'planTask'> = {
    executeSubtask: async (input) => {
      rig.inputs.push(input);
      const before = rig.inputs.filter(
        ({ taskId, subtaskId }) => taskId === input.taskId && subtaskId === input.subtaskId,
      );
      return of(input.taskId).play(input, before.length);
    },
    verifySubtask: () => Promise.resolve(verdictOf({ result: refOf(7) })),
    planTask: async ({ taskId, source }) => {
      const { plan } = of(taskId);
      if (plan === undefined || source.from !== 'replan') throw new Error('nobody plans here');
      return plan(source.have);
    },
  };
  rig.start = async (subtasks, given, play, plan) => {
    const id = `${taskQueue}-${plans.size}`;
    plans.set(id, { subtasks, given, play, plan });
    const handle = await client.start({ goal: 'agents', subtasks: [] }, { id });
    started.push(handle.workflowId);
    return handle;
  };
  beforeAll(async () => {
    const address = inject('temporalAddress');
    native = await NativeConnection.connect({ address });
    rig.temporal = new Client({ connection: await Connection.connect({ address }) });
    client = new HeddleClient(rig.temporal, { taskQueue });
    worker = await Worker.create({
      connection: native,
      taskQueue,
      workflowBundle: { codePath: inject('bundlePath') },
      activities: { ...shared, ...host },
      // A beat is how a cancellation comes: it is not waited for.
      maxHeartbeatThrottleInterval: 100,
    });
    running = worker.run();
  });
  afterEach(async () => {
    for (const workflowId of started) await replay(rig.temporal, workflowId);
    started.length = 0;
    rig.inputs.length = 0;
  });
  afterAll(async () => {
    worker.shutdown();
    await running;
    await rig.temporal.connection.close();
    await native.close();
  });
  return rig;
}
