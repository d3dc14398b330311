import type { z } from 'zod';
import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import { answerDecision, type AnswerRequest } from '../../decide/answer-decision.ts';
import { findFirstAnswer } from '../../decide/explain-answered.ts';
import { isNoWorker } from '../../temporal/explain-error.ts';
import { accepted, answered, answeredBatch, sentAnswer } from '../../wire/outcomes.ts';
import { answerRequest, batchRequest, reasonRequest, steerRequest } from '../../wire/requests.ts';
import { isAtLeast } from '../identity.ts';
import { keyHeader, readKeyId, updateOf } from '../idempotency.ts';
import { bodyBytes } from '../request/read-body.ts';
import { Refusal } from '../request/send-problem.ts';
import { none, readParam, route, type Call, type JsonReply, type Route } from '../route.ts';
import { findTask } from './find-task.ts';

const refusals = ['TASK_NOT_FOUND', 'TASK_ENDED', 'MESSAGE_INVALID', 'NO_WORKER'] as const;

const ofDecisions = [
  ...refusals,
  'DECISION_NOT_FOUND',
  'DECISION_ALREADY_ANSWERED',
  'DECISION_UNKNOWN_OPTION',
  'DECISION_NEEDS_INSTRUCTION',
  'DECISION_NEEDS_VALUE',
  'DECISION_ONCE_ONLY',
  'PLAN_INVALID',
  'PLAN_SYNTAX',
  'PLAN_NOT_SUPPORTED',
] as const;

/** Routes that answer questions and direct tasks. Whose token it is did it. */
export const messageRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/tasks/{t}/decisions/{d}',
    role: 'decider',
    summary: 'Answers a question. As a signal it is delivered when a worker runs, and nothing confirms it.',
    query: none,
    body: answerRequest,
    bodyBytes: bodyBytes.plan,
    headers: [keyHeader],
    answers: [
      { status: 200, description: 'The task took it.', schema: answered },
      { status: 202, description: 'It was sent as a signal.', schema: sentAnswer },
    ],
    errors: ofDecisions,
    run: decide,
  }),
  route({
    method: 'POST',
    path: '/decisions',
    role: 'decider',
    summary: 'Answers up to 50 questions, and says what came of each.',
    query: none,
    body: batchRequest,
    bodyBytes: bodyBytes.plan,
    headers: [keyHeader],
    answers: [{ status: 200, description: 'What came of each.', schema: answeredBatch }],
    errors: [],
    run: decideAll,
  }),
  route({
    method: 'POST',
    path: '/tasks/{t}/steer',
    role: 'decider',
    summary:
      'Gives an instruction to running agents and to attempts that start later; an operator may have the plan changed.',
    query: none,
    body: steerRequest,
    headers: [keyHeader],
    answers: [{ status: 200, description: 'The task took it.', schema: accepted }],
    errors: [...refusals, 'ROLE_TOO_LOW', 'SUBTASK_NOT_FOUND', 'STEERING_FULL', 'REPLAN_NOT_POSSIBLE'],
    async run(call) {
      const { body, identity } = call;
      if (body.replan === true && !isAtLeast(identity.role, 'operator'))
        throw new HeddleError({
          code: 'ROLE_TOO_LOW',
          message: `A new plan needs the role operator, and ${identity.name} is a ${identity.role}`,
          hint: 'Leave `replan` out, or ask an operator.',
        });
      const { handle } = await findTask(call);
      const { text, subtask, replan } = body;
      const about = { ...(subtask === undefined ? {} : { subtask }), ...(replan === undefined ? {} : { replan }) };
      await handle.steer({ text, ...about, by: identity.name }, updateOf(call));
      return { json: { taskId: handle.id } };
    },
  }),
  route({
    method: 'POST',
    path: '/tasks/{t}/pause',
    role: 'operator',
    summary: 'Starts nothing new in a task until it is resumed.',
    query: none,
    body: reasonRequest,
    headers: [keyHeader],
    answers: [{ status: 200, description: 'It is paused.', schema: accepted }],
    errors: refusals,
    async run(call) {
      const { handle } = await findTask(call);
      const { reason } = call.body;
      await handle.pause({ ...(reason === undefined ? {} : { reason }), by: call.identity.name }, updateOf(call));
      return { json: { taskId: handle.id } };
    },
  }),
  route({
    method: 'POST',
    path: '/tasks/{t}/resume',
    role: 'operator',
    summary: 'Resumes a task after a pause.',
    query: none,
    body: none,
    headers: [keyHeader],
    answers: [{ status: 200, description: 'It goes on.', schema: accepted }],
    errors: refusals,
    async run(call) {
      const { handle } = await findTask(call);
      await handle.resume({ by: call.identity.name, ...updateOf(call) });
      return { json: { taskId: handle.id } };
    },
  }),
  route({
    method: 'POST',
    path: '/tasks/{t}/cancel',
    role: 'operator',
    summary: 'Cancels a task: running programs stop, finished work is kept.',
    query: none,
    body: reasonRequest,
    answers: [{ status: 202, description: 'It is being stopped.', schema: accepted }],
    errors: ['TASK_NOT_FOUND', 'TASK_ENDED'],
    async run(call) {
      const { handle } = await findTask(call);
      await handle.cancel({ by: call.identity.name, reason: call.body.reason });
      return { status: 202, json: { taskId: handle.id } };
    },
  }),
];

