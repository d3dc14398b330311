import { Redactor } from './redactor.ts';

/** Variables that say where programs, folders and settings are. None of them is a secret. */
type PublicVariable = 'PATH' | 'HOME' | 'LANG' | 'TMPDIR' | `XDG_${string}` | `HEDDLE_${string}`;

/** The environment of a worker, for those who look for programs, folders and settings: a secret in it cannot be named. */
export type PublicEnvironment = Readonly<{ [Name in PublicVariable]?: string | undefined }>;

/**
 * The secrets that a worker has for a task. A value leaves this port only where it is used: as the key of a model, or as a variable of the
 * program that its plan names it for. Everything that is shown or stored passes a redactor first.
 */
export interface Secrets {
  readonly environment: PublicEnvironment;
  /** The value of one variable; undefined when it is not set. */
  value(name: string): string | undefined;
  /** The values of the variables that a plan names. `missing` are those that are not set; `NAME?` may be missing. */
  valuesOf(names: readonly string[]): { values: Record<string, string>; missing: string[] };
  /**
   * Keeps the values of variables out of what is shown and stored, also the values that they had before. One subtask may print what another
   * has written into a file: give the names of the whole task.
   */
  redactor(names: readonly string[], harmless?: readonly string[]): Redactor;
  /** Notes the variables that the plan names, so that a command that answers brings their values. */
  noteNames(names: readonly string[]): void;
}

/** The secrets of all tasks of a worker. */
export interface WorkerSecrets {
  readonly environment: PublicEnvironment;
  ofTask(task: string): Promise<Secrets>;
}

export type Variables = Readonly<Record<string, string | undefined>>;

/** Secrets by a list of all values that each variable is known to have had, the newest first. */
export class ListedSecrets implements Secrets {
  readonly environment: PublicEnvironment;
  readonly #listValues: (name: string) => readonly string[];
  readonly #noteNames: (names: readonly string[]) => void;

  constructor(parts: {
    environment: PublicEnvironment;
    listValues: (name: string) => readonly string[];
    noteNames?: (names: readonly string[]) => void;
  }) {
    this.environment = parts.environment;
    this.#listValues = parts.listValues;
    this.#noteNames = parts.noteNames ?? (() => undefined);
  }

  value(name: string): string | undefined {
    return this.#listValues(name)[0];
  }

  valuesOf(names: readonly string[]): { values: Record<string, string>; missing: string[] } {
    const values: Record<string, string> = {};
    const missing: string[] = [];
    for (const entry of names) {
      const name = plainName(entry);
      const value = this.value(name);
      if (value !== undefined) values[name] = value;
      else if (name === entry) missing.push(name);
    }
    return { values, missing };
  }

  redactor(names: readonly string[], harmless?: readonly string[]): Redactor {
    const values = names.map(plainName).map((name) => [name, this.#listValues(name)] as const);
    return new Redactor(Object.fromEntries(values), harmless);
  }

  noteNames(names: readonly string[]): void {
    this.#noteNames(names);
  }
}

/** A plan may say `NAME?` for a variable that may be missing. */
const plainName = (entry: string): string => entry.replace(/\?$/, '');

/** The secrets in the variables of a process, the same for all tasks. A variable that is set later counts too. */
export class EnvironmentSecrets extends ListedSecrets implements WorkerSecrets {
  constructor(variables: Variables) {
    super({ environment: variables, listValues: (name) => valuesIn(variables, name) });
  }

  ofTask(): Promise<Secrets> {
    return Promise.resolve(this);
  }
}

/** The value of a variable as a list, empty where it is not set. */
export function valuesIn(variables: Variables, name: string): string[] {
  const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
  return value === undefined ? [] : [value];
}
