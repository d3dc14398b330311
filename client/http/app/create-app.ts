import { Hono } from 'hono';
import type { AppParts } from '../app-parts.ts';
import { guardRequest, isApiPath } from '../request/guard-request.ts';
import { sendProblem } from '../request/send-problem.ts';
import { allRoutes } from '../routes/all-routes.ts';
import { createShared } from '../shared.ts';
import { addApi } from './add-api.ts';
import { addPages } from './add-pages.ts';
import type { App, AppContext } from './app.ts';

export interface AppOptions {
  /** Told errors that are bugs; nothing that a request sent is in them. */
  log: (error: unknown) => void;
}

/** The API and the pages of the console. It takes no socket: `workers/serve` binds it. */
export function createApp(parts: AppParts, { log }: AppOptions): App {
  const app: App = new Hono();
  app.onError((error, c) => harden(c, sendProblem(error, log)));
  app.use(async (c, next) => {
    guardRequest(c.env.incoming, parts.ownAddresses());
    await next();
    if (c.env.outgoing.headersSent) return;
    harden(c, c.res);
  });
  addApi(app, { shared: createShared(parts), routes: allRoutes });
  addPages(app, parts);
  return app;
}

/** Headers of every answer, refusals too. An answer that a stream has already sent has its own. */
function harden(c: AppContext, response: Response): Response {
  const { headers } = response;
  headers.set('x-content-type-options', 'nosniff');
  headers.set('referrer-policy', 'no-referrer');
  headers.set('cross-origin-opener-policy', 'same-origin');
  if (isApiPath(c.req.path) && !headers.has('cache-control')) headers.set('cache-control', 'no-store');
  return response;
}
