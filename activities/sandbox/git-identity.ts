import { activityLimits } from '../limits/activity-limits.ts';
import { baseEnvironment } from '../programs/base-environment.ts';
import { findOwnProgram } from '../programs/own-programs.ts';
import { runProgram } from '../programs/run-program.ts';
import type { PublicEnvironment } from '../redact/secrets.ts';

/** The name of commits where the user has none, since git refuses a commit without one. */
const nobody = { name: 'Heddle', email: 'heddle@localhost' };

const identities = new Map<string, Promise<string>>();

/**
 * The only facts that git in the sandbox has about its user: the name and address that commits carry, of the worker's own settings, and nothing else of
 * them. Settings of the repository win. Git is asked once per home.
 */
export function gitIdentity(environment: PublicEnvironment): Promise<string> {
  const env = baseEnvironment(environment);
  const home = env['HOME'] ?? '';
  const identity = identities.get(home) ?? readIdentity(env);
  identities.set(home, identity);
  return identity;
}

async function readIdentity(env: Readonly<Record<string, string>>): Promise<string> {
  const [name, email] = await Promise.all([read('user.name', env), read('user.email', env)]);
  return `[user]\n\tname = ${quoted(name ?? nobody.name)}\n\temail = ${quoted(email ?? nobody.email)}\n`;
}

async function read(key: string, env: Readonly<Record<string, string>>): Promise<string | undefined> {
  const { probeTimeout: timeout } = activityLimits.commands;
  const git = findOwnProgram('git', { path: env['PATH'] });
  if (git === undefined) return undefined;
  const argv = [git, 'config', '--global', '--get', key];
  const { exitCode, stdoutTail } = await runProgram({ argv, cwd: '/', env, timeout });
  const value = stdoutTail.trim();
  return exitCode === 0 && value !== '' ? value : undefined;
}

const quoted = (value: string): string => `"${value.replace(/[\\"]/g, '\\$&').replace(/\s+/g, ' ')}"`;
