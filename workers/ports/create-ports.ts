import { artifactsFile, leasesFile, runningPaths, rootOfStore } from '../../activities/home/home-layout.ts';
import type { Models } from '../../activities/llm/ports/model.ts';
import type { FilesPort } from '../../client/ports/files.ts';
import type { ModelsPort } from '../../client/ports/models.ts';
import type { ProcessesPort } from '../../client/ports/processes.ts';
import type { Ports } from '../../client/ports/ports.ts';
import type { SearchPort } from '../../client/ports/search.ts';
import type { ToolsPort } from '../../client/ports/tools.ts';
import type { TokensPort } from '../../client/ports/tokens.ts';
import type { VariablesPort } from '../../client/ports/variables.ts';
import type { ServicePort } from '../../client/ports/service.ts';
import { heddleHome, type HeddleHome } from '../home/home.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The real processes, servers and files behind the command line, as seen from a folder. Each loads its code when it is called: a command
 * pays for what it uses, and most use little.
 */
export function createPorts(env: Environment, cwd: string = process.cwd()): Ports {
  const { stdin, stdout, stderr } = process;
  const world = { ...filesPort(env, cwd), ...processesPort(env), ...modelsPort(env, cwd), ...lazyVariablesPort(env) };
  return {
    env,
    cwd,
    stdin,
    stdout,
    stderr,
    ...servicePort(env, cwd, world),
    ...world,
    ...lazyTokensPort(env),
    ...lazyToolsPort(env, cwd),
    ...searchPort,
  };
}

const searchPort: SearchPort = {
  searchTexts: async (entries, text) => {
    const { TextIndex } = await import('../../activities/memory/search-texts.ts');
    // People type the beginning of a word.
    return new TextIndex(entries).search(text, 1, { prefix: true });
  },
};

type World = FilesPort & ProcessesPort & ModelsPort & VariablesPort;

function servicePort(env: Environment, cwd: string, world: World): ServicePort {
  const doctor: ServicePort['doctor'] = async () => {
    const { runChecks } = await import('../doctor/doctor.ts');
    return runChecks(env, cwd);
  };
  const served = { ...world, doctor };
  return {
    connect: async ({ progress = () => undefined, anyVersion = false } = {}) => {
      const { connect } = await import('./connect.ts');
      return connect(env, cwd, { progress, anyVersion });
    },
    connectIfRunning: async () => {
      const { connectIfRunning } = await import('./connect.ts');
      return connectIfRunning(env, cwd);
    },
    up: async (options) => {
      const { up } = await import('./run-here.ts');
      return up(withFlags(env, options), cwd, { ...options, ports: served });
    },
    serve: async (options) => {
      const { serve } = await import('./serve-here.ts');
      return serve(env, cwd, { ...options, ports: served });
    },
    consoleAddress: async (options) => {
      const { consoleAddress } = await import('./open-console.ts');
      return consoleAddress(env, cwd, options);
    },
    findConsole: async () => {
      const { findServing } = await import('../serve/api-record.ts');
      return findServing(heddleHome(env))?.console ?? null;
    },
    browse: async (url) => {
      const { browse } = await import('./open-console.ts');
      return browse(env, cwd, url);
    },
    upInBackground: async ({ progress, metrics, console }) => {
      const { upInBackground } = await import('./local-service.ts');
      return upInBackground(withFlags(env, { metrics, console }), cwd, progress);
    },
    down: async () => {
      const { down } = await import('./local-service.ts');
      return down(env, cwd);
    },
    worker: async (options) => {
      const { runWorker } = await import('../service/run-worker.ts');
      return runWorker(withFlags(env, options), cwd, options);
    },
    replay: async function* (histories, options) {
      const { replayHistories } = await import('../worker/replay-histories.ts');
      const { loadSettings } = await import('../settings/settings.ts');
      const { codecKeys } = await loadSettings(env, cwd);
      yield* replayHistories(histories, { cacheFolder: heddleHome(env).cache, codecKeys, ...options });
    },
    doctor,
  };
}

