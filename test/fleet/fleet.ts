import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { parse } from 'yaml';
import { HeddleClient } from '../../client/index.ts';
import { freePort } from '../../workers/server/free-port.ts';
import { heddleHome } from '../../workers/home/home.ts';
import { resolveTemporal } from '../../workers/server/fetch/resolve-temporal.ts';
import { until } from '../support/cli.ts';
import { Keeper } from './keeper.ts';
import { findPostgres, isReady, startPostgres, type Postgres } from './postgres.ts';
import { resolveServer } from './resolve-server.ts';

const root = join(import.meta.dirname, '..', '..');

type Variables = Record<string, string>;

/** The topology of docker-compose.yml by hand, on free ports of this machine: its scripts, its variables, its settings. */
export interface Fleet {
  folder: string;
  address: string;
  client: HeddleClient;
  postgres: Keeper;
  temporal: Keeper;
  workers: Keeper[];
  /** Result of compose's health check of each worker. */
  workersAreHealthy(): boolean;
  /** Whether the database and the server answer. */
  answers(): Promise<boolean>;
  stop(): Promise<void>;
}

export async function startFleet(onProgress: (text: string) => void): Promise<Fleet> {
  const bin = findPostgres();
  const programs = await resolveServer(onProgress);
  const cli = await resolveTemporal({ env: process.env, home: heddleHome(process.env), onProgress });
  const folder = mkdtempSync(join(tmpdir(), 'heddle-fleet-'));
  const keepers: Keeper[] = [];
  const stop = async (): Promise<void> => {
    for (const keeper of keepers.toReversed()) await keeper.stop(keeper === keepers[0] ? 'SIGINT' : 'SIGTERM');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  try {
    const password = randomBytes(12).toString('hex');
    const postgres = startPostgres({ bin, folder, port: await freePort(), password });
    keepers.push(postgres.keeper);
    await until('PostgreSQL answers', () => isReady(bin, postgres.port));
    // The names that the images have.
    const tools = join(folder, 'bin');
    mkdirSync(tools);
    symlinkSync(programs.sqlTool, join(tools, 'temporal-sql-tool'));
    symlinkSync(cli.path, join(tools, 'temporal'));
    runJob('temporal-schema', tools, {
      SQL_HOST: '127.0.0.1',
      SQL_PORT: String(postgres.port),
      SQL_PASSWORD: password,
    });
    const port = await freePort();
    const address = `127.0.0.1:${port}`;
    const temporal = new Keeper({
      program: programs.server,
      args: ['start'],
      log: join(folder, 'temporal.log'),
      options: { cwd: folder, env: { PATH: process.env['PATH'], ...(await serverVariables(postgres, port)) } },
    }).start();
    keepers.push(temporal);
    runJob('temporal-init', tools, { TEMPORAL_ADDRESS: address });
    const metrics = [await freePort(), await freePort()].map((number) => `127.0.0.1:${number}`);
    const workers = metrics.map((own, n) => startWorker(folder, address, n + 1, own));
    keepers.push(...workers);
    const client = await HeddleClient.connect({ address });
    await until('a worker polls', () => client.hasWorker());
    const answers = async (): Promise<boolean> => isReady(bin, postgres.port) && (await isAnswering(client));
    const end = async (): Promise<void> => {
      await client.close();
      await stop();
    };
    const workersAreHealthy = (): boolean => metrics.every(isHealthy);
    return {
      folder,
      address,
      workersAreHealthy,
      client,
      postgres: postgres.keeper,
      temporal,
      workers,
      answers,
      stop: end,
    };
  } catch (error) {
    const said = lastWords(folder);
    await stop();
    throw new Error(`the fleet did not start:\n${said}`, { cause: error });
  }
}

/** The ends of all logs: the folder goes with the test. */
function lastWords(folder: string): string {
  const logs = readdirSync(folder).filter((name) => name.endsWith('.log'));
  return logs.map((name) => `--- ${name}\n${readFileSync(join(folder, name), 'utf8').slice(-2_000)}`).join('\n');
}

/** The environment that docker-compose.yml gives a service, with what this machine has in place of its own names. */
function composeVariables(service: string, instead: Variables): Variables {
  const compose = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
    services: Record<string, { environment: Variables }>;
  };
  const given = compose.services[service]?.environment ?? {};
  const defaults = Object.entries(given).map(([name, value]) => [name, value.replace(/\$\{\w+:-(.*?)\}/g, '$1')]);
  return { ...(Object.fromEntries(defaults) as Variables), ...instead };
}

/** The jobs of the compose file as they are there: the same script, the same variables. */
function runJob(service: 'temporal-schema' | 'temporal-init', tools: string, instead: Variables): void {
  const script = join(root, 'deploy', service === 'temporal-schema' ? 'schema.sh' : 'init.sh');
  const env = {
    HOME: dirname(tools),
    PATH: [tools, process.env['PATH'] ?? ''].join(delimiter),
    ...composeVariables(service, instead),
  };
  // Twice: after a restart of the machine compose runs them again.
  for (const time of ['first', 'second']) {
    const { status, stderr, stdout } = spawnSync('sh', [script], { env, encoding: 'utf8', timeout: 120_000 });
    if (status !== 0) throw new Error(`${service} failed the ${time} time: ${stderr}${stdout}`);
  }
}

async function serverVariables(postgres: Postgres, port: number): Promise<Variables> {
  const names = ['FRONTEND_HTTP_PORT', 'FRONTEND_MEMBERSHIP_PORT', 'MATCHING_GRPC_PORT', 'MATCHING_MEMBERSHIP_PORT'];
  names.push('HISTORY_GRPC_PORT', 'HISTORY_MEMBERSHIP_PORT', 'WORKER_GRPC_PORT', 'WORKER_MEMBERSHIP_PORT');
  const ports: [string, string][] = [];
  for (const name of names) ports.push([name, String(await freePort())]);
  return composeVariables('temporal', {
    ...Object.fromEntries(ports),
    FRONTEND_GRPC_PORT: String(port),
    BIND_ON_IP: '127.0.0.1',
    POSTGRES_SEEDS: '127.0.0.1',
    DB_PORT: String(postgres.port),
    POSTGRES_USER: postgres.user,
    POSTGRES_PWD: postgres.password,
    // A machine of two cores: 512 shards would only fill its memory.
    NUM_HISTORY_SHARDS: '4',
    DYNAMIC_CONFIG_FILE_PATH: join(root, 'deploy', 'dynamicconfig', 'heddle.yaml'),
  });
}

function startWorker(folder: string, address: string, n: number, metrics: string): Keeper {
  const variables = composeVariables('worker', {
    TEMPORAL_ADDRESS: address,
    HEDDLE_HOME: join(folder, 'home'),
    HEDDLE_METRICS: metrics,
  });
  return new Keeper({
    program: process.execPath,
    args: [join(root, 'bin', 'heddle.js'), 'worker'],
    log: join(folder, `worker-${n}.log`),
    options: { cwd: folder, env: { PATH: process.env['PATH'], HOME: folder, ...variables } },
  }).start();
}

function isHealthy(metrics: string): boolean {
  const check = join(root, 'deploy', 'healthcheck.mjs');
  return spawnSync(process.execPath, [check, `http://${metrics}/metrics`], { timeout: 10_000 }).status === 0;
}

async function isAnswering(client: HeddleClient): Promise<boolean> {
  try {
    await client.list();
    return true;
  } catch {
    return false;
  }
}
