import { spawn } from 'node:child_process';
import { findProgram } from '../../activities/programs/find-program.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { heddleHome, type Environment, type HeddleHome } from '../home/home.ts';
import { findServing, formatAudience, type ApiRecord } from '../serve/api-record.ts';
import { homeKey } from '../serve/home-key.ts';
import { makeCode } from '../serve/one-time-code.ts';
import { loadSettings } from '../settings/settings.ts';
import { startService } from './local-service.ts';

/** The address of a page, with a code that lets one browser in once, where the home's own key may. */
export async function consoleAddress(
  env: Environment,
  cwd: string,
  { path, progress }: { path: string; progress: (text: string) => void },
): Promise<string> {
  const home = heddleHome(env);
  const serving = findServing(home) ?? (await startServing(env, cwd, { home, progress }));
  const url = `${serving.console}${path}`;
  return serving.takesKey ? `${url}#code=${makeCode(homeKey(home), formatAudience(serving))}` : url;
}

async function startServing(
  env: Environment,
  cwd: string,
  { home, progress }: { home: HeddleHome; progress: (text: string) => void },
): Promise<ApiRecord> {
  const settings = await loadSettings(env, cwd);
  if (settings.server !== undefined) throw notServed('Nothing serves the console of this home', '`heddle serve` does.');
  await startService(env, settings, progress);
  const serving = findServing(home);
  if (serving !== undefined) return serving;
  throw notServed(
    'The local service serves no console',
    'It was started with --no-console, or its newest log says why. `heddle serve` serves one, or says what is wrong.',
  );
}

const notServed = (message: string, hint: string): HeddleError =>
  new HeddleError({ code: 'SERVICE_FAILED', message, hint });

/** Programs that open an address in the person's browser. */
const openers = process.platform === 'darwin' ? ['open'] : ['xdg-open', 'wslview', 'sensible-browser'];

/** False where there is no such program, or it says that it has no browser. */
export async function browse(env: Environment, cwd: string, url: string): Promise<boolean> {
  const named = env['BROWSER'] === undefined || env['BROWSER'] === '' ? [] : [env['BROWSER']];
  for (const name of [...named, ...openers]) {
    const program = await findProgram(name, { path: env['PATH'], cwd });
    if (program !== undefined) return start(program, url);
  }
  return false;
}

/** An opener ends at once; a browser itself may stay, and outlives the command. */
function start(program: string, url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, [url], { detached: true, stdio: 'ignore' });
    const stays = setTimeout(() => resolve(true), 2_000);
    child.once('error', () => resolve(false));
    child.once('exit', (code) => {
      clearTimeout(stays);
      resolve(code === 0);
    });
    child.unref();
  });
}
