import { spawn } from 'node:child_process';

import { activityLimits } from '../../limits.ts';
import { lastLines } from '../../../domain/text/text.ts';
import { systemCode } from '../../store/system-error.ts';
import { SnapshotTrouble } from './snapshot-trouble.ts';

export interface GitPlace {
  cwd: string;
  /** The whole environment. */
  env: Readonly<Record<string, string>>;
}

export interface GitOptions {
  stdin?: Uint8Array | string;
  /** `performance.now()` at which it is ended. */
  deadline: number;
  /** Exit codes that are answers. */
  answers?: readonly number[];
}

export interface GitAnswer {
  /** 0, or one of the exits that are answers. */
  code: number;
  stdout: Buffer;
  stderr: string;
}

/** How much of a complaint is kept. */
const complaintBytes = 16 * 1024;

/** Runs git and returns what it printed. Anything else is a `SnapshotTrouble` in git's own words. */
export async function runGit(place: GitPlace, args: readonly string[], options: GitOptions): Promise<GitAnswer> {
  const patience = options.deadline - performance.now();
  if (patience <= 0) throw tooSlow();
  const child = spawn('git', args, { cwd: place.cwd, env: place.env, stdio: ['pipe', 'pipe', 'pipe'] });
  const stdout: Buffer[] = [];
  let stderr = '';
  let bytes = 0;
  let why: SnapshotTrouble | undefined;
  const stop = (trouble: SnapshotTrouble): void => {
    why ??= trouble;
    child.kill('SIGKILL');
  };
  const timer = setTimeout(() => stop(tooSlow()), patience);
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > activityLimits.workspace.outputBytes) stop(new SnapshotTrouble(`${nameOf(args)} prints too much`));
    else stdout.push(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString('latin1')).slice(-complaintBytes)));
  // It may end without reading its input.
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.stdin ?? '');
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    if (why !== undefined) throw why;
    if (code === 0 || (code !== null && options.answers?.includes(code) === true)) {
      return { code, stdout: Buffer.concat(stdout), stderr };
    }
    throw new SnapshotTrouble(`${nameOf(args)} failed: ${lastLines(stderr, 2) || `it ended with ${code ?? '?'}`}`);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') throw new SnapshotTrouble('git was not found');
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Without options before the command. */
const nameOf = (args: readonly string[]): string =>
  `git ${args.find((word, index) => !word.startsWith('-') && !/^-[cC]$/.test(args[index - 1] ?? '')) ?? ''}`;

const tooSlow = (): SnapshotTrouble => new SnapshotTrouble('it took too long');

/** The parts of an output that `-z` separates, as keys. */
export function splitZero(output: Buffer): string[] {
  const text = output.toString('latin1');
  return text === '' ? [] : text.replace(/\0$/, '').split('\0');
}

/** An input of the same form. */
export function joinZero(keys: readonly string[]): Buffer {
  return Buffer.from(keys.map((key) => `${key}\0`).join(''), 'latin1');
}
