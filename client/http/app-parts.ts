import type { FilesPort } from '../ports/files.ts';
import type { ProcessesPort } from '../ports/processes.ts';
import type { ModelsPort } from '../ports/models.ts';
import type { Endpoint, ServicePort } from '../ports/service.ts';
import type { VariablesPort } from '../ports/variables.ts';
import type { Identities } from './identity.ts';

/** A file of the console. */
export interface Asset {
  body: Uint8Array<ArrayBuffer>;
  /** Its media type. */
  type: string;
  /** Its name has a hash of its content: a browser may keep it for ever. */
  immutable: boolean;
}

/** The files of the console. */
export interface AssetSource {
  /** The file at a path such as `/assets/app-3f2a.js`; undefined where there is none. */
  open(path: string): Asset | undefined;
  /** The document of all pages. It holds no data. */
  page(): Uint8Array<ArrayBuffer>;
}

/** The names under which the server is reached: a request for another host, or from another origin, is refused. */
export interface OwnAddresses {
  /** Values of Host, such as `127.0.0.1:7880`. */
  hosts: readonly string[];
  /** Values of Origin, such as `http://127.0.0.1:7880`. */
  origins: readonly string[];
  /** The base of links to the console, without a slash at its end. */
  console: string;
}

/** Facts of this process and its home. */
export interface HomeFacts {
  version: string;
  startedAt: string;
  /** Free bytes where the home is; null where nobody can tell. */
  freeBytes(): Promise<number | null>;
  /** Binds the cursors of pages to their filter. The same after a restart. */
  secret: Uint8Array;
}

/** The user's settings that the API keeps to. */
export interface ServerRules {
  /** Folders in which tasks may be started; empty: any. */
  workspaces: readonly string[];
}

/** All that the API needs of the rooms that it may not import. `workers/serve` gives the real ones. */
export interface AppParts {
  /** The Temporal server of the tasks; rejects where it cannot be reached. The same client each time, while it holds. */
  endpoint(): Promise<Endpoint>;
  ports: FilesPort & ProcessesPort & ModelsPort & VariablesPort & Pick<ServicePort, 'doctor'>;
  identities: Identities;
  /** Asked at each request: the port is known only when the socket is bound. */
  ownAddresses(): OwnAddresses;
  home: HomeFacts;
  rules: ServerRules;
  /** Aborted when the server stops: open streams say so and end. */
  closing?: AbortSignal;
  /** Absent: the API alone. */
  assets?: AssetSource;
}
