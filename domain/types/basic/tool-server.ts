/** The word of a server about one of its tools. Only an explicit `true` counts: a missing hint promises nothing. */
export interface Hints {
  readOnly?: true;
  destructive?: true;
  idempotent?: true;
  /** A hidden tool tells whether a call took effect. */
  settles?: true;
}

/** A server of tools as a task freezes it. Variables are named, never held. */
export interface ToolServer {
  /** Its name in `heddle.toml`, or the path of the tool file that is served. */
  name: string;
  /** The way in which it is reached. */
  via:
    | { kind: 'program'; command: string[] }
    | { kind: 'http'; url: string; tokenEnv?: string }
    /** A file of the user's own, which Heddle serves itself. */
    | { kind: 'file'; path: string };
  /** Names of the variables that it is given. */
  env: string[];
  network: boolean;
  workspace: WorkspaceAccess;
  /** Folders outside the workspace that it may read: absolute. */
  read: string[];
  /** False: it runs beside the user's own programs. */
  sandbox: boolean;
  /** It keeps its home folder. */
  home: boolean;
  /** Patterns of the tools that are used; absent: all. */
  tools?: string[];
  /** Its hints are taken for true. */
  hints: boolean;
  /** A task runs without it. */
  optional: boolean;
  /** It is started with the first model request instead of the first call. */
  warm: boolean;
  /** Milliseconds for its start. */
  start: number;
  /** Milliseconds for one call. */
  timeout: number;
}

export const workspaceAccesses = ['write', 'read', 'none'] as const;

export type WorkspaceAccess = (typeof workspaceAccesses)[number];

/** The origin of a tool that is not Heddle's, frozen with its schema: a conversation resumes without its server. */
export interface ToolOrigin {
  server: string;
  /** Its name at the server. */
  tool: string;
  hints: Hints;
}
