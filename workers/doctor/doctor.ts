import { Connection } from '@temporalio/client';
import type { Check } from '../../client/ports/service.ts';
import { readCodecKeys } from '../../client/codec/read-keys.ts';
import { HeddleClient } from '../../client/sdk/heddle-client.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { attributeTypeName } from '../../domain/names/search-attributes.ts';
import { formatBytes } from '../../domain/text/bytes.ts';
import { formatCount, formatList } from '../../domain/text/text.ts';
import { describeProviders } from '../../activities/discovery/describe-providers.ts';
import { findSandbox } from '../../activities/sandbox/find-sandbox.ts';
import { probeWayOut, serverProblem, type FoundWayOut } from '../../activities/sandbox/network/find-way-out.ts';
import { gitVersion } from '../../activities/workspace/git/git-version.ts';
import { listFolders, freeSpace, heddleHome, type HeddleHome } from '../home/home.ts';
import { readSearchAttributes } from '../server/register-search-attributes.ts';
import { resolveTemporal } from '../server/fetch/resolve-temporal.ts';
import { checkReach, otherUsers } from '../service/check-reach.ts';
import { formatVersion, isCurrent } from '../service/current-service.ts';
import { readServiceInfo, type ServiceInfo } from '../service/service-info.ts';
import { checkToolServers } from './check-tool-servers.ts';
import { loadSettings, type Settings } from '../settings/settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Looks at everything a task needs, starts nothing, and says what to do about what is not there. */
export async function runChecks(env: Environment, cwd: string): Promise<Check[]> {
  const checks = [
    checkNode(),
    await checkGit(env),
    await checkSandbox(env, cwd),
    ...(await checkProviders(env)),
    await check('home', () => checkHome(heddleHome(env))),
  ];
  // Without a home there is nothing to look at in it.
  if (checks.some(({ name, ok }) => name === 'home' && !ok)) return checks;
  let settings: Settings;
  try {
    settings = await loadSettings(env, cwd);
  } catch (error) {
    return [...checks, failed('settings', error)];
  }
  if (settings.codecKeys !== undefined) checks.push(await checkCodec(settings.codecKeys));
  checks.push(...(await checkToolServers(env, cwd).catch((error: unknown) => [failed('tools', error)])));
  if (settings.server === undefined) checks.push(...(await checkLocal(env)));
  else checks.push(...(await checkServer(settings.server, settings.taskQueue, settings.deployment)));
  return checks;
}

function checkNode(): Check {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const ok = major >= 24 || (major === 22 && minor >= 19);
  return {
    name: 'node',
    ok,
    detail: `Node ${process.versions.node}`,
    ...(ok ? {} : { hint: 'Use Node 24, or 22 from 22.19 on.' }),
  };
}

/** Work goes on without git; only snapshots do not. */
async function checkGit(env: Environment): Promise<Check> {
  return check('git', async () => {
    const answer = await gitVersion(env['PATH']);
    if (answer !== undefined) return `${answer}: snapshots of the workspace, diff and undo work`;
    throw new HeddleError({
      code: 'GIT_NOT_FOUND',
      message: 'git was not found: tasks run, but without snapshots, so there is nothing to undo',
      hint: 'Install git, and put it on the PATH of the worker.',
    });
  });
}

/** Not a fault: agents work without it, and ask more often. */
async function checkSandbox(env: Environment, cwd: string): Promise<Check> {
  const sandbox = await findSandbox();
  const name = 'sandbox';
  if (sandbox.kind === 'bubblewrap')
    return { name, ok: true, ...describeSandbox(sandbox.version, await findNetwork(env, cwd)) };
  return {
    name,
    ok: true,
    detail: `none, since ${sandbox.why}; commands of agents run beside your own programs, and you are asked about each command that does more than read`,
    hint: 'To have one, install bubblewrap on a Linux machine (`apt-get install bubblewrap`); in a container see docs/sandbox.md.',
  };
}

function describeSandbox(version: string, network: FoundWayOut): Pick<Check, 'detail' | 'hint'> {
  const works = `${version} works: commands of agents see little but their workspace; with \`network = true\` they reach`;
  if (network.kind === 'slirp4netns')
    return { detail: `${works} other machines, through ${network.version}, and no address of this one` };
  return {
    detail: `${works} the services of this machine, since ${network.why}; you are asked about each command that does more than read`,
    hint: 'For `network = true` without these questions, install slirp4netns (`apt-get install slirp4netns iproute2`): see docs/sandbox.md.',
  };
}

/** Settings that cannot be read are a finding of their own. */
async function findNetwork(env: Environment, cwd: string): Promise<FoundWayOut> {
  const settings = await loadSettings(env, cwd).catch(() => undefined);
  const why = serverProblem(settings?.server?.connection.address ?? 'localhost');
  return why === undefined ? probeWayOut(env['PATH']) : { kind: 'none', why };
}

/** None of them is a fault alone: a plan file of commands needs no model, and a goal is refused with what is missing. */
async function checkProviders(env: Environment): Promise<Check[]> {
  const providers = await describeProviders({ value: (name) => env[name] });
  return providers.map((provider) => ({ ...provider, ok: true }));
}

