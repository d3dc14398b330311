// Agent programs on a real server, played by a script that prints what the real ones printed (test/corpora/clis). The real ones run in
// `npm run test:clis`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { PlanInput } from '../../../client/index.ts';
import type { OutputName } from '../../../domain/executors/output-names.ts';
import { recordingOf } from '../../domain/agent-clis/support.ts';
import { isEvent } from '../../support/events.ts';
import { decisionOpened, endOf, eventOf, linesOf, useRig } from '../../support/rig.ts';
import { until } from '../../support/witness.ts';

const rig = useRig();

interface Play {
  stdout: string;
  exit?: number;
  filed?: string;
}

/** A program that plays one recording after another, the last one for ever, and writes down how it was called. */
function player(workspace: string, id: string, plays: Play[]): string {
  for (const [index, { stdout, filed = '' }] of plays.entries()) {
    writeFileSync(join(workspace, `.play-${id}-${index + 1}`), stdout);
    writeFileSync(join(workspace, `.filed-${id}-${index + 1}`), filed);
  }
  const exits = plays.map(({ exit = 0 }) => exit).join(' ');
  const script = `echo "called $*" >> .calls-${id}; cat > .prompt-${id}; n=$(wc -l < .calls-${id})
[ $n -le ${plays.length} ] || n=${plays.length}
for last; do :; done
[ "$1" = --log ] && cat .filed-${id}-$n > "$2"
cat .play-${id}-$n; set -- ${exits}; shift $((n - 1)); exit $1`;
  writeFileSync(join(workspace, `.player-${id}.sh`), script);
  return join(workspace, `.player-${id}.sh`);
}

type Subtask = NonNullable<PlanInput['subtasks']>[number];

function subtaskOf(workspace: string, id: string, cli: OutputName, plays: Play[]): Subtask {
  const run = ['sh', player(workspace, id, plays), ...(cli === 'aider' ? ['--log', '{resultFile}'] : [])];
  const resume = cli === 'aider' ? {} : { resume: ['--resume', '{session}'] };
  return { id, description: 'do it', executor: { kind: 'command', run, output: cli, ...resume } };
}

function planOf(cli: OutputName, plays: Play[], more: Partial<Subtask> = {}): PlanInput {
  const workspace = rig.workspace();
  return { goal: 'a test', workspace, subtasks: [{ ...subtaskOf(workspace, 'work', cli, plays), ...more }] };
}

/** One task in which each program plays one recording. */
function planOfAll(
  rows: readonly (readonly [OutputName, string, ...unknown[]])[],
  rest: Partial<PlanInput>,
): PlanInput {
  const workspace = rig.workspace();
  const subtasks = rows.map(([cli, name]) => subtaskOf(workspace, idOf(name), cli, [recorded(cli, name)]));
  return { goal: 'a test', workspace, subtasks, ...rest };
}

const idOf = (recording: string): string => recording.replace(' ', '-');
const callsOf = ({ workspace = '' }: PlanInput, id = 'work'): string[] => linesOf(join(workspace, `.calls-${id}`));
const recorded = (cli: OutputName, name: string): Play => recordingOf(cli, name);
const wrote = recorded('claude', 'claude write-sjson');
const session = '695e056f-2eeb-4094-8a38-fc4cc1146919';

test('a success has its cost, where the program tells it, and its tokens', async () => {
  const rows = [
    ['claude', 'claude write-sjson', 0.0072, 4_080],
    ['codex', 'codex write-json', null, 2_480],
    ['gemini', 'gemini write-sjson', null, 2_500],
    ['opencode', 'opencode write-json', 0.01095, 4_080],
    ['aider', 'aider write', 0.00285, 1_240],
  ] as const;
  const plan = planOfAll(rows, {});
  const task = await rig.start(plan);
  expect(await endOf(task)).toBe('completed');
  const attempts = await task.attempts();
  for (const [, name, costUsd, tokens] of rows) {
    const own = attempts.filter(({ subtask }) => subtask === idOf(name));
    expect(own, name).toMatchObject([{ outcome: 'passed', costUsd, tokens }]);
    expect(callsOf(plan, idOf(name)), name).toHaveLength(1);
  }
});

test('a wrong key asks a person after one run, whatever the program exits with', async () => {
  const rows = [
    ['claude', 'claude 401-sjson'],
    ['codex', 'codex 401-json'],
    ['gemini', 'gemini 401-sjson'],
    ['opencode', 'opencode 401-json'],
    ['aider', 'aider 401'],
  ] as const;
  const plan = planOfAll(rows, { escalationPause: 20 });
  const task = await rig.start(plan);
  for (const [, name] of rows) await eventOf(task, decisionOpened(`${idOf(name)}-1`));
  const attempts = await task.attempts();
  for (const [, name] of rows) {
    const own = attempts.filter(({ subtask }) => subtask === idOf(name));
    expect(own, name).toMatchObject([{ outcome: 'failed', type: 'auth', category: 'never-retry' }]);
    expect(callsOf(plan, idOf(name)), name).toHaveLength(1);
  }
  await task.cancel();
});

