import {
  ListedSecrets,
  type PublicEnvironment,
  type Secrets,
  valuesIn,
  type Variables,
  type WorkerSecrets,
} from './secrets.ts';
import { noteNames, readVariables } from './task-variables.ts';

/** The secrets of a worker's tasks: what commands handed over for a task, and after that the variables of the worker's own process. */
export class HomeSecrets implements WorkerSecrets {
  readonly environment: PublicEnvironment;
  readonly #variables: Variables;
  readonly #root: string;
  readonly #server: () => Promise<{ id: string }>;

  constructor(variables: Variables, { root, server }: { root: string; server: () => Promise<{ id: string }> }) {
    this.environment = variables;
    this.#variables = variables;
    this.#root = root;
    this.#server = server;
  }

  async ofTask(id: string): Promise<Secrets> {
    const task = { server: (await this.#server()).id, task: id };
    const handedOver = (name: string): readonly string[] => {
      const { values = {} } = readVariables(this.#root, task) ?? {};
      return Object.hasOwn(values, name) ? (values[name] ?? []) : [];
    };
    return new ListedSecrets({
      environment: this.environment,
      // Each call reads the file: an answer may bring another value while an attempt runs.
      listValues: (name) => [...handedOver(name), ...valuesIn(this.#variables, name)],
      noteNames: (names) => noteNames(this.#root, task, names),
    });
  }
}
