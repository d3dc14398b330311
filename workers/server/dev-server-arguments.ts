import { attributeTypeName, searchAttributeNames } from '../../domain/names/search-attributes.ts';
import { workerLimits } from '../limits/worker-limits.ts';
import { loopback } from './loopback-address.ts';
import { runBounded } from './fetch/run-bounded.ts';

interface Settings {
  temporalPath: string;
  dbFile: string;
  port: number;
  uiHost: string;
  uiPort: number;
  headless: boolean;
  codecEndpoint?: string;
  dynamicConfig?: Readonly<Record<string, string>>;
}

/** Worth a factor of 7: by default the one shard reads its queue 20 times a second, and every activity takes a hop more. */
const fastConfig = {
  'history.transferProcessorMaxPollRPS': '10000',
  'system.enableActivityEagerExecution': 'true',
  'history.maxInFlightUpdates': '100',
  // A dev server reads from its file which attributes there are, before each that is set. Those of a SQL store never change; a new name
  // for one of them is known after two seconds, and ours are given at the start.
  'system.forceSearchAttributesCacheRefreshOnRead': 'false',
};

/** The HTTP API takes a task from any web page by a plain POST. Nobody needs it, and no request can carry this name: a space ends it. */
const closedHttpApi = { 'frontend.httpAllowedHosts': '["closed by heddle"]' };

/** Full sync: a power cut loses no task that was acknowledged. */
const durableStorage = ['journal_mode=wal', 'synchronous=full'];

export async function devServerArguments(settings: Settings): Promise<string[]> {
  const config = { ...fastConfig, ...settings.dynamicConfig, ...closedHttpApi };
  return [
    ...['server', 'start-dev'],
    ...['--ip', loopback, '--port', String(settings.port)],
    ...(settings.headless ? ['--headless'] : ['--ui-ip', settings.uiHost, '--ui-port', String(settings.uiPort)]),
    ...(settings.headless || settings.codecEndpoint === undefined
      ? []
      : ['--ui-codec-endpoint', settings.codecEndpoint]),
    ...['--db-filename', settings.dbFile],
    ...durableStorage.flatMap((pragma) => ['--sqlite-pragma', pragma]),
    ...Object.entries(config).flatMap(([key, value]) => ['--dynamic-config-value', `${key}=${value}`]),
    ...searchAttributeNames.flatMap((name) => ['--search-attribute', `${name}=${attributeTypeName(name)}`]),
    ...(await optionalFlags(settings.temporalPath)),
    ...['--log-level', 'error'],
  ];
}

/** The UI otherwise calls out for news; CLI versions before this flag refuse it. */
async function optionalFlags(temporalPath: string): Promise<string[]> {
  const flag = '--ui-disable-news-fetch';
  const help = await runBounded(temporalPath, ['server', 'start-dev', '--help'], {
    env: process.env,
    timeout: workerLimits.server.probe,
  });
  return help.includes(flag) ? [flag] : [];
}
