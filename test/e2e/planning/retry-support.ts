import { rootOfStore } from '../../../activities/home/home-layout.ts';
import { stampDeliverables } from '../../../activities/files/stamp-deliverables.ts';
import { compareLeftFiles } from '../../../activities/workspace/reuse/compare-left-files.ts';
import type { PlanInput, TaskHandle } from '../../../client/index.ts';
import { planRetry, type RetryPlan } from '../../../client/start/plan-retry.ts';
import type { Rig } from '../../support/rig.ts';
import { vouched } from '../../support/vouched.ts';
import { readStored } from '../../../workers/ports/read-store.ts';

/** Plans a retry, with the files and the store of the rig. */
export const retryPlanOf = (rig: Rig, task: TaskHandle): Promise<RetryPlan> =>
  planRetry(rig.client, task, {
    // What is trusted is said anew, as the command line does.
    config: (input: PlanInput) => Promise.resolve({ resolved: undefined, input: vouched({ ...input, config: {} }) }),
    compareLeft: (question) =>
      compareLeftFiles({ root: rootOfStore(rig.storeFolder), environment: process.env }, question),
    stamp: (workspace, paths) => stampDeliverables(workspace, paths),
    readStored: (ref) => readStored(rig.storeFolder, ref),
  });

export const startRetryOf = (rig: Rig, { input, taskId }: RetryPlan): Promise<TaskHandle> =>
  rig.start(vouched({ ...input, config: {} }), { id: taskId });
