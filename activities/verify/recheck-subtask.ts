import { Context } from '@temporalio/activity';
import { rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { limits } from '../../domain/limits/domain-limits.ts';
import type { Recheck, RecheckInput } from '../../domain/types/reuse.ts';
import { toFailure } from '../temporal/failure.ts';
import { machineFailure } from '../temporal/transient-failure.ts';
import { attemptPaths } from '../home/home-layout.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import { baseEnvironment } from '../programs/base-environment.ts';
import { endOrphan, keyVariable, formatHeld } from '../programs/orphan.ts';
import type { Redactor } from '../redact/redactor.ts';
import { isSystemError } from '../system/system-error.ts';
import { definitionFrom } from '../pages/plan-pages.ts';
import { AttemptSnapshots } from '../workspace/snapshots/attempt-snapshots.ts';
import { makeScratch } from './verify-scratch.ts';
import type { VerifyParts } from './verify-subtask.ts';
import { whereChecksRun } from './commands/where-checks-run.ts';
import { runVerifyCommands } from './commands/run-verify-commands.ts';

/** Reused work has no attempt in the task that reuses it. */
const noAttempt = 0;

/**
 * The activity `recheckSubtask`: runs the verify commands of work that an earlier task completed, in the workspace as it is now. After a
 * crash it runs them again, once those that the crash left running are ended.
 */
export function createRecheckSubtask(parts: VerifyParts): (input: RecheckInput) => Promise<Recheck> {
  return async function recheckSubtask(input) {
    const context = Context.current();
    const { cancellationSignal: signal, info } = context;
    const { secrets } = parts;
    const home = resolve(parts.root);
    const attempt = { ...input, attempt: noAttempt, startedAt: '' };
    let snapshots: AttemptSnapshots | undefined;
    try {
      const definition = await definitionFrom(parts.store, input.plan, input.subtaskId);
      const { subtask, variables } = definition;
      const key = `verify/${info.namespace}/${input.chain}/${info.activityId}/`;
      if (info.attempt > 1) await endEarlierCommands(key);
      snapshots = new AttemptSnapshots(
        { root: home, environment: secrets.environment, logger: context.log },
        { ...attempt, deliverables: subtask.deliverables },
      );
      await snapshots.start();
      const scratch = await makeScratch(attemptPaths(home, attempt, info.namespace));
      try {
        return await recheck(parts, { input, definition, key, scratch, redactor: secrets.redactor(variables), signal });
      } finally {
        await rm(scratch, { recursive: true, force: true });
      }
    } catch (error) {
      signal.throwIfAborted();
      if (isSystemError(error)) throw machineFailure(`The result could not be checked: ${error.message}`);
      throw toFailure(error);
    } finally {
      await snapshots?.end({ stopping: signal.aborted });
    }
  };
}

interface Rechecking {
  input: RecheckInput;
  definition: Awaited<ReturnType<typeof definitionFrom>>;
  key: string;
  scratch: string;
  redactor: Redactor;
  signal: AbortSignal;
}

async function recheck(
  parts: VerifyParts,
  { input, definition, key, scratch, redactor, signal }: Rechecking,
): Promise<Recheck> {
  const { subtask } = definition;
  const { workspace } = input;
  const writer = { task: input.taskId, subtask: input.subtaskId };
  const place = {
    root: resolve(parts.root),
    workspace,
    environment: parts.secrets.environment,
    mark: `${keyVariable}=${key}`,
    redactor,
    writer,
  };
  // Nobody has said yes to a command in this task: what needs that is refused, and the subtask runs, which asks.
  const confined = await whereChecksRun(definition, new Set(), place);
  const { issues } = await runVerifyCommands(subtask, {
    ...(confined === undefined ? {} : { confined }),
    root: workspace,
    scratch,
    env: {
      ...baseEnvironment(parts.secrets.environment),
      ...definition.inputs,
      HEDDLE_TASK_ID: input.taskId,
      HEDDLE_SUBTASK_ID: input.subtaskId,
      HEDDLE_ATTEMPT: String(noAttempt),
      [keyVariable]: key,
    },
    signal,
    keep: (path) => parts.store.putFile(path),
    timeout: input.commandTimeout ?? parts.commandTimeout ?? limits.verifyCommandTimeout,
    killGrace: parts.killGrace ?? activityLimits.killGrace,
    redactor,
    onCommand: () => undefined,
  });
  signal.throwIfAborted();
  return { failed: issues[0] === undefined ? null : redactor.text(issues[0].message) };
}

async function endEarlierCommands(key: string): Promise<void> {
  const { left, unclear } = await endOrphan({ host: hostname(), mark: `${keyVariable}=${key}` });
  if (left.length > 0 || unclear !== undefined)
    throw machineFailure(formatHeld('A command of an earlier verification', { left, unclear }));
}
