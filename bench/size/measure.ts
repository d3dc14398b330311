import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TaskHandle } from '../../client/index.ts';
import { cpuTime } from '../cpu-time.ts';
import { Rig } from '../rig.ts';
import { attemptsOf, questions, sizePlan } from './plan.ts';
import { weigh, type Weight } from './weigh.ts';

/** The cost of a task of `count` subtasks. */
export interface SizeRun extends Weight {
  count: number;
  /** From the start to the result, as the client sees it. */
  ms: number;
  /** Milliseconds of CPU, and bytes of memory at its highest; undefined where the system does not say. */
  workerCpu: number | undefined;
  serverCpu: number | undefined;
  /** Load of the machine, in the mean over the minute before its end: what else it had to do. */
  load: number;
  workerMemory: number | undefined;
  /** The largest answer to each query while the last question was open. */
  answers: Record<string, number>;
}

/** The server suggests a new run after so many events: far below its default, so that a small plan has two as well. */
const suggestAt = 200;
/** Fills the caches of worker and engine, as a service that has run for a while. */
const warmUp = 50;
/** Between two looks at the task: rare, as each is work of the worker. */
const lookAgain = 500;
/** No question, or no new run after it, within these times means that something is broken, not slow. */
const patience = { question: 20 * 60_000, newRun: 5 * 60_000 };

type Say = (text: string) => void;

/** On a server and a worker of its own, so that no size pays for another. */
export async function measureSize(count: number, report: Say): Promise<SizeRun> {
  const measure = async (rig: Rig): Promise<SizeRun> => {
    await runTask(rig, 'warm-up', warmUp, () => undefined);
    report(`a task of ${count} subtasks`);
    return runTask(rig, `size-${count}`, count, report);
  };
  return Rig.with(measure, { dynamicConfig: { 'limit.historyCount.suggestContinueAsNew': String(suggestAt) } });
}

async function runTask(rig: Rig, id: string, count: number, report: Say): Promise<SizeRun> {
  const { worker = NaN, server } = rig.pids;
  const before = { worker: cpuTime(worker), server: cpuTime(server) };
  const started = performance.now();
  const task = await rig.client.start(sizePlan(count, rig.place.workspace), { id });
  let runId = await runIdOf(rig, task.workflowId);
  let ms = 0;
  let answers: SizeRun['answers'] = {};
  for (const [index, question] of questions.entries()) {
    await waitForQuestion(task, question);
    report(`${question} is asked`);
    runId = await carriedOn(rig, task, runId);
    report('a new run');
    // Requests of the bench alone are not the task's time.
    const looked = performance.now();
    if (index === questions.length - 1) answers = await weighAnswers(rig, task);
    ms -= performance.now() - looked;
    await task.decide({ decisionId: question, option: 'retry' });
  }
  await task.result();
  ms += performance.now() - started;
  const after = { worker: cpuTime(worker), server: cpuTime(server) };
  const load = loadavg()[0] ?? NaN;
  await checkWhole(task, count);
  return {
    count,
    ms,
    workerCpu: difference(after.worker, before.worker),
    serverCpu: difference(after.server, before.server),
    load,
    workerMemory: highestMemory(worker),
    answers,
    ...(await weigh(rig.temporal, task.workflowId)),
  };
}

const difference = (after: number | undefined, before: number | undefined): number | undefined =>
  after === undefined || before === undefined ? undefined : after - before;

async function waitForQuestion(task: TaskHandle, question: string): Promise<void> {
  const deadline = Date.now() + patience.question;
  for (;;) {
    const { decisions, summary } = await task.status({ server: false });
    const [first] = decisions;
    if (first?.id === question) return;
    if (first !== undefined) throw new Error(`${first.id} instead of ${question} was asked: ${first.problem}`);
    if (Date.now() > deadline) throw new Error(`${question} was not asked within ${patience.question} ms: ${summary}`);
    await sleep(lookAgain);
  }
}

/** The new run begins a moment after the question: what is asked before would be answered by the old one. */
async function carriedOn(rig: Rig, { workflowId }: TaskHandle, before: string): Promise<string> {
  const deadline = Date.now() + patience.newRun;
  for (;;) {
    const runId = await runIdOf(rig, workflowId);
    if (runId !== before) return runId;
    if (Date.now() > deadline) throw new Error(`no new run within ${patience.newRun} ms`);
    await sleep(lookAgain);
  }
}

const runIdOf = async (rig: Rig, workflowId: string): Promise<string> =>
  (await rig.temporal.workflow.getHandle(workflowId).describe()).runId;

/** Every page of every query, as its JSON crosses to the client. */
async function weighAnswers(rig: Rig, task: TaskHandle): Promise<SizeRun['answers']> {
  // Answers once the new run knows its state.
  await task.status();
  const handle = rig.temporal.workflow.getHandle(task.workflowId);
  const largest: SizeRun['answers'] = {};
  const ask = async (name: string, argument?: object): Promise<unknown[]> => {
    const answer = await handle.query<unknown, unknown[]>(name, ...(argument === undefined ? [] : [argument]));
    largest[name] = Math.max(largest[name] ?? 0, Buffer.byteLength(JSON.stringify(answer)));
    return Array.isArray(answer) ? (answer as unknown[]) : [];
  };
  for (const name of ['status', 'plan', 'archive']) await ask(name);
  const { attempts } = await handle.query<{ attempts: { to: number }[] }>('archive');
  const stored = attempts.at(-1)?.to ?? 0;
  for (let after = stored, got = 1; got > 0; after += got) got = (await ask('attempts', { after })).length;
  for (let after = 0, got = 1; got > 0; after += got) got = (await ask('results', { after })).length;
  for (let since = 0, got = 1; got > 0;) {
    const page = (await ask('events', { since })) as { id: number }[];
    got = page.length;
    since = page.at(-1)?.id ?? since;
  }
  return largest;
}

/** A task that lost some of its past is not measured. */
async function checkWhole(task: TaskHandle, count: number): Promise<void> {
  const attempts = await task.allAttempts();
  const events = await task.allEvents();
  const gaps = [...attempts.missing, ...events.missing];
  if (gaps.length > 0) throw new Error(`events or attempts are missing: ${JSON.stringify(gaps)}`);
  if (attempts.items.length !== attemptsOf(count)) throw new Error(`${attempts.items.length} attempts`);
  if (events.items.some(({ id }, index) => id !== index + 1)) throw new Error('the events have a hole');
}

function highestMemory(pid: number): number | undefined {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}
