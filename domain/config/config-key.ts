/** A key as `heddle init` and `heddle config` show it. */
export interface ConfigKey {
  /** Dotted; an example entry for tables that people name themselves. */
  key: string;
  about: string;
  /** What holds when nobody says anything; without it there is an example. */
  value?: unknown;
  example?: unknown;
}