test('the limit of a plan is waited for, in sight of everybody, without an attempt; its conversation goes on', async () => {
  const { stdout, exit = 1 } = recorded('claude', 'claude plan-limit');
  const soon = Math.ceil(Date.now() / 1_000) + 8;
  const limited = { exit, stdout: stdout.replace(/"resetsAt":\d+/, `"resetsAt":${soon}`) };
  const plan = planOf('claude', [limited, wrote]);
  const task = await rig.start(plan);
  const suspended = await eventOf(task, isEvent('attempt.suspended'));
  expect(suspended).toMatchObject({ why: 'wait', attempt: 1 });
  expect(suspended.text).toContain("You've hit your 5-hour limit");
  const { subtasks, decisions } = await task.status();
  expect(decisions).toEqual([]);
  expect(Date.parse(subtasks[0]?.notBefore ?? '')).toBeGreaterThanOrEqual(soon * 1_000);
  // The wait is the workflow's: it needs no worker.
  await rig.restartWorker();
  expect(await endOf(task)).toBe('completed');
  expect(Date.now()).toBeGreaterThanOrEqual(soon * 1_000);
  expect(await task.attempts()).toMatchObject([{ attempt: 1, outcome: 'passed', costUsd: 0.0072 }]);
  expect(callsOf(plan)).toEqual(['called ', expect.stringMatching(/^called --resume [\w-]{36}$/)]);
});

test('exit 0 and all the signs of an end are no success', async () => {
  const rows = [
    ['codex', 'codex refuses', 'empty-output'],
    ['aider', 'aider refuses', 'empty-output'],
    ['aider', 'aider too-long', 'context-overflow'],
  ] as const;
  const task = await rig.start(planOfAll(rows, { ladder: [{ tier: 'assigned' }] }));
  expect(await endOf(task)).toBe('failed');
  const attempts = await task.attempts();
  for (const [, name, type] of rows) {
    const own = attempts.filter(({ subtask }) => subtask === idOf(name));
    expect(own, name).toMatchObject([{ outcome: 'failed', type }]);
  }
});

const costs = (told: string): Play => {
  const { stdout } = wrote;
  const key = /,?"total_cost_usd":[\d.]+/;
  if (!key.test(stdout)) throw new Error('the recording tells no cost');
  return { stdout: stdout.replace(key, told === '' ? '' : `,"total_cost_usd":${told}`) };
};

test.each([
  ['no cost', ''],
  ['a negative cost', '-3'],
  ['an absurd cost', '1e308'],
])('%s under a budget of cost opens a question, once', async (_, told) => {
  const workspace = rig.workspace();
  const plays = [costs(told)];
  const subtasks = [
    subtaskOf(workspace, 'first', 'claude', plays),
    { ...subtaskOf(workspace, 'second', 'claude', plays), dependsOn: ['first'] },
  ];
  const task = await rig.start({ goal: 'a test', workspace, subtasks, budget: { costUsd: 2 } });
  const { decision } = await eventOf(task, decisionOpened());
  expect(decision).toMatchObject({ id: 'budget-costUsd-1', kind: 'budget' });
  expect(decision.problem).toContain('first reported no usable cost');
  await until(async () => (await task.status()).subtasks[0]?.state === 'completed');
  expect((await task.status()).subtasks[1]).toMatchObject({ state: 'pending', attempts: 0 });
  await task.decide({ decisionId: decision.id, option: 'raise', value: 4 });
  expect(await endOf(task)).toBe('completed');
  expect((await task.attempts()).map(({ costUsd }) => costUsd)).toEqual([null, null]);
  expect((await task.events()).filter(({ type }) => type === 'decision.opened')).toHaveLength(1);
});

test('a cost that is not told ends a task that stops at the end of its budget', async () => {
  const budget = { costUsd: 2, onExhausted: 'stop' as const };
  const workspace = rig.workspace();
  const plays = [costs('')];
  const subtasks = [
    subtaskOf(workspace, 'first', 'claude', plays),
    { ...subtaskOf(workspace, 'second', 'claude', plays), dependsOn: ['first'] },
  ];
  const task = await rig.start({ goal: 'a test', workspace, subtasks, budget });
  expect(await endOf(task)).toBe('failed');
  expect(await task.status()).toMatchObject({ code: 'BUDGET_EXHAUSTED' });
});

/** An hour from now, as each program says it: in seconds, or on the clock of its machine. */
const inAnHour: Record<'claude' | 'codex', (stdout: string) => string> = {
  claude: (stdout) => stdout.replace(/"resetsAt":\d+/, `"resetsAt":${Math.ceil(Date.now() / 1_000) + 3_600}`),
  codex(stdout) {
    const clock = new Date(Date.now() + 3_600_000).toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' });
    return stdout.replaceAll('7:02 AM', clock);
  },
};

