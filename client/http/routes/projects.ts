import { listProjects } from '../../projects/list-projects.ts';
import { loadProject } from '../../projects/load-project.ts';
import { project, projectList } from '../../wire/project.ts';
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
];