async function decide(call: Call<unknown, z.output<typeof answerRequest>>): Promise<JsonReply> {
  const { delivery, ...given } = call.body;
  const { handle } = await findTask(call);
  const decisionId = readParam(call, 'd');
  const by = call.identity.name;
  const signal = delivery === 'signal';
  const { taskId, option } = await explained(call, decisionId, () =>
    answerDecision(handle, buildAnswer(decisionId, given, by), { signal, ...updateOf(call) }),
  );
  if (signal) return { status: 202, json: { taskId, decisionId, delivery } };
  return { json: { taskId, decisionId, option, by } };
}

/** Sends the answers one after the other, as each may change what the next is about. A refusal does not stop those behind it. */
async function decideAll(call: Call<unknown, z.output<typeof batchRequest>>): Promise<JsonReply> {
  const { client } = await call.parts.endpoint();
  const keyId = readKeyId(call);
  const items: z.input<typeof answeredBatch>['items'] = [];
  for (const [index, { taskId, decisionId, ...given }] of call.body.answers.entries()) {
    const about = { taskId, decisionId };
    const update = keyId === undefined ? {} : { updateId: `${keyId}-${index}` };
    const handle = client.task(taskId);
    try {
      await answerDecision(handle, buildAnswer(decisionId, given, call.identity.name), update);
      items.push({ ...about, ok: true });
    } catch (error) {
      if (!(error instanceof HeddleError)) throw error;
      const answer = await findFirstAnswer(error, handle, decisionId);
      items.push({ ...about, ok: false, error: { ...error.toJSON(), ...(answer === undefined ? {} : { answer }) } });
    }
  }
  return { json: { items } };
}

type Given = Omit<z.output<typeof answerRequest>, 'delivery'>;

const buildAnswer = (decisionId: string, { option, instruction, value, scope }: Given, by: string): AnswerRequest => ({
  decisionId,
  option,
  ...(instruction === undefined ? {} : { instruction }),
  ...(value === undefined ? {} : { value }),
  ...(scope === undefined ? {} : { scope }),
  by,
});

/** Adds the first answer to the refusal of a later one, and the way by a signal to the refusal for want of a worker. */
async function explained<T>(call: Call<unknown, unknown>, decisionId: string, send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    const { handle } = await findTask(call);
    const answer = await findFirstAnswer(error, handle, decisionId);
    if (answer !== undefined && error instanceof HeddleError) throw new Refusal(error, { facts: { answer } });
    if (!isNoWorker(error)) throw error;
    const hint = 'Send it with `"delivery": "signal"`: it is stored, and delivered when a worker starts.';
    throw new HeddleError({ ...error.toJSON(), hint });
  }
}
