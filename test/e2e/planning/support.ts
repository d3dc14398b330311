import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { PlanInput, TaskHandle } from '../../../client/index.ts';
import type { Rig } from '../../support/rig.ts';

export interface Entry {
  when?: Record<string, unknown>;
  times?: number;
  reply: Record<string, unknown>;
}

/** Replies of the model that plans, by the number of its answer. */
export const plans = (...replies: unknown[]): Entry[] =>
  replies.map((reply, index) => ({
    when: { role: 'planner', turn: index + 1 },
    reply: { text: typeof reply === 'string' ? reply : JSON.stringify(reply) },
  }));

/** An agent that writes a file, in one attempt, and reports. */
export const writes = (subtask: string, path: string, content: string, attempt = 1): Entry[] => [
  {
    when: { role: 'executor', subtask, attempt, turn: 1 },
    reply: { calls: [{ tool: 'write_file', input: { path, content } }] },
  },
  finishes(subtask, attempt, 2, [path]),
];

export const finishes = (subtask: string, attempt = 1, turn = 1, deliverablesTouched: string[] = []): Entry => ({
  when: { role: 'executor', subtask, attempt, turn },
  reply: { calls: [{ tool: 'finish', input: { status: 'success', notes: 'done', deliverablesTouched } }] },
});

export const judges = (verdict: unknown, attempt: number): Entry => ({
  when: { role: 'verifier', attempt },
  reply: { text: JSON.stringify(verdict) },
});

/** Looks, then writes notes.md. */
export const goodPlan = {
  subtasks: [
    { id: 'inspect', description: 'Look at what is there' },
    { id: 'notes', description: 'Write notes.md', dependsOn: ['inspect'], deliverables: ['notes.md'] },
  ],
};

export const cyclicPlan = {
  subtasks: [
    { id: 'a', description: 'one', dependsOn: ['b'] },
    { id: 'b', description: 'two', dependsOn: ['a'] },
  ],
};

/** The models of a workspace are played by a script. */
export function playModels(workspace: string, script: Entry[], config = ''): void {
  writeFileSync(join(workspace, 'script.yaml'), JSON.stringify(script));
  writeFileSync(
    join(workspace, 'heddle.toml'),
    `[providers.script]
kind = "scripted"
script = "script.yaml"
[models.all]
provider = "script"
price = { in = 1.0, out = 5.0 }
${config}`,
  );
}

/** A task of a goal alone. */
export async function startGoal(
  rig: Rig,
  script: Entry[],
  rest: Partial<PlanInput> = {},
): Promise<{ task: TaskHandle; workspace: string }> {
  const workspace = rig.workspace();
  playModels(workspace, script);
  return { task: await rig.start({ goal: 'Write the notes', workspace, ...rest }), workspace };
}

/** A model at a port where nobody listens yet. */
export async function configureUnreachable(workspace: string, rest = ''): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const provider = `[providers.p]\nkind = "openai-compatible"\nbaseUrl = "http://127.0.0.1:${port}/v1"\n`;
  writeFileSync(join(workspace, 'heddle.toml'), `${provider}[models.m]\nprovider = "p"\nid = "m"\n${rest}`);
  return port;
}
