import { z } from 'zod';
import { me } from '../../wire/session.ts';
import { none, openRoute, route, type Route } from '../route.ts';

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
];