function filesPort(env: Environment, cwd: string): FilesPort {
  const home = (): HeddleHome => heddleHome(env);
  return {
    liveLog: (attempt) => runningPaths(rootOfStore(home().store), attempt).log,
    resolveProject: async (folder) => {
      const { resolveProject: projectOf } = await import('./project-of.ts');
      return projectOf(env, folder);
    },
    readConfig: async (folder, host) => {
      const { readConfig } = await import('./read-config.ts');
      return readConfig(env, cwd, folder, host);
    },
    trustConfig: async (identity) => {
      const { trustConfig } = await import('./trust-config.ts');
      return trustConfig(env, identity);
    },
    identifyFolder: async (folder) => {
      const { identifyFolder } = await import('../../activities/config/folder-identity.ts');
      return identifyFolder(folder);
    },
    trustFolder: async (folder) => {
      const { trustFolder } = await import('./trust-config.ts');
      return trustFolder(env, folder);
    },
    distrustConfig: async (folder) => {
      const { distrustConfig } = await import('./trust-config.ts');
      return distrustConfig(env, folder);
    },
    stampFiles: async (workspace, paths) => {
      const { stampDeliverables } = await import('../../activities/files/stamp-deliverables.ts');
      return stampDeliverables(workspace, paths);
    },
    compareLeft: async (question) => {
      const { compareLeftFiles } = await import('../../activities/workspace/reuse/compare-left-files.ts');
      return compareLeftFiles({ root: rootOfStore(home().store), environment: env }, question);
    },
    diffTask: async (subject, options) => {
      const { diffTask } = await import('../../activities/workspace/undo/diff-task.ts');
      return diffTask({ root: rootOfStore(home().store), environment: env }, subject, options);
    },
    undoTask: async (subject, options) => {
      const { undoTask } = await import('../../activities/workspace/undo/undo-task.ts');
      const { findOtherTasks } = await import('../../activities/prepare/other-tasks.ts');
      const { isOpen, ...rest } = options;
      const root = rootOfStore(home().store);
      const { task } = subject;
      return undoTask({ root, environment: env }, subject, {
        ...rest,
        otherTasks: (workspace) => findOtherTasks(leasesFile(root), { task, workspace }, isOpen),
      });
    },
    readOutput: async (sha256) => {
      const { readOutput } = await import('./read-store.ts');
      return readOutput(home().store, sha256);
    },
    listArtifacts: async (task) => {
      const { loadManifest } = await import('../../activities/artifacts/manifest-file.ts');
      return [...(await loadManifest(artifactsFile(rootOfStore(home().store), task))).kept];
    },
    prune: async (request) => {
      const { pruneHome } = await import('../prune/prune-home.ts');
      const { loadSettings } = await import('../settings/settings.ts');
      return pruneHome(home(), request, { env, logs: (await loadSettings(env, cwd)).logging });
    },
    readStored: async (ref) => {
      const { readStored } = await import('./read-store.ts');
      return readStored(home().store, ref);
    },
  };
}

function processesPort(env: Environment): ProcessesPort {
  const load = () => import('./read-processes.ts');
  return {
    readProcessFile: async (path) => (await load()).readProcessFile(path),
    readTaskProcess: async (sent, place) => (await load()).readTaskProcess(env, sent, place),
    listProcesses: async (place) => (await load()).listProcesses(env, place),
    showProcess: async (nameOrPath, place) => (await load()).showProcess(env, nameOrPath, place),
    writeProcess: async (name, options) => (await load()).writeProcess(env, name, options),
  };
}

function lazyVariablesPort(env: Environment): VariablesPort {
  const load = async (): Promise<VariablesPort> => (await import('./hand-over.ts')).variablesPort(env);
  return {
    handOverVariables: async (...call) => (await load()).handOverVariables(...call),
    refreshVariables: async (...call) => (await load()).refreshVariables(...call),
    forgetVariables: async (...call) => (await load()).forgetVariables(...call),
  };
}

function lazyTokensPort(env: Environment): TokensPort {
  const load = async (): Promise<TokensPort> => (await import('../serve/manage-tokens.ts')).tokensPort(env);
  return {
    addToken: async (...call) => (await load()).addToken(...call),
    listTokens: async (...call) => (await load()).listTokens(...call),
    revokeToken: async (...call) => (await load()).revokeToken(...call),
  };
}

function lazyToolsPort(env: Environment, cwd: string): ToolsPort {
  const load = async (): Promise<ToolsPort> => (await import('./list-tools.ts')).toolsPort(env, cwd);
  return {
    listTools: async (...call) => (await load()).listTools(...call),
    serveTools: async (...call) => (await load()).serveTools(...call),
  };
}

function modelsPort(env: Environment, cwd: string): ModelsPort {
  let models: Promise<Models> | undefined;
  const load = async (): Promise<Models> => {
    const { createModels } = await import('../../activities/llm/create-models.ts');
    const { EnvironmentSecrets } = await import('../../activities/redact/secrets.ts');
    const { passingClaims } = await import('./check-model.ts');
    return createModels({ secrets: new EnvironmentSecrets(env), store: passingClaims() });
  };
  return {
    checkModel: async (model) => {
      const { checkModel } = await import('./check-model.ts');
      return checkModel(await (models ??= load()), model, env);
    },
    findModels: async (options) => {
      const { searchHere } = await import('./search-models.ts');
      return searchHere(env, cwd, options);
    },
    buildSettings: async (provider) => {
      const { buildSettings } = await import('./search-models.ts');
      return buildSettings(env, provider);
    },
  };
}

/** A flag says the same as its variable, and wins. */
function withFlags(
  env: Environment,
  flags: { metrics?: string | undefined; buildId?: string | undefined; console?: boolean | undefined },
): Environment {
  const { metrics = env['HEDDLE_METRICS'], buildId = env['HEDDLE_BUILD_ID'], console = true } = flags;
  const noConsole = console ? env['HEDDLE_NO_CONSOLE'] : '1';
  return { ...env, HEDDLE_METRICS: metrics, HEDDLE_BUILD_ID: buildId, HEDDLE_NO_CONSOLE: noConsole };
}
