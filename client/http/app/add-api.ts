import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import { apiBase } from '../api-base.ts';
import { isAtLeast, type Identity } from '../identity.ts';
import { notRecognised, recognise } from '../request/authenticate.ts';
import { bodyBytes, readBody } from '../request/read-body.ts';
import type { RawCall, Reply, Route } from '../route.ts';
import type { Shared } from '../shared.ts';
import { Refusal } from '../request/send-problem.ts';
import type { App, AppContext } from './app.ts';

interface ApiParts {
  shared: Shared;
  routes: readonly Route[];
}

/**
 * Serves the table of routes. A request is refused in this order: too many, not recognised (of unknown routes too), no such route, not
 * this method, a role that is too low, a body of another type, a body that is too large, one that cannot be read, one that does not fit.
 */
export function addApi(app: App, { shared, routes }: ApiParts): void {
  const byPath = Map.groupBy(routes, ({ path }) => path);
  for (const [path, rows] of byPath) {
    app.all(`${apiBase}${toPattern(path)}`, async (c) => {
      const method = c.req.method === 'HEAD' ? 'GET' : c.req.method;
      const row = rows.find((each) => each.method === method);
      const identity = await identify(shared, c, row);
      if (row === undefined) throw notAllowed(rows, c.req.method);
      checkRole(row, identity);
      const startedAt = performance.now();
      const answer = send(await row.run(await readCall(shared, c, row), identity));
      // A request that asks to wait says nothing about the speed of the server.
      if (!c.env.outgoing.headersSent && c.req.header('prefer') === undefined)
        shared.meters.requests.record(performance.now() - startedAt);
      return answer;
    });
  }
  app.all('/api/*', async (c) => {
    await identify(shared, c, undefined);
    return c.notFound();
  });
}

const toPattern = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

/** Also where there is no such route: only who is recognised is told what there is. */
async function identify(shared: Shared, c: AppContext, row: Route | undefined): Promise<Identity | undefined> {
  const { parts, limits } = shared;
  if (row?.role === 'open') return undefined;
  const address = c.env.incoming.socket.remoteAddress ?? '';
  limits.badTokens.check(address, 'requests without a valid token');
  const identity = await recognise(parts.identities, c);
  if (identity === undefined) {
    if (c.req.header('authorization') !== undefined) limits.badTokens.take(address, 'requests without a valid token');
    throw notRecognised();
  }
  limits.requests.take(identity.name, `requests of ${identity.name}`);
  if (row !== undefined && row.method !== 'GET') limits.writes.take(identity.name, `changes by ${identity.name}`);
  return identity;
}

function notAllowed(rows: readonly Route[], method: string): HeddleError {
  const allowed = rows.map((row) => row.method).flatMap((each) => (each === 'GET' ? [each, 'HEAD'] : [each]));
  const problem = new HeddleError({
    code: 'METHOD_NOT_ALLOWED',
    message: `There is no ${method} at this address`,
    hint: `There is ${allowed.join(', ')}.`,
  });
  return new Refusal(problem, { headers: { allow: allowed.join(', ') } });
}

function checkRole({ role }: Route, identity: Identity | undefined): void {
  if (role === 'open' || (identity !== undefined && isAtLeast(identity.role, role))) return;
  throw new HeddleError({
    code: 'ROLE_TOO_LOW',
    message: `This needs the role ${role}, and ${identity?.name ?? 'nobody'} is a ${identity?.role ?? 'stranger'}`,
    hint: 'Ask for a token with that role: `heddle auth token add NAME --role ROLE`.',
  });
}

async function readCall(shared: Shared, c: AppContext, row: Route): Promise<RawCall> {
  return {
    shared,
    parts: shared.parts,
    params: c.req.param(),
    request: c.req.raw,
    env: c.env,
    isStillAllowed: async () => {
      if (row.role === 'open') return true;
      const identity = await recognise(shared.parts.identities, c, { isUse: false });
      return identity !== undefined && isAtLeast(identity.role, row.role);
    },
    body: row.method === 'GET' ? {} : await readBody(c.req.raw, row.bodyBytes ?? bodyBytes.small),
    query: readQuery(c.req.url),
  };
}

/** A key that is given twice is a list, which no schema takes. */
function readQuery(url: string): Record<string, unknown> {
  const { searchParams } = new URL(url);
  const keys = [...new Set(searchParams.keys())];
  return Object.fromEntries(
    keys.map((key) => {
      const values = searchParams.getAll(key);
      return [key, values.length === 1 ? values[0] : values];
    }),
  );
}

function send(reply: Reply): Response {
  if (isResponse(reply)) return reply;
  const { status = 200, json, headers = {} } = reply;
  return json === undefined ? new Response(null, { status, headers }) : Response.json(json, { status, headers });
}

/** Not by its class: the server's adapter puts another one in its place, which Node's own responses are not of. */
const isResponse = (reply: Reply): reply is Response => reply.headers instanceof Headers;
