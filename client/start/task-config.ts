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
import { checkPlanner, hasPlanner } from '../../domain/config/check-planner.ts';
import { foundLayer } from '../../domain/config/found-models.ts';
import { addFoundModels, namesModels, resolveConfig } from '../../domain/config/layers.ts';
import { mergeConfig } from '../../domain/config/merge.ts';
import { needsModel } from '../../domain/config/needs-model.ts';
import { namesProcess } from '../../domain/plan/parse-plan.ts';
import { compileTask } from '../../domain/process/compile-task.ts';
import { configUnderProcess } from '../../domain/process/config-under-process.ts';
import { trustedIdentity } from '../../domain/config/trust.ts';
import type { ModelSettings } from '../../domain/llm/built-in-models.ts';
import type { PlanInput } from '../../domain/schema/plan-schema.ts';
import type { LoadedPlan } from '../plan-file/load-plan-text.ts';
import type { FilesPort } from '../ports/files.ts';
import type { ProcessesPort } from '../ports/processes.ts';
import type { ModelsPort } from '../ports/models.ts';
import type { Endpoint } from '../ports/service.ts';
import type { TerminalPort } from '../ports/terminal.ts';
import type { VariablesPort } from '../ports/variables.ts';
import { isTrustedForOnce, trustedHere } from './trusted-here.ts';

type Starter = NonNullable<PlanInput['config']>;

type ConfigPorts = Pick<TerminalPort, 'env' | 'cwd'> &
  Pick<FilesPort, 'readConfig' | 'identifyFolder'> &
  Pick<ProcessesPort, 'readTaskProcess'> &
  Pick<VariablesPort, 'handOverVariables'> &
  Pick<ModelsPort, 'findModels'>;

interface TaskStart {
  /** A new one by default. */
  id?: string | undefined;
  variables?: readonly string[] | undefined;
  /** The person who starts it. */
  by?: string | undefined;
  /** Kept with the task: see {@link StartOptions}. */
  key?: string | undefined;
}

/** The config of a task from this command's environment and flags, and from files where they can be seen from here. */
export class TaskConfig {
  readonly #ports: ConfigPorts;
  readonly #environment: ConfigLayer;
  readonly #flags: ConfigLayer;
  #files: readonly ConfigFile[] = [];
  /** The folder that this call trusts. */
  #folder: FileIdentity | undefined;
  /** The config of the place that was asked for last. */
  #resolved: ResolvedConfig | undefined;
  /** The plan that was made of a process. */
  #made: Record<string, unknown> | undefined;
  #models: ModelSettings | undefined;

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
    const { id = newTaskId(), variables, by, key } = request;
    const names =
      this.#resolved === undefined ? [] : (variables ?? listPlanVariables(this.#made ?? input, this.#resolved));
    const takeBack = await this.#ports.handOverVariables(endpoint, checkTaskId(id), names);
    try {
      const about = { ...(by === undefined ? {} : { by }), ...(key === undefined ? {} : { key }) };
      return await endpoint.client.start(input, { id, ...about });
    } catch (error) {
      // The task of that id has its own. After other errors it may have started.
      if (error instanceof HeddleError && error.code === 'TASK_EXISTS') takeBack();
      throw error;
    }
  }

  /**
   * Makes the plan of a process that can be seen from here, so that everything that is wrong with it is refused before a task is started.
   * The worker makes it again.
   *
   * @throws HeddleError `PROCESS_NOT_FOUND`, `PROCESS_NOT_TRUSTED`, `INPUT_MISSING` and what else is wrong with process or inputs.
   */
  async followProcess(loaded: LoadedPlan): Promise<LoadedPlan> {
    const { raw, plan } = loaded;
    const config = this.#resolved;
    if (config === undefined || !namesProcess(raw)) return loaded;
    const { process, view } = await this.#ports.readTaskProcess(raw, {
      workspace: plan.workspace ?? this.#ports.cwd,
      paths: config.values.processes?.paths ?? [],
      trusted: isTrustedForOnce(this.#ports.env),
    });
    const { process: filled, phases, goal } = compileTask(process, raw, config);
    this.#resolved = configUnderProcess(config, filled);
    this.#made = phases.raw;
    const first = view.mode === 'strict' ? phases : goal;
    return { raw: { ...raw, goal: goal.plan.goal }, plan: first.plan, made: first.raw };
  }

  /**
   * Looks for models on this machine where a plan needs one and the config of its place names none. Returns those that the task uses.
   *
   * @throws HeddleError `MODEL_NOT_CONFIGURED` for a goal that no model can plan.
   */
  async findModels({ plan, raw, made = raw }: LoadedPlan): Promise<ModelSettings | undefined> {
    const config = this.#resolved;
    if (config === undefined || !needsModel(plan, made, config)) return undefined;
    // The phases of a process run without a planner too.
    const isGoal = plan.subtasks.length === 0 && config.process === undefined;
    if (namesModels(config)) {
      if (isGoal && !hasPlanner(config.models)) checkPlanner(config.models, await this.#listSeen());
      return undefined;
    }
    const search = await this.#ports.findModels();
    if (search === undefined) return undefined;
    this.#models = search.settings;
    if (search.settings !== undefined) {
      const whole = addFoundModels(config, foundLayer(search.settings));
      this.#resolved = config.process === undefined ? whole : configUnderProcess(whole, config.process);
    }
    if (isGoal) checkPlanner(this.#resolved?.models ?? [], search.seen);
    return search.settings;
  }

  async #listSeen(): Promise<readonly string[]> {
    return (await this.#ports.findModels({ all: true }))?.seen ?? [];
  }

  /** A plan as the input of a task, which tells the worker what was said here. */
  buildInput(plan: PlanInput, { local }: Pick<Endpoint, 'local'>): PlanInput {
    const user = this.#files.find(({ kind }) => kind === 'user');
    // Trust in the file is trust in its folder.
    const trusted = trustedIdentity(this.#files) ?? this.#folder;
    const config: Starter = {
      ...(Object.keys(this.#environment.raw).length === 0 ? {} : { environment: this.#environment.raw }),
      ...(Object.keys(this.#flags.raw).length === 0 ? {} : { flags: this.#flags.raw }),
      // The keys of another machine are in the environment of its worker.
      ...(local && this.#models !== undefined ? { found: this.#models } : {}),
      // Another machine has other users; the service of this one may have been started with another environment.
      ...(local && user !== undefined ? { userFile: user.path } : {}),
      // The worker reads the file or the folder again: it may be another one by then.
      ...(trusted === undefined ? {} : { trusted }),
      ...(this.#folder === undefined || this.#folder === trusted ? {} : { folder: this.#folder }),
    };
    const both = mergeConfig<Starter>(plan.config ?? {}, config);
    return Object.keys(both).length === 0 ? plan : { ...plan, config: both };
  }
}
