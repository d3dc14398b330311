import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findAllOnPath } from '../../workers/server/fetch/find-on-path.ts';
import { Keeper } from './keeper.ts';

const programs = ['initdb', 'postgres', 'pg_isready'];

/** Folder in which Debian keeps the server's programs, which are not on the PATH. */
const debian = '/usr/lib/postgresql';

/** The folder with `initdb` and `postgres`, or a clear word. */
export function findPostgres(): string {
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const places = [
    // A link on the PATH leads to the folder that has the rest.
    ...findAllOnPath('initdb', process.env).map((path) => dirname(realpathSync(path))),
    ...versions.map((version) => join(debian, version, 'bin')),
  ];
  const folder = places.find((bin) => programs.every((name) => existsSync(join(bin, name))));
  if (folder !== undefined) return folder;
  throw new Error(
    `The fleet's test needs PostgreSQL on this machine: the programs ${programs.join(', ')} (Debian: apt install postgresql).`,
  );
}

export interface Postgres {
  keeper: Keeper;
  port: number;
  user: string;
  password: string;
}

/** A new database server below `folder`, on loopback, with a password. PostgreSQL refuses to be root: then another user runs it. */
export function startPostgres(options: { bin: string; folder: string; port: number; password: string }): Postgres {
  const { bin, folder, port, password } = options;
  const user = 'temporal';
  const owner = unprivileged();
  const [data, passwordFile] = [join(folder, 'postgres'), join(folder, 'postgres-password')];
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(passwordFile, password);
  if (owner !== undefined) {
    chmodSync(folder, 0o755);
    for (const path of [data, passwordFile]) chownSync(path, owner.uid, owner.gid);
  }
  const spawnOptions = { cwd: '/', ...owner };
  const init = [
    '--pgdata',
    data,
    '--username',
    user,
    '--pwfile',
    passwordFile,
    '--auth',
    'scram-sha-256',
    '--encoding',
    'UTF8',
  ];
  execFileSync(join(bin, 'initdb'), init, { ...spawnOptions, stdio: 'pipe' });
  rmSync(passwordFile);
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=100'];
  const keeper = new Keeper({
    program: join(bin, 'postgres'),
    args: ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
    log: join(folder, 'postgres.log'),
    options: spawnOptions,
  }).start();
  return { keeper, port, user, password };
}

export function isReady(bin: string, port: number): boolean {
  const args = ['--host=127.0.0.1', `--port=${port}`, '--username=temporal', '--dbname=postgres'];
  return spawnSync(join(bin, 'pg_isready'), args, { stdio: 'ignore' }).status === 0;
}

function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string): number => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout.trim());
  const [uid, gid] = [id('-u'), id('-g')];
  return uid > 0 && gid > 0 ? { uid, gid } : { uid: 65_534, gid: 65_534 };
}
