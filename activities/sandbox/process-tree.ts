import { readdirSync, readFileSync } from 'node:fs';
import { isZombie, readStatSync, type ProcessStat } from '../programs/read-process.ts';

/** A process that runs. */
export interface Member extends ProcessStat {
  pid: number;
}

/** A program with everything that it has started, as far as it can be told by who started whom. */
export class ProcessTree {
  readonly #root: number;
  /** When those began that were seen before: they stay ours when their parent ends and another becomes it. */
  readonly #known = new Map<number, string>();

  /** `root` leads a process group of its own. */
  constructor(root: number) {
    this.#root = root;
  }

  /** Those that run now; none where the system does not tell. Of the kernel's own files: none of this waits. */
  look(): Member[] {
    const all = process.platform === 'linux' ? runningNow() : [];
    const children = Map.groupBy(all, ({ parent }) => parent);
    const members = new Map<number, Member>();
    const open = all.filter((member) => this.#isOurs(member));
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (members.has(next.pid)) continue;
      members.set(next.pid, next);
      this.#known.set(next.pid, next.startTicks);
      open.push(...(children.get(next.pid) ?? []));
    }
    return [...members.values()];
  }

  #isOurs({ pid, group, startTicks }: Member): boolean {
    return pid === this.#root || group === this.#root || this.#known.get(pid) === startTicks;
  }
}

function runningNow(): Member[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const stat = readStatSync(Number(name));
    return stat === undefined || isZombie(stat.state) ? [] : [{ ...stat, pid: Number(name) }];
  });
}

/** Bytes of memory that are its own: pages of files, which the system can take back, do not count. */
export function readProcessMemory(pid: number): number {
  let status: string;
  try {
    status = readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    // It has ended meanwhile.
    return 0;
  }
  const kilobytes = [...status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm)].map(([, number]) => Number(number));
  return kilobytes.reduce((sum, each) => sum + each, 0) * 1024;
}
