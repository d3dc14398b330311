import { z } from 'zod';
import { askToLook } from '../../tasks/ask-to-look.ts';
import { readTaskDecision, readTaskDecisions } from '../../tasks/task-decisions.ts';
import { card, decisionKinds, decisionList, inbox } from '../../wire/decision.ts';
import { someName } from '../fields.ts';
import { linksOfDecision } from '../links.ts';
import { none, readParam, route, type Route } from '../route.ts';
import { findTask } from './find-task.ts';
import { tasksOfProject } from '../../tasks/tasks-of-project.ts';

/** Routes that read questions to a person. */
export const decisionRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/decisions',
    role: 'viewer',
    summary: 'Reads the open questions of all tasks, the oldest first, and names the tasks that did not answer.',
    query: z.strictObject({ kind: z.enum(decisionKinds).optional(), project: someName.optional() }),
    body: none,
    answers: [{ status: 200, description: 'The questions.', schema: inbox }],
    errors: [],
    async run({ parts, query: { kind, project } }) {
      const { client } = await parts.endpoint();
      const { items, silent } = await askToLook(() => client.inbox());
      const tasks = project === undefined ? undefined : await tasksOfProject(client, project);
      const isWanted = (taskId: string): boolean => tasks === undefined || tasks.has(taskId);
      return {
        json: {
          items: items
            .filter((item) => (kind === undefined || item.kind === kind) && isWanted(item.taskId))
            .map((item) => ({ ...item, links: linksOfDecision(parts, item.taskId, item.id) })),
          silent: silent.filter(({ taskId }) => isWanted(taskId)),
        },
      };
    },
  }),
  route({
    method: 'GET',
    path: '/tasks/{t}/decisions',
    role: 'viewer',
    summary: 'Reads the questions of a task, the oldest first: the open ones, those that were answered, or all.',
    query: z.strictObject({ state: z.enum(['open', 'answered', 'all']).optional() }),
    body: none,
    answers: [{ status: 200, description: 'The questions.', schema: decisionList }],
    errors: ['TASK_NOT_FOUND', 'NO_WORKER'],
    async run(call) {
      const { handle } = await findTask(call);
      const question = await readTaskDecisions(handle, call.query.state ?? 'open');
      return {
        json: { items: question.map((each) => ({ ...each, links: linksOfDecision(call.parts, handle.id, each.id) })) },
      };
    },
  }),
  route({
    method: 'GET',
    path: '/tasks/{t}/decisions/{d}',
    role: 'viewer',
    summary: 'Reads one question, and its answer where it has one.',
    query: none,
    body: none,
    answers: [{ status: 200, description: 'The question.', schema: card }],
    errors: ['TASK_NOT_FOUND', 'DECISION_NOT_FOUND', 'NO_WORKER'],
    async run(call) {
      const { handle } = await findTask(call);
      const question = await readTaskDecision(handle, readParam(call, 'd'));
      return { json: { ...question, links: linksOfDecision(call.parts, handle.id, question.id) } };
    },
  }),
];
