import type { PlanInput } from '../../../client/index.ts';
import type { Chance } from './chance.ts';
import { deliverableOf, shellOf, type Ending, type Program } from './program.ts';

/** `short`: two attempts, then a person. `whole`: the default rungs. */
export type LadderName = 'short' | 'whole';

/** A task that chance made: what it is given, and what the model knows of it. */
export interface RandomTask {
  programs: Program[];
  ladder: LadderName;
  maxParallelSubtasks: number;
  /** Escalations that pause it. */
  escalationPause: number;
  /** Events after which the server suggests a new run. */
  continueAt: number;
}

/** Waits of retries short enough that a kill costs the heartbeat timeout and little more. */
const retry = { initialInterval: '300ms', backoff: 2, maximumInterval: '5s', maximumAttempts: 20 };

const rungs = {
  short: [
    { tier: 'assigned', retry },
    { tier: 'assigned', feedback: true, retry },
  ],
  whole: [
    { tier: 'assigned', retry },
    { tier: 'assigned', feedback: true, retry },
    { tier: 'next', retry },
    { tier: 'highest', thinking: true, retry },
  ],
} as const satisfies Record<LadderName, NonNullable<PlanInput['ladder']>>;

export function randomTask(chance: Chance, most: number): RandomTask {
  const count = chance.mostlySmall(1, most);
  const programs: Program[] = [];
  for (let index = 0; index < count; index += 1) programs.push(randomProgram(chance, index, programs));
  if (chance.once(2)) programs.push({ ...plainProgram('together', []), synthesis: true });
  return {
    programs,
    ladder: chance.pick({ short: 2, whole: 1 }),
    maxParallelSubtasks: chance.between(1, 8),
    escalationPause: chance.between(2, 8),
    continueAt: chance.between(30, 60),
  };
}

const plainProgram = (id: string, dependsOn: string[]): Program => ({
  id,
  dependsOn,
  synthesis: false,
  person: true,
  endings: [],
  failsBy: 'exit',
  slowMs: 0,
  forks: false,
  printsBytes: 0,
  busy: 0,
  full: 0,
});

function randomProgram(chance: Chance, index: number, before: readonly Program[]): Program {
  const dependsOn = new Set<string>();
  // Near ones: long chains and wide layers both happen.
  for (let links = before.length === 0 ? 0 : chance.mostlySmall(0, 3); links > 0; links -= 1) {
    const near = before[Math.max(0, before.length - 1 - chance.mostlySmall(0, 12))];
    if (near !== undefined) dependsOn.add(near.id);
  }
  const endings: Ending[] = [];
  if (chance.once(4)) {
    for (let left = chance.mostlySmall(1, 6); left > 0; left -= 1) endings.push(chance.once(5) ? 'ask' : 'fail');
  }
  return {
    ...plainProgram(`s${index + 1}`, [...dependsOn]),
    person: !chance.once(30),
    endings,
    failsBy: chance.once(3) ? 'check' : 'exit',
    slowMs: chance.once(3) ? chance.mostlySmall(20, 600) : chance.once(25) ? chance.between(2_000, 6_000) : 0,
    forks: chance.once(6),
    printsBytes: chance.once(8) ? chance.mostlySmall(10, 2_000_000) : 0,
    busy: chance.once(12) ? chance.between(1, 2) : 0,
    full: chance.once(60) ? 1 : 0,
  };
}

export function planOf(task: RandomTask, place: { workspace: string; witnessFile: string }): PlanInput {
  return {
    goal: 'survive everything',
    project: 'random',
    workspace: place.workspace,
    maxParallelSubtasks: task.maxParallelSubtasks,
    escalationPause: task.escalationPause,
    ladder: [...rungs[task.ladder], { person: true }],
    subtasks: task.programs.map((program) => ({
      id: program.id,
      description: `do ${program.id}`,
      dependsOn: program.dependsOn,
      executor: { kind: 'command', run: ['sh', '-c', shellOf(program, place.witnessFile)], timeout: '2m' },
      ...(program.failsBy === 'check'
        ? { deliverables: [deliverableOf(program)], verify: [`grep -q good ${deliverableOf(program)}`] }
        : {}),
      ...(program.synthesis ? { synthesis: true } : {}),
      ...(program.person ? {} : { ladder: [...rungs[task.ladder]] }),
    })),
  };
}
