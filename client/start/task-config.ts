import { resolve } from 'node:path';
import { environmentLayer } from '../../domain/config/environment.ts';
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
import { isTrustedForOnce, trustedHere } from './trusted-here.ts';

type Starter = NonNullable<PlanInput['config']>;

type ConfigPorts = Pick<TerminalPort, 'env' | 'cwd'> & Pick<FilesPort, 'readConfig' | 'identifyFolder'>;

/** The config of a task from this command's environment and flags, and from files where they can be seen from here. */
export class TaskConfig {
  readonly #ports: ConfigPorts;
  readonly #environment: ConfigLayer;
  readonly #flags: ConfigLayer;
  #files: readonly ConfigFile[] = [];
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
    if (files === undefined) return undefined;
    this.#files = trustedHere(files, this.#ports.env);
    if (isTrustedForOnce(this.#ports.env)) this.#folder = await this.#ports.identifyFolder(workspace);
    const layers = this.#files.flatMap(({ layer }) => (layer === undefined ? [] : [layer]));
    return resolveConfig({ below: [...layers, this.#environment], above: [this.#flags] });
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
