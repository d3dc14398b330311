import { activityLimits } from '../../limits/activity-limits.ts';
import { lastLines } from '../../../domain/text/text.ts';
import { askGitStarter } from './ask-git-starter.ts';
import { type GitEnd, type GitPlace, gitProcess } from './git-process.ts';
import { SnapshotTrouble } from './snapshot-trouble.ts';

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

let runs = 0;

/** Runs git and returns what it printed. Anything else is a `SnapshotTrouble` in git's own words. */
export async function runOwnGit(place: GitPlace, args: readonly string[], options: GitOptions): Promise<GitAnswer> {
  const patience = options.deadline - performance.now();
  if (patience <= 0) throw tooSlow();
  const { outputBytes, runsBeforeStarter } = activityLimits.workspace;
  const run = { ...place, args, stdin: options.stdin ?? '', patience, outputBytes };
  runs += 1;
  // To start a program copies the page tables of its parent: a process that runs git often has a small one do it.
  const end = await (runs > runsBeforeStarter ? askGitStarter(run) : gitProcess(run));
  if (end.how !== 'ended') throw buildTrouble(end, args);
  const { code, stdout, stderr } = end;
  if (code === 0 || (code !== null && options.answers?.includes(code) === true)) {
    return { code, stdout: Buffer.from(stdout.buffer, stdout.byteOffset, stdout.byteLength), stderr };
  }
  throw new SnapshotTrouble(`${formatCommand(args)} failed: ${lastLines(stderr, 2) || `it ended with ${code ?? '?'}`}`);
}

function buildTrouble(end: Exclude<GitEnd, { how: 'ended' }>, args: readonly string[]): SnapshotTrouble {
  switch (end.how) {
    case 'slow':
      return tooSlow();
    case 'too much':
      return new SnapshotTrouble(`${formatCommand(args)} prints too much`);
    case 'not found':
      return new SnapshotTrouble('git was not found');
    case 'not started':
      return new SnapshotTrouble(`${formatCommand(args)} was not started: ${end.why}`);
  }
}

/** Without options before the command. */
const formatCommand = (args: readonly string[]): string =>
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
