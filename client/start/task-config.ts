import { resolve } from 'node:path';
import { environmentLayer } from '../../domain/config/environment.ts';
import { listPlanVariables } from '../../domain/planner/task-variables.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import type { TaskHandle } from '../sdk/task-handle.ts';
import { checkTaskId, newTaskId } from '../sdk/task-id.ts';
import { flagLayer } from '../../domain/config/flags.ts';
import type { ConfigFile, ConfigLayer, FileIdentity } from '../../domain/config/layer.ts';
import { checkLayer } from '../../domain/config/layer.ts';
import type { ResolvedConfig } from '../../domain/config/layers.ts';
import { resolveConfig } from '../../domain/config/layers.ts';
import { mergeConfig } from '../../domain/config/merge.ts';
import { trustedIdentity } from '../../domain/config/trust.ts';
import type { PlanInput } from '../../domain/schema/plan-schema.ts';
import type { FilesPort } from '../ports/files.ts';
import type { Endpoint } from '../ports/service.ts';
import type { TerminalPort } from '../ports/terminal.ts';
import type { VariablesPort } from '../ports/variables.ts';
import { isTrustedForOnce, trustedHere } from './trusted-here.ts';

type Starter = NonNullable<PlanInput['config']>;

type ConfigPorts = Pick<TerminalPort, 'env' | 'cwd'> &
  Pick<FilesPort, 'readConfig' | 'identifyFolder'> &
  Pick<VariablesPort, 'handOverVariables'>;

interface TaskStart {
  /** A new one by default. */
  id?: string | undefined;
  variables?: readonly string[] | undefined;
}

/** The config of a task from this command's environment and flags, and from files where they can be seen from here. */
export class TaskConfig {
  readonly #ports: ConfigPorts;
  readonly #environment: ConfigLayer;
  readonly #flags: ConfigLayer;
  #files: readonly ConfigFile[] = [];
  #resolved: ResolvedConfig | undefined;
  /** The folder that this call trusts. */
  #folder: FileIdentity | undefined;

  /** `earlier` are the flags that an earlier run of the task was given. */
  constructor(ports: ConfigPorts, flags: readonly string[] = [], earlier: Starter['flags'] = {}) {
    this.#ports = ports;
    this.#environment = environmentLayer(ports.env, 'task');
    const now = flagLayer(flags, (path) => resolve(ports.cwd, path));
    const raw = mergeConfig<Record<string, unknown>>({ ...earlier }, now.raw);
    this.#flags = checkLayer(raw, { originOf: now.originOf });
  }

  /** The config where a task will run; undefined when that is not here. Throws what is wrong with it. */
  async at({ workspace, host }: { workspace: string; host?: string }): Promise<ResolvedConfig | undefined> {
    const files = await this.#ports.readConfig(workspace, host);
    this.#resolved = undefined;
    if (files === undefined) return undefined;
    this.#files = trustedHere(files, this.#ports.env);
    if (isTrustedForOnce(this.#ports.env)) this.#folder = await this.#ports.identifyFolder(workspace);
    const layers = this.#files.flatMap(({ layer }) => (layer === undefined ? [] : [layer]));
    this.#resolved = resolveConfig({ below: [...layers, this.#environment], above: [this.#flags] });
    return this.#resolved;
  }

  /**
   * Starts a task that is given the variables of this command. `variables` are their names, by default those that plan and config name.
   * A task that runs elsewhere has those of its worker.
   */
  async startWithVariables(endpoint: Endpoint, input: PlanInput, request: TaskStart = {}): Promise<TaskHandle> {
    const { id = newTaskId(), variables } = request;
    const names = this.#resolved === undefined ? [] : (variables ?? listPlanVariables(input, this.#resolved));
    const takeBack = await this.#ports.handOverVariables(endpoint, checkTaskId(id), names);
    try {
      return await endpoint.client.start(input, { id });
    } catch (error) {
      // The task of that id has its own. After other errors it may have started.
      if (error instanceof HeddleError && error.code === 'TASK_EXISTS') takeBack();
      throw error;
    }
  }

  /** A plan as the input of a task, which tells the worker what was said here. */
  buildInput(plan: PlanInput, { local }: Pick<Endpoint, 'local'>): PlanInput {
    const user = this.#files.find(({ kind }) => kind === 'user');
    // Trust in the file is trust in its folder.
    const trusted = trustedIdentity(this.#files) ?? this.#folder;
    const config: Starter = {
      ...(Object.keys(this.#environment.raw).length === 0 ? {} : { environment: this.#environment.raw }),
      ...(Object.keys(this.#flags.raw).length === 0 ? {} : { flags: this.#flags.raw }),
      // Another machine has other users; the service of this one may have been started with another environment.
      ...(local && user !== undefined ? { userFile: user.path } : {}),
      // The worker reads the file or the folder again: it may be another one by then.
      ...(trusted === undefined ? {} : { trusted }),
    };
    const both = mergeConfig<Starter>(plan.config ?? {}, config);
    return Object.keys(both).length === 0 ? plan : { ...plan, config: both };
  }
}
