import { defineSearchAttributeKey } from '@temporalio/common';
import {
  condition,
  defineUpdate,
  proxyActivities,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { HostActivities } from '../domain/types/activities.ts';
import type { AttemptKey, InputRef } from '../domain/types/attempt.ts';
import type { Outcome } from '../domain/types/outcome.ts';
import type { Ref } from '../domain/types/basic/ref.ts';
import { reduceLadder } from '../domain/recovery/ladder.ts';
import { attributes, searchAttributes } from '../domain/names/search-attributes.ts';
import { type AttemptTiming, verifyOptions } from '../workflows/task/activity-options.ts';
import { executeByKind } from '../workflows/task/execute-by-kind.ts';
import { type BareDecisionsInput, type BareInput, bareUpdate } from './bare-messages.ts';

/**
 * The workflow that a Temporal user would write by hand: the same activities with the same options and inputs, chained by promises. No state, no
 * messages, no events, no recovery.
 */
export async function bare(input: BareInput): Promise<number> {
  const { subtasks, parallel } = input;
  const todo = subtasks.entries();
  let last: InputRef[] = [];
  const lane = async (): Promise<void> => {
    for (const [index, id] of todo) {
      const result = await runSubtask(input, index, id, last);
      if (parallel === 1) last = [{ id, status: 'success', notes: '', result }];
    }
  };
  await Promise.all(Array.from({ length: parallel }, lane));
  return subtasks.length;
}

const stateKey = defineSearchAttributeKey(attributes.state, searchAttributes.HeddleState);

/** Waits for an update, then runs one attempt; again and again. */
export async function bareDecisions(input: BareDecisionsInput): Promise<void> {
  const [id] = input.subtasks;
  if (id === undefined) throw new Error('a plan without subtasks');
  const show = (state: string): void => {
    if (input.findable) upsertSearchAttributes([{ key: stateKey, value: state }]);
  };
  let answers = 0;
  setHandler(defineUpdate<number>(bareUpdate), () => (answers += 1));
  for (let attempt = 1; attempt <= input.count; attempt += 1) {
    show('waiting');
    await condition(() => answers >= attempt);
    show('running');
    await execute(input, keyOf(input, 0, id, attempt), []);
  }
}

async function runSubtask(input: BareInput, index: number, id: string, inputs: InputRef[]): Promise<Ref> {
  const key = keyOf(input, index, id, 1);
  const execution = await execute(input, key, inputs);
  if (execution.kind !== 'finished') throw new Error(`${id} was not finished but ${execution.kind}`);
  const { setting, row } = input;
  const { verifySubtask } = proxyActivities<HostActivities>(verifyOptions(setting, callOf(input, key), row.commands));
  const { result } = await verifySubtask({ ...key, execution });
  if (result === null) throw new Error(`${id} did not pass`);
  return result;
}

type Key = AttemptKey & { plan: Ref; workspace: string };

function execute(input: BareInput, key: Key, inputs: InputRef[]): Promise<Outcome> {
  const call = callOf(input, key);
  const { tier, thinking } = call.step;
  const idempotencyKey = `${key.taskId}/${key.subtaskId}/${key.attempt}`;
  const context = { guidance: [], steering: [], retry: null };
  const usedBefore = { costUsd: 0, tokens: 0 };
  const executeInput = { ...key, tier, thinking, timeout: call.timeout, context, inputs, idempotencyKey };
  return executeByKind(input.row, {
    settings: input.setting,
    call,
    input: executeInput,
    admit: () => null,
    usedBefore,
  });
}

/** The attempt, and the place of its definition. */
function keyOf({ setting, pages }: BareInput, index: number, subtaskId: string, attempt: number): Key {
  const page = pages.find(({ from, count }) => index >= from && index < from + count);
  if (page === undefined) throw new Error(`no page of the plan holds ${subtaskId}`);
  const { workflowId: taskId, firstExecutionRunId: chain } = workflowInfo();
  const plan = { sha256: page.sha256, bytes: page.bytes };
  const startedAt = new Date().toISOString();
  return { taskId, subtaskId, attempt, chain, startedAt, plan, workspace: setting.workspace };
}

function callOf({ setting, row }: BareInput, { subtaskId, attempt }: Key): AttemptTiming {
  const [step] = reduceLadder(setting.ladder, row.tier).steps;
  if (step === undefined) throw new Error('the plan has no rung');
  return { subtask: subtaskId, attempt, step, timeout: row.call.timeout };
}
