// Trouble of models as their services tell it, in whole tasks: what passes is waited for, what does not goes to a person at once.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { PlanInput, TaskHandle } from '../../../client/index.ts';
import type { ScriptReply } from '../../../activities/llm/scripted/script.ts';
import { eventsOf } from '../../support/events.ts';
import { decisionOpened, endOf, eventOf, useRig } from '../../support/rig.ts';
import {
  calls,
  finishes,
  serveScript,
  writeModels,
  type ScriptedModels,
  type WireKind,
} from '../../support/scripted-models.ts';

const rig = useRig();

const write = (path = 'NOTES.md'): ScriptReply => calls(['write_file', { path, content: 'notes\n' }]);

interface Started extends ScriptedModels {
  task: TaskHandle;
  workspace: string;
}

async function start(
  replies: Parameters<typeof serveScript>[0],
  given: { kind?: WireKind; model?: string; plan?: Partial<PlanInput> } = {},
): Promise<Started> {
  const { kind = 'openai-compatible', model = '', plan = {} } = given;
  const workspace = rig.workspace();
  const served = await serveScript(replies);
  writeModels(workspace, served.url, { kind, model });
  const task = await rig.start({
    goal: 'Write notes',
    workspace,
    executor: 'agent',
    subtasks: [{ id: 'notes', description: 'Write NOTES.md', deliverables: ['NOTES.md'] }],
    ...plan,
  });
  return { task, workspace, ...served };
}

const openai = (message: string, type: string, code: string | null = null): object => ({
  error: { message, type, param: null, code },
});
const anthropic = (type: string, message: string): object => ({ type: 'error', error: { type, message } });

describe('what passes', () => {
  test('is tried again after the wait that was asked for, in the same attempt', async () => {
    const limit = openai('Rate limit reached for requests', 'requests', 'rate_limit_exceeded');
    const replies = [{ status: 429, retryAfter: 2_000, raw: limit }, write(), finishes('written', ['NOTES.md'])];
    const times: number[] = [];
    const { task } = await start((_, nth) => {
      times.push(performance.now());
      return replies[nth - 1] ?? {};
    });
    expect(await endOf(task)).toBe('completed');
    expect(times).toHaveLength(3);
    const [refused = 0, again = 0] = times;
    expect(again - refused).toBeGreaterThanOrEqual(2_000);
    expect(await task.attempts()).toMatchObject([{ attempt: 1, outcome: 'passed', reruns: 0, modelCalls: 2 }]);
  });

  test('after progress suspends the attempt, which goes on in its conversation', async () => {
    const { task, requests } = await start(
      [
        write(),
        { status: 529, raw: anthropic('overloaded_error', 'Overloaded') },
        {
          status: 429,
          retryAfter: 1_000,
          raw: anthropic('rate_limit_error', 'This request would exceed your rate limit.'),
        },
        finishes('written', ['NOTES.md']),
      ],
      { kind: 'anthropic' },
    );
    expect(await endOf(task)).toBe('completed');
    const { items } = await task.allEvents();
    expect(eventsOf(items, 'attempt.suspended')).toMatchObject([{ why: 'wait', attempt: 1 }]);
    expect(eventsOf(items, 'attempt.resumed')).toMatchObject([{ attempt: 1 }]);
    expect(requests).toHaveLength(4);
    expect(await task.attempts()).toMatchObject([{ attempt: 1, outcome: 'passed', modelCalls: 2 }]);
  });

  test('a cut stream voids the whole reply: none of its calls runs, and it is asked again', async () => {
    const { task, workspace, requests } = await start([
      { ...calls(['write_file', { path: 'cut.md', content: 'x' }], ['narrate', { text: 'never to be told' }]), cut: 8 },
      write(),
      finishes('written', ['NOTES.md']),
    ]);
    expect(await endOf(task)).toBe('completed');
    expect(existsSync(join(workspace, 'cut.md'))).toBe(false);
    expect(requests).toHaveLength(3);
    expect(requests[1]?.body).toEqual(requests[0]?.body);
    // Nobody knows the cost of the cut reply: it counts.
    expect(await task.attempts()).toMatchObject([{ attempt: 1, outcome: 'passed', modelCalls: 3 }]);
  });
});

