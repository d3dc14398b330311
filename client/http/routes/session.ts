import { z } from 'zod';
import { me } from '../../wire/session.ts';
import type { Identities } from '../identity.ts';
import { notRecognised } from '../request/authenticate.ts';
import { none, openRoute, route, type Route } from '../route.ts';

/** A token or a code. */
const secret = z.string().min(1).max(200);

/** Routes about the server itself and the person who asks. */
export const sessionRoutes: readonly Route[] = [
  openRoute({
    method: 'GET',
    path: '/health/live',
    summary: 'Says that the server answers.',
    query: none,
    body: none,
    answers: [{ status: 200, description: 'It does.', schema: z.strictObject({ ok: z.literal(true) }) }],
    errors: [],
    run: () => ({ json: { ok: true } }),
  }),
  route({
    method: 'GET',
    path: '/me',
    role: 'viewer',
    summary: 'Says who the token or the cookie belongs to, and the version of the server.',
    query: none,
    body: none,
    answers: [{ status: 200, description: 'The identity.', schema: me }],
    errors: [],
    run: ({ identity: { name, role, expiresAt }, parts }) => ({
      json: { name, role, expiresAt, version: parts.home.version },
    }),
  }),
  openRoute({
    method: 'POST',
    path: '/session',
    summary: 'Trades a token, or a code that is good once, for the cookie of a session.',
    query: none,
    body: z.union([z.strictObject({ token: secret }), z.strictObject({ code: secret })]),
    answers: [{ status: 204, description: 'The session is open; the cookie is in `Set-Cookie`.' }],
    errors: ['AUTH_REQUIRED', 'RATE_LIMITED'],
    async run({ parts, shared, body, env }) {
      const { identities } = parts;
      const address = env.incoming.socket.remoteAddress ?? '';
      shared.limits.badTokens.check(address, badTokens);
      const opened = await identities.openSession(body);
      if (opened === undefined) {
        shared.limits.badTokens.take(address, badTokens);
        throw notRecognised();
      }
      return { status: 204, headers: { 'set-cookie': formatCookie(identities, opened.cookie, opened.maxAgeS) } };
    },
  }),
  openRoute({
    method: 'DELETE',
    path: '/session',
    summary: 'Has the browser forget its session.',
    query: none,
    body: none,
    answers: [{ status: 204, description: 'It is forgotten.' }],
    errors: [],
    run: ({ parts }) => ({ status: 204, headers: { 'set-cookie': formatCookie(parts.identities, '', 0) } }),
  }),
];

const badTokens = 'requests without a valid token';

/** Out of reach of scripts, of other sites, and of plain http beyond this machine. */
const formatCookie = ({ cookieName }: Identities, value: string, maxAgeS: number): string =>
  `${cookieName}=${value}; Path=/; Max-Age=${maxAgeS}; HttpOnly; Secure; SameSite=Strict`;