function checkCodec(file: string): Promise<Check> {
  return check('codec', () => {
    const keys = readCodecKeys(file);
    return `${keys.first.id} of ${file} encrypts what the server stores; ${formatCount(keys.ids().length, 'key')} decrypt`;
  });
}

function checkHome(home: HeddleHome): string {
  const free = Math.min(...listFolders(home).map(freeSpace));
  return `state is kept in ${home.data}, ${formatBytes(free)} are free`;
}

async function check(name: string, look: () => string | Promise<string>): Promise<Check> {
  try {
    return { name, ok: true, detail: await look() };
  } catch (error) {
    return failed(name, error);
  }
}

function failed(name: string, error: unknown): Check {
  const hint = error instanceof HeddleError ? error.hint : undefined;
  return {
    name,
    ok: false,
    detail: error instanceof Error ? error.message : String(error),
    ...(hint === undefined ? {} : { hint }),
  };
}

async function checkLocal(env: Environment): Promise<Check[]> {
  const home = heddleHome(env);
  const binary = await check('temporal program', async () => {
    const { path, version, source } = await resolveTemporal({ env, home, onProgress: () => undefined });
    return `${version} (${source}: ${path})`;
  });
  const info = readServiceInfo(home);
  if (info === undefined) {
    const idle = { name: 'local service', ok: true, detail: 'not running; it starts when a command needs it' };
    return [binary, idle, otherUsers];
  }
  const server = { connection: { address: info.temporalAddress }, namespace: info.namespace };
  return [binary, checkService(info), ...(await checkReach(info)), ...(await checkServer(server, info.taskQueue))];
}

function checkService(info: ServiceInfo): Check {
  const finding = `runs as process ${info.pid}, Web UI at ${info.webUi}`;
  if (isCurrent(info)) return { name: 'local service', ok: true, detail: finding };
  return {
    name: 'local service',
    ok: false,
    detail: `${finding}, with ${formatVersion(info)}, which is not this one`,
    hint: 'The next command starts it again when no task is open; `heddle down --force` stops it now, and open tasks resume at the next command.',
  };
}

async function checkServer(
  server: NonNullable<Settings['server']>,
  taskQueue: string,
  deployment?: Settings['deployment'],
): Promise<Check[]> {
  const address = server.connection.address;
  let client: HeddleClient;
  try {
    client = await HeddleClient.connect({ ...server.connection, namespace: server.namespace }, { taskQueue });
  } catch (error) {
    return [failed('temporal server', error)];
  }
  try {
    return [
      { name: 'temporal server', ok: true, detail: `reachable at ${address}, namespace ${server.namespace}` },
      await checkWorker(client, taskQueue),
      await checkAttributes(client, server.namespace),
      ...(deployment === undefined ? [] : [await checkVersion(client, server.namespace, deployment)]),
    ];
  } finally {
    await client.close();
  }
}

async function checkWorker(client: HeddleClient, taskQueue: string): Promise<Check> {
  return check('worker', async () => {
    if (await client.hasWorker()) return `polls the queue ${taskQueue}`;
    throw new HeddleError({
      code: 'NO_WORKER',
      message: `no worker polls the queue ${taskQueue}`,
      hint: 'Start one with `heddle worker`.',
    });
  });
}

/** A version that is not current is given no new task, however many workers it has. */
async function checkVersion(
  client: HeddleClient,
  namespace: string,
  { name, buildId }: NonNullable<Settings['deployment']>,
): Promise<Check> {
  return check('version', async () => {
    const { workerDeploymentInfo } = await client.temporal.workflowService
      .describeWorkerDeployment({ namespace, deploymentName: name })
      .catch(() => ({ workerDeploymentInfo: undefined }));
    const current = workerDeploymentInfo?.routingConfig?.currentDeploymentVersion?.buildId;
    if (current === buildId) return `${buildId} is the current version of ${name}`;
    throw new HeddleError({
      code: 'VERSION_NOT_CURRENT',
      message: `${buildId} is not the current version of ${name}, which is ${current ?? 'none'}: it gets no new tasks`,
      hint: `When its workers run: temporal worker deployment set-current-version --deployment-name ${name} --build-id ${buildId}`,
    });
  });
}

async function checkAttributes(client: HeddleClient, namespace: string): Promise<Check> {
  const { connection } = client.temporal;
  return check('search attributes', async () => {
    if (!(connection instanceof Connection)) throw new Error('no plain connection');
    const { missing, wrongType } = await readSearchAttributes(connection, namespace);
    if (missing.length === 0 && wrongType.length === 0) return 'all registered';
    const wrong = wrongType.map(({ name, is, should }) => `${name} is ${is}, should be ${should}`);
    throw new HeddleError({
      code: 'SEARCH_ATTRIBUTES_MISSING',
      message: [...(missing.length === 0 ? [] : [`not registered: ${formatList(missing)}`]), ...wrong].join('; '),
      hint: `Register them: ${missing.map((name) => `temporal operator search-attribute create --name ${name} --type ${attributeTypeName(name)}`).join(' && ')}. Tasks run without them, but cannot be found by what they wait for.`,
    });
  });
}
