import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { median } from '../statistics.ts';
import { bareDecide, bareList, bareRun, bareStatus, loadsCommander } from './bare-scripts.ts';
import type { Installed } from './installed.ts';

export interface CommandCost {
  command: string;
  /** Milliseconds of CPU. */
  bare: number;
  heddle: number;
  aim: number;
}

export interface RunTimes {
  side: 'bare' | 'heddle';
  /** Milliseconds from the start of the process. */
  firstLine: number;
  program: number;
}

/** Tells on descriptor 3 what CPU a process used, as its last deed. */
const counting = `import { writeSync } from 'node:fs';
process.on('exit', () => { const { user, system } = process.cpuUsage(); writeSync(3, String((user + system) / 1000)); });
`;

type Command = () => string[];

export class CliBench {
  readonly #installed: Installed;
  readonly #counting: string;
  readonly #address: string;
  readonly #times: number;
  #asked = 0;

  constructor(installed: Installed, times: number) {
    this.#installed = installed;
    this.#times = times;
    this.#counting = installed.script('counting.mjs', counting);
    const up = JSON.parse(installed.run(installed.heddle, 'up', '--background', '--json')) as {
      temporalAddress: string;
    };
    this.#address = up.temporalAddress;
  }

  async commands(): Promise<CommandCost[]> {
    const { heddle } = this.#installed;
    const script = (name: string, code: string): string => this.#installed.script(name, code);
    const empty = script('empty.mjs', loadsCommander);
    const status = script('status.mjs', bareStatus);
    const list = script('list.mjs', bareList);
    const decide = script('decide.mjs', bareDecide);
    const [known = ''] = this.#askers(1);
    const askers = this.#askers(2 * (this.#times + 1));
    const next = (): string => askers.pop() ?? '';
    const costs: [string, number, Command, Command][] = [
      ['--version', 2, () => [empty], () => [heddle, '--version']],
      ['--help', 2, () => [empty], () => [heddle, '--help']],
      ['status', 1.5, () => [status, this.#address, known], () => [heddle, 'status', known]],
      ['list', 1.5, () => [list, this.#address], () => [heddle, 'list']],
      [
        'decide',
        1.5,
        () => [decide, this.#address, next(), 'plan-1', 'reject'],
        () => [heddle, 'decide', next(), 'plan-1', 'reject'],
      ],
    ];
    const measured: CommandCost[] = [];
    for (const [command, aim, bare, own] of costs) measured.push({ command, aim, ...(await this.#compare(bare, own)) });
    return measured;
  }

  /** In turn, so that whatever else the machine does falls on both. The first of each fills the caches. */
  async #compare(bare: Command, heddle: Command): Promise<{ bare: number; heddle: number }> {
    const cpu: { bare: number[]; heddle: number[] } = { bare: [], heddle: [] };
    for (let time = 0; time <= this.#times; time += 1) {
      const [one, other] = [await this.#cpuOf(bare()), await this.#cpuOf(heddle())];
      if (time === 0) continue;
      cpu.bare.push(one);
      cpu.heddle.push(other);
    }
    return { bare: median(cpu.bare), heddle: median(cpu.heddle) };
  }

  async #cpuOf(args: string[]): Promise<number> {
    const { work: cwd, env } = this.#installed;
    const stdio = ['ignore', 'ignore', 'inherit', 'pipe'] as const;
    const child = spawn(process.execPath, ['--import', this.#counting, ...args], { cwd, env, stdio: [...stdio] });
    let output = '';
    child.stdio[3]?.on('data', (data: Buffer) => (output += data.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${String(code)}`);
    return Number(output);
  }

  /** Tasks that wait for an answer, by their ids. */
  #askers(count: number): string[] {
    const plan = {
      goal: 'bench: ask',
      planApproval: true,
      shareWorkspace: true,
      subtasks: [{ id: 'a', executor: echo }],
    };
    writeFileSync(join(this.#installed.work, 'asks.json'), JSON.stringify(plan));
    return Array.from({ length: count }, () => {
      const id = `asks-${(this.#asked += 1)}`;
      this.#installed.run(this.#installed.heddle, 'run', 'asks.json', '--detach', '--id', id);
      return id;
    });
  }

  /** A plan of one subtask on a service that runs. */
  async runs(): Promise<RunTimes[]> {
    const { heddle, work } = this.#installed;
    const bare = this.#installed.script('run.mjs', bareRun);
    const stamp = join(work, 'started');
    const executor = { kind: 'command', run: ['sh', '-c', `date +%s%3N > ${stamp}; echo done`] };
    const plan = { goal: 'bench: run', workspace: work, shareWorkspace: true, subtasks: [{ id: 'a', executor }] };
    writeFileSync(join(work, 'run.json'), JSON.stringify(plan));
    const times: RunTimes[] = [];
    for (let time = 0; time <= this.#times; time += 1) {
      const sides = [
        ['bare', [bare, this.#address, `bare-${time}`, JSON.stringify(plan)]],
        ['heddle', [heddle, 'run', 'run.json', '--id', `run-${time}`]],
      ] as const;
      for (const [side, args] of sides) {
        const measured = await this.#timesOf([...args], stamp);
        if (time > 0) times.push({ side, ...measured });
      }
    }
    return times;
  }

  async #timesOf(args: string[], stamp: string): Promise<Omit<RunTimes, 'side'>> {
    rmSync(stamp, { force: true });
    const { work: cwd, env } = this.#installed;
    const begun = Date.now();
    const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
    let firstLine = NaN;
    child.stdout.on('data', () => (firstLine = Number.isNaN(firstLine) ? Date.now() - begun : firstLine));
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0 || !existsSync(stamp)) throw new Error(`${args.join(' ')} ended with ${String(code)}`);
    return { firstLine, program: Number(readFileSync(stamp, 'utf8')) - begun };
  }
}

const echo = { kind: 'command', run: ['echo', 'done'] };
