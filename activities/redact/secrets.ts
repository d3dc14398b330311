import { Redactor } from './redactor.ts';

/** Variables that say where programs, folders and settings are. None of them is a secret. */
type PublicVariable = 'PATH' | 'HOME' | 'LANG' | 'TMPDIR' | `XDG_${string}` | `HEDDLE_${string}`;

/** The environment of a worker, for those who look for programs, folders and settings: a secret in it cannot be named. */
export type PublicEnvironment = Readonly<{ [Name in PublicVariable]?: string | undefined }>;

/**
 * The secrets that a worker holds. A value leaves this port only where it is used: as the key of a model, or as a variable of the program
 * that its plan names it for. Everything that is shown or stored passes a redactor first.
 */
export interface Secrets {
  readonly environment: PublicEnvironment;
  /** The value of one variable; undefined when it is not set. */
  value(name: string): string | undefined;
  /** The values of the variables that a plan names. `missing` are those that are not set; `NAME?` may be missing. */
  valuesOf(names: readonly string[]): { values: Record<string, string>; missing: string[] };
  /**
   * Keeps the values of variables out of what is shown and stored. One subtask may print what another has written into a file: give the
   * names of the whole task.
   */
  redactor(names: readonly string[], harmless?: readonly string[]): Redactor;
}

/** The secrets in the variables of a worker's process. A variable that is set later counts too. */
export class EnvironmentSecrets implements Secrets {
  readonly environment: PublicEnvironment;
  readonly #variables: Readonly<Record<string, string | undefined>>;

  constructor(variables: Readonly<Record<string, string | undefined>>) {
    this.environment = variables;
    this.#variables = variables;
  }

  value(name: string): string | undefined {
    return Object.hasOwn(this.#variables, name) ? this.#variables[name] : undefined;
  }

  valuesOf(names: readonly string[]): { values: Record<string, string>; missing: string[] } {
    const values: Record<string, string> = {};
    const missing: string[] = [];
    for (const entry of names) {
      const name = entry.replace(/\?$/, '');
      const value = this.value(name);
      if (value !== undefined) values[name] = value;
      else if (name === entry) missing.push(name);
    }
    return { values, missing };
  }

  redactor(names: readonly string[], harmless?: readonly string[]): Redactor {
    return new Redactor(this.valuesOf(names).values, harmless);
  }
}
