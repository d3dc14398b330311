import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';

import { activityLimits } from '../../limits/activity-limits.ts';
import { signalGroup } from '../../programs/process-group.ts';
import type { GitEnd, GitRun } from './git-process.ts';

export interface GitRequest {
  id: number;
  run: GitRun;
}

export interface GitReply {
  id: number;
  end: GitEnd;
}

interface Waiting {
  resolve: (end: GitEnd) => void;
  timer: NodeJS.Timeout;
}

/** One process that starts git for this one, as long as it lives. */
class GitStarter {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  #asked = 0;
  #idle: NodeJS.Timeout | undefined;
  #ended = false;

  constructor() {
    // The same file runs as TypeScript in a clone and as JavaScript in an installed package. Detached: Ctrl-C of a terminal is not for it.
    this.#child = fork(new URL(`./git-starter${extname(import.meta.url)}`, import.meta.url), [], {
      execArgv: ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=1'],
      env: {},
      serialization: 'advanced',
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#child.on('message', ({ id, end }: GitReply) => this.#told(id, end));
    this.#child.on('error', () => this.end());
    this.#child.on('disconnect', () => this.end());
    this.#rest();
  }

  get isThere(): boolean {
    return !this.#ended && this.#child.connected;
  }

  ask(run: GitRun): Promise<GitEnd> {
    clearTimeout(this.#idle);
    this.#child.channel?.ref();
    const id = (this.#asked += 1);
    return new Promise((resolve) => {
      // It ends git itself, unless it is stopped or starved.
      const timer = setTimeout(() => this.end(), run.patience + activityLimits.workspace.starterGrace);
      this.#waiting.set(id, { resolve, timer });
      this.#child.send({ id, run } satisfies GitRequest, (error) => {
        if (error !== null) this.end();
      });
    });
  }

  /** Every caller that still waits gets an answer, and may try again. */
  end(): void {
    this.#ended = true;
    clearTimeout(this.#idle);
    // It leads a group of its own: what it has started goes with it.
    if (this.#child.pid !== undefined) signalGroup(this.#child.pid, 'SIGKILL');
    for (const id of [...this.#waiting.keys()])
      this.#told(id, { how: 'not started', why: 'the process that starts it has ended' });
  }

  #told(id: number, end: GitEnd): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    clearTimeout(waiting?.timer);
    waiting?.resolve(end);
    if (this.#waiting.size === 0 && !this.#ended) this.#rest();
  }

  /** Keeps no process alive that has nothing else to do, and goes when nobody asks. */
  #rest(): void {
    this.#child.unref();
    this.#child.channel?.unref();
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.end(), activityLimits.workspace.starterIdle).unref();
  }
}

let starter: GitStarter | undefined;

export function askGitStarter(run: GitRun): Promise<GitEnd> {
  if (starter?.isThere !== true) starter = new GitStarter();
  return starter.ask(run);
}
