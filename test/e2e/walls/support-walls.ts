import { appendFileSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, type TestContext } from 'vitest';
import type { ScriptReply } from '../../../activities/llm/scripted/script.ts';
import type { ScriptedRequest } from '../../../activities/llm/scripted/scripted-server.ts';
import { findSandbox } from '../../../activities/sandbox/find-sandbox.ts';
import type { PlanInput, TaskHandle } from '../../../client/index.ts';
import type { Rig } from '../../support/rig.ts';
import { calls, finishes, serveScript, writeModels } from '../../support/scripted-models.ts';

/** The modes of the sandbox: commands of the agent run in a sandbox, or beside everything else with a person who approves each of them. */
export const modes = ['auto', 'off'] as const;
export type Mode = (typeof modes)[number];

/** CI must not pass without having looked. */
export async function needsSandbox(mode: Mode, { skip }: Pick<TestContext, 'skip'>): Promise<void> {
  if (mode === 'off' || (await findSandbox()).kind === 'bubblewrap') return;
  if (process.env['HEDDLE_REQUIRE_SANDBOX'] === '1') throw new Error('there is no sandbox');
  skip();
}

/** A folder of the machine beside the workspace, and a program in its own file whose run leaves a trace there. */
export function makeTrap(): { folder: string; trace: string; script: string } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'heddle-outside-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const trace = join(folder, 'ran-outside');
  return { folder, trace, script: `#!/bin/sh\necho "$0 $*" >> ${trace}\nexit 1\n` };
}

/** One turn of a model: calls of tools. */
export type Turn = [tool: string, input: unknown][];

export interface Played {
  state: string;
  task: TaskHandle;
  /** The requests to the model, in their order. */
  requests: string[];
  /** The results of its calls as the model got them, in their order. */
  results: string[];
}

export interface Play {
  workspace: string;
  mode: Mode;
  turns: readonly Turn[];
  /** Subtasks beside or after that of the agent, which is `agent`. */
  more?: NonNullable<PlanInput['subtasks']>;
  plan?: Partial<PlanInput>;
  /** More keys of the agent's subtask. */
  subtask?: Partial<NonNullable<PlanInput['subtasks']>[number]>;
  settings?: string;
  answer?: 'approve' | 'reject';
}

/** Plays a model's turns through a real task, whose questions are all answered alike. */
export async function play(rig: Rig, given: Play): Promise<Played> {
  const { workspace, mode, turns, more = [], answer = 'approve' } = given;
  const replies: ScriptReply[] = [...turns.map((turn) => calls(...turn)), finishes('I did it')];
  const { url, requests } = await serveScript(replies);
  writeModels(workspace, url);
  appendFileSync(join(workspace, 'heddle.toml'), `[sandbox]\nmode = "${mode}"\n${given.settings ?? ''}`);
  const task = await rig.start({
    goal: 'a test',
    workspace,
    ...given.plan,
    subtasks: [
      {
        id: 'agent',
        description: 'do it',
        executor: { kind: 'agent', iterations: 60 },
        ...given.subtask,
      },
      ...more,
    ],
  });
  const state = await answerAll(task, answer);
  return { state, task, requests: requests.map(({ text }) => text), results: requests.flatMap(resultsIn) };
}

/** The results behind the last reply of the model. */
function resultsIn({ body }: ScriptedRequest): string[] {
  const messages = body['messages'] as { role: string; content: string }[];
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  return messages.slice(last + 1).flatMap(({ role, content }) => (role === 'tool' ? [content] : []));
}

/** Plays a subtask for each of several agents at once, each with a model of its own, whose questions are all approved. */
export async function playAgents(
  rig: Rig,
  given: {
    workspace: string;
    mode: Mode;
    replies: Readonly<Record<string, (turn: number) => ScriptReply | Promise<ScriptReply>>>;
    subtask?: Play['subtask'];
  },
): Promise<string> {
  const { workspace, mode, replies, subtask } = given;
  const turns = new Map<string, number>();
  const { url } = await serveScript(({ text }) => {
    const [name, reply] = Object.entries(replies).find(([agent]) => text.includes(`the work of ${agent}`)) ?? [];
    if (name === undefined || reply === undefined) throw new Error('nobody is known to ask this');
    turns.set(name, (turns.get(name) ?? 0) + 1);
    return reply(turns.get(name) ?? 0);
  });
  writeModels(workspace, url);
  appendFileSync(join(workspace, 'heddle.toml'), `[sandbox]\nmode = "${mode}"\n`);
  const subtasks = Object.keys(replies).map((id) => ({
    id,
    description: `the work of ${id}`,
    executor: { kind: 'agent' as const, iterations: 60 },
    ...subtask,
  }));
  return answerAll(await rig.start({ goal: 'a test', workspace, subtasks }), 'approve');
}

async function answerAll(task: TaskHandle, option: 'approve' | 'reject'): Promise<string> {
  for (let round = 0; round < 6_000; round += 1) {
    const status = await task.status().catch(() => undefined);
    if (status !== undefined && status.endedAt !== null) return status.state;
    for (const { id, kind } of status?.decisions ?? []) {
      if (kind !== 'approval') return `asks: ${kind}`;
      await task.decide({ decisionId: id, option }).catch(() => undefined);
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('it does not end');
}

/** A file of the workspace that can be run. */
export const writeProgram = (path: string, text: string): void => writeFileSync(path, text, { mode: 0o755 });
