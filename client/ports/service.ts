import type { HeddleClient } from '../sdk/heddle-client.ts';

/** The server that commands use: the given one, or the local service. */
export interface Endpoint {
  client: HeddleClient;
  address: string;
  namespace: string;
  /** Base address of the Web UI, when it is known. */
  webUi: string | null;
  /** True for the local service of this home. */
  local: boolean;
}

/** The address of the console for people. */
export interface ConsoleInfo {
  /** Null where none is served. */
  console: string | null;
  /** The same address with the home's own key, by which a browser is let in. Never for a log. */
  signIn: string | null;
}

export interface UpInfo extends ConsoleInfo {
  temporalAddress: string;
  webUi: string | null;
  pid: number;
}

/** The addresses of `heddle serve`, and its process. */
export interface ServeInfo extends ConsoleInfo {
  console: string;
  api: string;
  pid: number;
}

export interface Check {
  name: string;
  ok: boolean;
  /** One sentence on what was seen. */
  detail: string;
  /** The next step for the person. */
  hint?: string;
}

/** A workflow's history as the server or a file has it. */
export interface RecordedHistory {
  name: string;
  workflowId: string;
  history: unknown;
}

export interface Replayed {
  name: string;
  workflowId: string;
  /** The mismatch; null when it replays. */
  problem: string | null;
}

/** The processes behind the commands: server, worker, local service. */
export interface ServicePort {
  /**
   * Connects; starts the local service in the background when no server is given and it is not there. `progress` is told while it takes
   * long. A service of another version is started again or refused, unless `anyVersion` says that the caller asks nothing but the server.
   */
  connect(options?: { progress?: (text: string) => void; anyVersion?: boolean }): Promise<Endpoint>;
  /** Connects only when something is there already, or being started; undefined otherwise. Starts nothing. */
  connectIfRunning(): Promise<Endpoint | undefined>;
  /** Runs server (unless one is given) and worker in this process until stopped; resolves after the drain. */
  up(options: {
    onReady: (info: UpInfo) => void;
    signal: AbortSignal;
    progress: (text: string) => void;
    /** The address at which Prometheus reads the metrics. */
    metrics?: string;
    /** False without the API and the console. */
    console?: boolean;
  }): Promise<void>;
  /** Starts the same in the background, or finds it. */
  upInBackground(options: { progress: (text: string) => void; metrics?: string; console?: boolean }): Promise<UpInfo>;
  /** Ends the local service and waits for it; false when none runs. */
  down(): Promise<boolean>;
  /** Serves the API and the console alone, on the server that is given or that runs here, until stopped. */
  serve(options: {
    onReady: (info: ServeInfo) => void;
    signal: AbortSignal;
    host?: string;
    port?: number;
  }): Promise<void>;
  /** The address of a page of the console, with a code that lets one browser in once. Starts the local service where it is needed. */
  consoleAddress(options: { path: string; progress: (text: string) => void }): Promise<string>;
  /** The console that is served now, for links in what others read: without a code. */
  findConsole(): Promise<string | null>;
  /** Opens an address in the person's browser; false where there is none to be found. */
  browse(url: string): Promise<boolean>;
  /** A worker alone, on the server that is given or that runs here, until stopped. */
  worker(options: {
    onReady: (info: { address: string; taskQueue: string; host: string }) => void;
    signal: AbortSignal;
    metrics?: string;
    /** The version of this code; a task stays on the one it started with. */
    buildId?: string;
    /** Serves workflows alone. */
    workflowsOnly?: boolean;
  }): Promise<void>;
  /** Replays histories against the workflow code of this program, or of the bundle that is given; one result each, in order. */
  replay(histories: AsyncIterable<RecordedHistory>, options: { bundle?: string }): AsyncIterable<Replayed>;
  doctor(): Promise<Check[]>;
}
