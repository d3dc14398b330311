import { spawn } from 'node:child_process';
import { openSync, closeSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { userHome } from '../../activities/system/user-home.ts';
import { startLogs } from '../../activities/home/home-layout.ts';
import { inputsVariable } from '../../activities/attempt/attempt-scratch.ts';
import { keyVariable } from '../../activities/programs/orphan.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { readProblem } from '../../domain/errors/read-problem.ts';
import { inHome, makeFolder, notWritable, type HeddleHome } from '../home/home.ts';
import { currentService, requireCurrent } from './current-service.ts';
import { readServiceInfo, touchLastUsed, type ServiceInfo } from './service-info.ts';

/** The variable that marks the processes of an attempt. */
const attemptVariables: readonly string[] = [keyVariable, inputsVariable];

/** Fetching the server may be part of it: the slowest route takes minutes. */
const startDeadline = 10 * 60_000;
const look = 50;

/** In a clone a file of its own; an installed package has it bundled, beside the chunk that this is in. */
const program = (name: string): string =>
  fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? `../${name}.ts` : `./${name}.js`, import.meta.url));

/** Finds the service of a home or starts it in the background. Several callers at once get the same one. */
export async function ensureService(
  home: HeddleHome,
  env: Readonly<Record<string, string | undefined>>,
  progress: (text: string) => void,
): Promise<ServiceInfo> {
  touchLastUsed(home);
  const there = await currentService(home, progress);
  if (there !== undefined) return there;
  progress('Starting the local service');
  const starting = spawnService(home, env);
  try {
    return requireCurrent(await untilReady(home, starting, progress));
  } finally {
    starting.forget();
  }
}

interface Starting {
  exitCode(): number | null | undefined;
  output(): string;
  problem(): string;
  forget(): void;
}

/** Its words go to files: a pipe would tie it to this command's life. */
function spawnService(home: HeddleHome, env: Readonly<Record<string, string | undefined>>): Starting {
  makeFolder(home.logs);
  const files = startLogs(home.logs, process.pid);
  const [out, err] = inHome(home.logs, () => [openSync(files.out, 'w'), openSync(files.err, 'w')] as const);
  const flags = ['--disable-warning=ExperimentalWarning', `--import=${program('keep-compiled')}`];
  const child = spawn(process.execPath, [...flags, program('service')], {
    detached: true,
    stdio: ['ignore', out, err],
    cwd: userHome(env),
    // Started by a program of an attempt, it must not end with it.
    env: Object.fromEntries(Object.entries(env).filter(([name]) => !attemptVariables.includes(name))),
  });
  closeSync(out);
  closeSync(err);
  let code: number | null | undefined;
  child.on('exit', (exitCode) => (code = exitCode));
  child.on('error', () => (code = null));
  child.unref();
  return {
    exitCode: () => code,
    output: () => readFileSync(files.out, 'utf8'),
    problem: () => readFileSync(files.err, 'utf8'),
    forget: () => {
      for (const file of Object.values(files)) rmSync(file, { force: true });
    },
  };
}

async function untilReady(
  home: HeddleHome,
  starting: Starting,
  progress: (text: string) => void,
): Promise<ServiceInfo> {
  const deadline = Date.now() + startDeadline;
  let shown = 0;
  while (Date.now() < deadline) {
    const info = readServiceInfo(home);
    if (info !== undefined) return info;
    const lines = starting
      .output()
      .split('\n')
      .filter((line) => line !== '');
    for (const line of lines.slice(shown)) progress(line);
    shown = lines.length;
    const code = starting.exitCode();
    if (code !== undefined && code !== 0) throw failed(starting.problem(), home);
    await sleep(look);
  }
  throw new HeddleError({
    code: 'SERVICE_FAILED',
    message: 'The local service did not become ready',
    where: home.logs,
    hint: 'Read the newest service log there.',
  });
}

function failed(text: string, home: HeddleHome): HeddleError {
  const last = text.trim().split('\n').at(-1) ?? '';
  try {
    const { code, message, where = home.logs, hint, problems } = readProblem(JSON.parse(last));
    if (code !== undefined && message !== undefined) {
      return new HeddleError({ code, message, where, ...(hint === undefined ? {} : { hint }) }, problems);
    }
  } catch {
    // Not our own words: the process died before it could say why.
  }
  if (last === '' && statfsSync(home.logs).bavail === 0) return notWritable(home.logs, 'no space is left on the disk');
  return new HeddleError({
    code: 'SERVICE_FAILED',
    message: `The local service exited while it was starting: ${last === '' ? 'no message' : last}`,
    where: home.logs,
    hint: 'Read the newest service log and temporal.log there.',
  });
}
