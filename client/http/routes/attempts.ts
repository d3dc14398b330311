import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import type { AttemptView } from '../../../domain/types/attempt-view.ts';
import { openOutput, openTranscript } from '../../logs/attempt-output.ts';
import type { TaskHandle } from '../../sdk/task-handle.ts';
import { checkSubtask } from '../../start/check-subtask.ts';
import { askToLook } from '../../tasks/ask-to-look.ts';
import { attempt } from '../../wire/log.ts';
import { none, readParam, route, type RawCall, type Route } from '../route.ts';
import { chooseType } from '../accept.ts';
import { streamOutput } from '../stream/output-stream.ts';
import { findTask } from './find-task.ts';
import { sendOutput } from './send-output.ts';

const path = '/tasks/{t}/subtasks/{s}/attempts/{n}';

/** Routes about one attempt. */
export const attemptRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path,
    role: 'viewer',
    summary: 'Reads the record of one attempt.',
    query: none,
    body: none,
    answers: [{ status: 200, description: 'The record.', schema: attempt }],
    errors: ['TASK_NOT_FOUND', 'SUBTASK_NOT_FOUND', 'NO_WORKER'],
    run: async (call) => ({ json: (await findAttempt(call)).record }),
  }),
  route({
    method: 'GET',
    path: `${path}/output`,
    role: 'viewer',
    summary: 'Reads the output of an attempt, of a running one so far; as `text/event-stream` follows it.',
    query: none,
    body: none,
    answers: [
      {
        status: 200,
        description: 'The whole text, or its pieces as they come.',
        types: ['text/plain', 'text/event-stream'],
      },
      { status: 204, description: 'It printed nothing.' },
      { status: 206, description: 'The part that `Range` asks for.', types: ['text/plain'] },
    ],
    errors: [
      'TASK_NOT_FOUND',
      'SUBTASK_NOT_FOUND',
      'NO_WORKER',
      'OUTPUT_ELSEWHERE',
      'RANGE_INVALID',
      'STORE_DAMAGED',
      'STREAMS_FULL',
    ],
    async run(call) {
      const { record, handle } = await findAttempt(call);
      if (chooseType(call.request, ['text/plain', 'text/event-stream']) === 'text/event-stream')
        return streamOutput(call, call.identity, { handle, record });
      const output = await openOutput(call.parts.ports, handle.id, record);
      // A running attempt that nothing was kept of has printed nothing that can be read so far.
      if (output === 'elsewhere' && record.outputRef === null) return { status: 204 };
      return sendOutput(output, aboutText(call, handle, 'text/plain; charset=utf-8'));
    },
  }),
  route({
    method: 'GET',
    path: `${path}/transcript`,
    role: 'viewer',
    summary: 'Reads the whole conversation of an agent as Markdown, once an execution of the attempt has ended.',
    query: none,
    body: none,
    answers: [
      { status: 200, description: 'The conversation.', types: ['text/markdown'] },
      { status: 204, description: 'It is no agent, or still runs.' },
      { status: 206, description: 'The part that `Range` asks for.', types: ['text/markdown'] },
    ],
    errors: ['TASK_NOT_FOUND', 'SUBTASK_NOT_FOUND', 'NO_WORKER', 'OUTPUT_ELSEWHERE', 'RANGE_INVALID', 'STORE_DAMAGED'],
    async run(call) {
      const { record, handle } = await findAttempt(call);
      const output = await openTranscript(call.parts.ports, record);
      return sendOutput(output, aboutText(call, handle, 'text/markdown; charset=utf-8'));
    },
  }),
];

const aboutText = ({ request }: RawCall, handle: TaskHandle, type: string) => ({
  request,
  type,
  host: async () => (await handle.status({ server: false })).host,
});

async function findAttempt(call: RawCall): Promise<{ handle: TaskHandle; record: AttemptView }> {
  const { handle } = await findTask(call);
  const [subtask, number] = [readParam(call, 's'), readParam(call, 'n')];
  const records = await askToLook(() => handle.attempts());
  const record = records.find((each) => each.subtask === subtask && String(each.attempt) === number);
  if (record !== undefined) return { handle, record };
  checkSubtask(await askToLook(() => handle.status()), subtask);
  throw new HeddleError({
    code: 'SUBTASK_NOT_FOUND',
    message: `${subtask} has no attempt ${number}`,
    hint: `It has had ${records.filter((each) => each.subtask === subtask).length}.`,
  });
}
