import { describeApi } from '../openapi.ts';
import { none, route, type Route } from '../route.ts';
import { z } from 'zod';
import { streamRoutes } from '../stream/stream-routes.ts';
import { attemptRoutes } from './attempts.ts';
import { decisionRoutes } from './decisions.ts';
import { machineRoutes } from './machine.ts';
import { messageRoutes } from './messages.ts';
import { projectRoutes } from './projects.ts';
import { sessionRoutes } from './session.ts';
import { startRoutes } from './start.ts';
import { taskRoutes } from './tasks.ts';
import { workRoutes } from './work.ts';

const routes: readonly Route[] = [
  ...taskRoutes,
  ...attemptRoutes,
  ...workRoutes,
  ...startRoutes,
  ...messageRoutes,
  ...decisionRoutes,
  ...projectRoutes,
  ...machineRoutes,
  ...sessionRoutes,
  ...streamRoutes,
];

const openApi = route({
  method: 'GET',
  path: '/openapi.json',
  role: 'viewer',
  summary: 'Reads this document.',
  query: none,
  body: none,
  answers: [{ status: 200, description: 'An OpenAPI 3.1 document.', schema: z.looseObject({ openapi: z.string() }) }],
  errors: [],
  run: ({ parts }) => ({ json: describeApi(allRoutes, parts.home.version) }),
});

/** Every route of the API: what is not here is not served, not documented and not tested. */
export const allRoutes: readonly Route[] = [...routes, openApi];
