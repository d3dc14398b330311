/** A key as `heddle init` and `heddle config` show it. */
export interface ConfigKey {
  /** Dotted; an example entry for tables that people name themselves. */
  key: string;
  about: string;
  /** What holds when nobody says anything; without it there is an example. */
  value?: unknown;
  /** What holds besides, or instead, and is written into no task: those who use it know it. */
  implied?: unknown;
  example?: unknown;
}
