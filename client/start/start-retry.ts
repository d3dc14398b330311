import { HeddleError } from '../../domain/errors/heddle-error.ts';
import type { PlanInput } from '../../domain/schema/plan-schema.ts';
import { clientLimits } from '../limits/client-limits.ts';
import { planRetry, type RetryPlan } from './plan-retry.ts';
import type { ModelSettings } from '../../domain/llm/built-in-models.ts';
import { parsePlan } from '../../domain/plan/parse-plan.ts';
import type { FilesPort } from '../ports/files.ts';
import type { ProcessesPort } from '../ports/processes.ts';
import type { ModelsPort } from '../ports/models.ts';
import type { Endpoint } from '../ports/service.ts';
import type { VariablesPort } from '../ports/variables.ts';
import type { TerminalPort } from '../ports/terminal.ts';
import type { TaskHandle } from '../sdk/task-handle.ts';
import { buildRetryId } from '../sdk/task-id.ts';
import { TaskConfig } from './task-config.ts';

export interface RetryRequest {
  /** Another plan than the one that the task was started with. */
  plan?: PlanInput;
  /** This subtask and all behind it run again. */
  from?: string;
  /** Settings for this call. */
  flags?: string[];
  /** Called with the models that were found for the retry; undefined where the config names its own. */
  onModels?: (settings: ModelSettings | undefined) => void;
}

type RetryPorts = Pick<TerminalPort, 'env' | 'cwd'> &
  Pick<FilesPort, 'readConfig' | 'identifyFolder' | 'readStored' | 'stampFiles' | 'compareLeft'> &
  Pick<ProcessesPort, 'readTaskProcess'> &
  Pick<VariablesPort, 'handOverVariables'> &
  Pick<ModelsPort, 'findModels'>;

/** A retry with the config under which it starts. */
export interface PreparedRetry extends RetryPlan {
  config: TaskConfig;
}

/** Plans what a retry of an ended task reuses and runs, with the config of now. */
export async function prepareRetry(
  ports: RetryPorts,
  { endpoint, handle }: { endpoint: Endpoint; handle: TaskHandle },
  { plan, from, flags: given, onModels = () => undefined }: RetryRequest,
): Promise<PreparedRetry> {
  let config = new TaskConfig(ports, given);
  const retry = await planRetry(endpoint.client, handle, {
    ...(plan === undefined ? {} : { plan }),
    async config(input, workspace) {
      const flags = input.config?.flags;
      config = new TaskConfig(ports, given, flags);
      const host = input.host === undefined ? {} : { host: input.host };
      const resolved = await config.at({ workspace, ...host });
      const parsed = parsePlan(input, 'later');
      if (parsed.ok) {
        const loaded = await config.followProcess({ plan: parsed.plan, raw: { ...input } });
        onModels(await config.findModels(loaded));
      }
      // The environment of then is past; the flags were part of the request.
      const configInput = { ...input, config: flags === undefined ? {} : { flags } };
      return { resolved, input: config.buildInput(configInput, endpoint) };
    },
    ...(from === undefined ? {} : { from }),
    stamp: (workspace, paths) => ports.stampFiles(workspace, paths),
    compareLeft: (question) => ports.compareLeft(question),
    readStored: (ref) => ports.readStored(ref),
  });
  return { ...retry, config };
}

/** A name that another retry took meanwhile makes way for the next one. */
export async function startRetry(endpoint: Endpoint, retry: PreparedRetry, by?: string): Promise<TaskHandle> {
  for (let { number } = retry; number < clientLimits.retryNames; number += 1) {
    try {
      const { config, input, variables } = retry;
      return await config.startWithVariables(endpoint, input, {
        id: buildRetryId(retry.stem, number),
        variables,
        by,
      });
    } catch (error) {
      if (!(error instanceof HeddleError) || error.code !== 'TASK_EXISTS') throw error;
    }
  }
  throw new HeddleError({
    code: 'TASK_EXISTS',
    message: 'All names for a retry are taken',
    hint: 'Start it with `heddle run` and another --id.',
  });
}