test('a task that waits for the limits of plans asks nobody, and can be cancelled', async () => {
  const clis = ['claude', 'codex'] as const;
  const workspace = rig.workspace();
  const subtasks = clis.map((cli) => {
    const { stdout, exit = 1 } = recorded(cli, `${cli} plan-limit`);
    return subtaskOf(workspace, cli, cli, [{ exit, stdout: inAnHour[cli](stdout) }]);
  });
  const plan = { goal: 'a test', workspace, subtasks };
  const task = await rig.start(plan);
  for (const cli of clis) await eventOf(task, isEvent('attempt.suspended', cli));
  const status = await task.status();
  expect(status.summary).toMatch(/will be tried again in (?:59|60|61) min|in 1 h/);
  expect(status.decisions).toEqual([]);
  for (const { notBefore } of status.subtasks)
    expect(Date.parse(notBefore ?? '')).toBeGreaterThan(Date.now() + 3_500_000);
  await task.cancel();
  expect(await endOf(task)).toBe('cancelled');
  expect(await task.attempts()).toMatchObject(clis.map(() => ({ attempt: 1, outcome: 'cancelled' })));
  for (const cli of clis) expect(callsOf(plan, cli), cli).toHaveLength(1);
});

test('a rate limit is tried again without an attempt; a retry after feedback goes on in the conversation, a stronger model begins afresh; one that is gone is begun anew', async () => {
  const workspace = rig.workspace();
  const { stdout, exit = 1 } = recorded('claude', 'claude 429-json-r0');
  const paid = stdout.replace('"total_cost_usd":0,', '"total_cost_usd":0.5,');
  const gone = 'No conversation found with session ID: x';
  const error = { type: 'result', subtype: 'error_during_execution', is_error: true, errors: [gone] };
  const lost = { exit: 1, stdout: `${JSON.stringify(error)}\n` };
  const thrice = (id: string) => ({ verify: [`test $(wc -l < .calls-${id}) -ge 3`] });
  const plan = {
    goal: 'a test',
    workspace,
    subtasks: [
      subtaskOf(workspace, 'limited', 'claude', [{ exit, stdout: paid }, wrote]),
      {
        ...subtaskOf(workspace, 'refused', 'claude', [recorded('claude', 'claude bash2-json'), wrote]),
        ...thrice('refused'),
      },
      { ...subtaskOf(workspace, 'gone', 'claude', [wrote, lost, wrote]), ...thrice('gone') },
    ],
  };
  const task = await rig.start(plan);
  expect(await endOf(task)).toBe('completed');
  const attempts = await task.attempts();
  const attemptsOf = (id: string) => attempts.filter(({ subtask }) => subtask === id);
  // The known part of its cost counts.
  expect(attemptsOf('limited')).toMatchObject([{ attempt: 1, outcome: 'passed', costUsd: 0.5072 }]);

  const [first, second, third] = attemptsOf('refused');
  const resumed = 'called --resume 2382f58c-49da-4b45-80ac-b3b8620a6c78';
  expect(callsOf(plan, 'refused')).toEqual(['called ', resumed, 'called ']);
  expect([second?.session, third?.session]).toEqual([{ id: session, continued: true }, { id: session }]);
  // Actions that were not allowed are reported.
  expect(first?.denied).toEqual([{ tool: 'Bash', what: expect.stringContaining('python3 -c') as string }]);
  expect(await eventOf(task, isEvent('tool.refused'))).toMatchObject({ subtask: 'refused', tool: 'Bash' });
  expect(readFileSync(join(workspace, '.prompt-refused'), 'utf8')).toContain('<not_allowed>Bash: python3 -c');

  expect(callsOf(plan, 'gone')).toEqual(['called ', `called --resume ${session}`, 'called ']);
  expect(attemptsOf('gone')[1]).toMatchObject({ attempt: 2, outcome: 'passed', session: { id: session, lost: true } });
});

test('a program that prints no result of its own has not done its work; one that hangs is ended at its time limit with all that it started', async () => {
  const workspace = rig.workspace();
  const script =
    'echo $$ > pid; (sleep 600 & echo $! > child; wait) & echo \'{"type":"init","session_id":"s1"}\'; wait';
  const executor = { kind: 'command' as const, run: ['sh', '-c', script], output: 'gemini' as const, timeout: '1s' };
  const silent = subtaskOf(workspace, 'silent', 'claude', [{ stdout: 'All done, trust me.\n{"status":"success"}\n' }]);
  const subtasks = [silent, { id: 'hangs', executor }].map((subtask) => ({ ...subtask, maxAttempts: 1 }));
  const task = await rig.start({ goal: 'a test', workspace, subtasks });
  for (const id of ['silent-1', 'hangs-1']) await eventOf(task, decisionOpened(id));
  const attempts = await task.attempts();
  const attemptsOf = (id: string) => attempts.filter(({ subtask }) => subtask === id);
  expect(attemptsOf('silent')).toMatchObject([{ outcome: 'failed', type: 'tool-failed', costUsd: null }]);
  expect(attemptsOf('silent')[0]?.summary).toContain('without saying that it did its work');
  expect(attemptsOf('hangs')).toMatchObject([{ type: 'timeout', costUsd: null, session: { id: 's1' } }]);
  const alive = (file: string): boolean => {
    try {
      return process.kill(Number(linesOf(join(workspace, file))[0]), 0);
    } catch {
      return false;
    }
  };
  await until(() => !alive('pid') && !alive('child'));
  await task.cancel();
});
