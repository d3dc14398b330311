import { listProjects } from '../../projects/list-projects.ts';
import { loadProject } from '../../projects/load-project.ts';
import { fixRequest } from '../../wire/requests.ts';
import { memory, project, projectList } from '../../wire/project.ts';
import { none, readParam, route, type Route } from '../route.ts';

/** Routes about what projects remember. */
export const projectRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/projects',
    role: 'viewer',
    summary: 'Lists the projects of all tasks.',
    query: none,
    body: none,
    answers: [{ status: 200, description: 'The projects by name.', schema: projectList }],
    errors: [],
    run: async ({ parts }) => ({ json: { items: await listProjects((await parts.endpoint()).client) } }),
  }),
  route({
    method: 'GET',
    path: '/projects/{p}',
    role: 'viewer',
    summary: 'Reads what a project remembers, and how people answered by how sure a result was.',
    query: none,
    body: none,
    answers: [{ status: 200, description: 'The memory.', schema: project }],
    errors: ['NO_WORKER', 'MESSAGE_INVALID'],
    run: async (call) => ({
      json: await loadProject((await call.parts.endpoint()).client, readParam(call, 'p')),
    }),
  }),
  route({
    method: 'PATCH',
    path: '/projects/{p}/signatures/{g}',
    role: 'operator',
    summary: 'Corrects what a project remembers of a failure: the rung that fixed it, or a hint.',
    query: none,
    body: fixRequest,
    answers: [{ status: 200, description: 'The memory.', schema: memory }],
    errors: ['PROJECT_NOT_FOUND', 'SIGNATURE_NOT_FOUND', 'MESSAGE_INVALID', 'MEMORY_TOO_LARGE', 'NO_WORKER'],
    async run(call) {
      const { client } = await call.parts.endpoint();
      const { rung, hint } = call.body;
      const fix = { ...(rung === undefined ? {} : { rung }), ...(hint === undefined ? {} : { hint }) };
      return { json: await client.project(readParam(call, 'p')).set({ signature: readParam(call, 'g'), ...fix }) };
    },
  }),
  route({
    method: 'DELETE',
    path: '/projects/{p}/signatures/{g}',
    role: 'operator',
    summary: 'Has a project forget a failure and the answers for good about it, or a lesson by its id.',
    query: none,
    body: none,
    answers: [{ status: 200, description: 'The memory.', schema: memory }],
    errors: ['PROJECT_NOT_FOUND', 'SIGNATURE_NOT_FOUND', 'LESSON_NOT_FOUND', 'MESSAGE_INVALID', 'NO_WORKER'],
    async run(call) {
      const { client } = await call.parts.endpoint();
      return { json: await client.project(readParam(call, 'p')).forget(readParam(call, 'g')) };
    },
  }),
];