describe('what does not pass', () => {
  test.each<{ what: string; kind: WireKind; reply: ScriptReply; type: string; recommendation: string }>([
    {
      what: 'a wrong key',
      kind: 'anthropic',
      reply: { status: 401, raw: anthropic('authentication_error', 'invalid x-api-key') },
      type: 'auth',
      recommendation: 'provide-credentials',
    },
    {
      what: 'no credit',
      kind: 'openai',
      reply: {
        status: 429,
        raw: openai(
          'You exceeded your current quota, please check your plan.',
          'insufficient_quota',
          'insufficient_quota',
        ),
      },
      type: 'subscription',
      recommendation: 'retry',
    },
    {
      what: 'a refusal by policy',
      kind: 'openai-compatible',
      reply: { status: 400, raw: openai('The response was filtered.', 'invalid_request_error', 'content_filter') },
      type: 'safety',
      recommendation: 'retry',
    },
  ])('$what goes to a person at once', async ({ kind, reply, type, recommendation }) => {
    const { task, requests } = await start([reply], { kind });
    const { decision } = await eventOf(task, decisionOpened());
    expect(decision).toMatchObject({ kind: 'escalation', subtask: 'notes' });
    expect(decision.options.map(({ id }) => id)).toContain(recommendation);
    expect(requests).toHaveLength(1);
    expect(await task.attempts()).toMatchObject([{ attempt: 1, outcome: 'failed', type, modelCalls: 0 }]);
  });

  test('a model that refuses in its reply is a matter of safety', async () => {
    const choice = { index: 0, message: { role: 'assistant', content: 'No.' }, finish_reason: 'content_filter' };
    const raw = { id: '1', object: 'chat.completion', created: 1, model: 'm', choices: [choice], usage: {} };
    const { task, requests } = await start([{ raw }], { model: 'stream = false' });
    await eventOf(task, decisionOpened());
    expect(requests).toHaveLength(1);
    expect(await task.attempts()).toMatchObject([{ attempt: 1, outcome: 'failed', type: 'safety' }]);
  });

  test('an overflow climbs the ladder as a failure of quality', async () => {
    const overflow = openai(
      "This model's maximum context length is 8192 tokens.",
      'invalid_request_error',
      'context_length_exceeded',
    );
    const { task, requests } = await start([
      { status: 400, raw: overflow },
      write(),
      finishes('written', ['NOTES.md']),
    ]);
    expect(await endOf(task)).toBe('completed');
    expect(await task.attempts()).toMatchObject([
      { attempt: 1, outcome: 'failed', type: 'context-overflow' },
      { attempt: 2, outcome: 'passed' },
    ]);
    expect(requests).toHaveLength(3);
  });

  test('a model that never finishes ends at its iterations', async () => {
    const plan: Partial<PlanInput> = {
      executor: { kind: 'agent', iterations: 3 },
      subtasks: [{ id: 'notes', description: 'Write', ladder: [{ tier: 'assigned' }, { person: true }] }],
    };
    let n = 0;
    const workspace = rig.workspace();
    const { url, requests } = await serveScript(() => calls(['narrate', { text: `step ${(n += 1)}` }]));
    writeModels(workspace, url);
    const task = await rig.start({ goal: 'Write notes', workspace, subtasks: [], ...plan });
    await eventOf(task, decisionOpened());
    // A model may be asked for the words of the question meanwhile: that is no turn of the attempt.
    expect(requests.filter(({ body }) => body['tools'] !== undefined)).toHaveLength(3);
    expect(await task.attempts()).toMatchObject([{ outcome: 'failed', type: 'timeout', modelCalls: 3 }]);
  });
});
