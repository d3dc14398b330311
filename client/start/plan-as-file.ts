import { noConfig } from '../../domain/config/layers.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { rewritten } from '../../domain/planner/planner-input.ts';
import { readWrittenPlan } from '../../domain/planner/written-plan.ts';
import type { ReadStored } from '../follow/read-pages.ts';
import type { HeddleClient } from '../sdk/heddle-client.ts';
import type { TaskHandle } from '../sdk/task-handle.ts';
import { readSentInput } from './sent-plan.ts';

/** Writes the newest plan of a task as a plan file has it, so that it can be changed and given back. */
export async function readPlanAsFile(
  client: HeddleClient,
  task: TaskHandle,
  readStored: ReadStored,
): Promise<Record<string, unknown>> {
  const plan = await task.plan();
  const sent = await readSentInput(client, task.workflowId);
  if (sent === undefined) throw lostPlan(`The server has forgotten the plan that ${task.id} was started with`);
  // The settings of the one who started it, and work of an earlier task, are no part of a file.
  const { config: _, reuse: _reuse, planOnly: _planOnly, ...raw } = sent;
  if (plan?.written === undefined) return raw;
  const written = readWrittenPlan(await readStored(plan.written));
  if (written === undefined) throw lostPlan(`The newest plan of ${task.id} is in the store of ${plan.host}`);
  return rewritten({ raw, config: noConfig() }, written.part);
}

const lostPlan = (message: string): HeddleError => new HeddleError({ code: 'STORE_MISSING', message });
