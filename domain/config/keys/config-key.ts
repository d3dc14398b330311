import type { ConfigName } from '../../schema/config-schema.ts';

/** A key as `heddle init` and `heddle config` show it. */
export interface ConfigKey {
  /** The dotted key; for tables with names of the user's choice, an example entry. */
  key: ConfigName | `${ConfigName}.${string}`;
  about: string;
  /** The default; a key without one has an example. */
  value?: unknown;
  /** A default that is not written into a task, because its reader already knows it. */
  implied?: unknown;
  example?: unknown;
}
