import type { HttpBindings } from '@hono/node-server';
import { z } from 'zod';
import type { ErrorCode } from '../../domain/errors/error-codes.ts';
import type { AppParts } from './app-parts.ts';
import type { Identity, Role } from './identity.ts';
import type { Shared } from './shared.ts';

/** A request that has passed the guard, before its query and body are read by their schemas. */
export interface RawCall {
  parts: AppParts;
  /** State that the requests of one app share. */
  shared: Shared;
  /** The parameters of the path, decoded. */
  params: Readonly<Record<string, string>>;
  query: unknown;
  body: unknown;
  request: Request;
  /** Node's request and response: streams are written to the latter. */
  env: HttpBindings;
  /** False once the token or cookie of the request has ended, or its role does no longer: an open stream asks again. */
  isStillAllowed: () => Promise<boolean>;
}

/** A request as an open route sees it: nobody was recognised. */
export interface OpenCall<Query, Body> extends RawCall {
  query: Query;
  body: Body;
}

/** A request as a route sees it. */
export interface Call<Query, Body> extends OpenCall<Query, Body> {
  identity: Identity;
}

/** An answer as JSON; a `Response` is sent as it is. */
export interface JsonReply {
  status?: 200 | 201 | 202 | 204 | 503;
  json?: unknown;
  headers?: Readonly<Record<string, string>>;
}

export type Reply = JsonReply | Response;

/** One way in which a route answers when it does not refuse. */
export interface Answer {
  status: 200 | 201 | 202 | 204 | 206 | 503;
  description: string;
  /** The form of a JSON answer. */
  schema?: z.ZodType;
  /** Media types other than JSON. */
  types?: readonly string[];
}

interface RowBase<Query, Body> {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/api/v1`, with parameters as `{t}`. */
  path: `/${string}`;
  /** One sentence for the document. */
  summary: string;
  query: Query;
  body: Body;
  /** The most bytes of the body; 16 KB by default. */
  bodyBytes?: number;
  answers: readonly Answer[];
  /** Headers that it reads. */
  headers?: readonly { name: string; description: string }[];
  /** Beside those that every route has. */
  errors: readonly ErrorCode[];
}

/** A row of the table of routes: it registers, documents and tests its route. */
export interface Route extends RowBase<z.ZodType, z.ZodType> {
  role: 'open' | Role;
  /** Throws a `ZodError` where query or body do not fit. */
  run(call: RawCall, identity: Identity | undefined): Promise<Reply>;
}

interface Row<Query extends z.ZodType, Body extends z.ZodType> extends RowBase<Query, Body> {
  role: Role;
  run(call: Call<z.output<Query>, z.output<Body>>): Promise<Reply> | Reply;
}

interface OpenRow<Query extends z.ZodType, Body extends z.ZodType> extends RowBase<Query, Body> {
  run(call: OpenCall<z.output<Query>, z.output<Body>>): Promise<Reply> | Reply;
}

/** The schema of a query or a body that has nothing in it. */
export const none = z.strictObject({});

/** A route for somebody with a role. */
export function route<Query extends z.ZodType, Body extends z.ZodType>(row: Row<Query, Body>): Route {
  return {
    ...row,
    async run(call, identity) {
      if (identity === undefined) throw new Error(`${row.method} ${row.path} was run for nobody`);
      return row.run({ ...call, identity, query: row.query.parse(call.query), body: row.body.parse(call.body) });
    },
  };
}

/** A route for everybody. */
export function openRoute<Query extends z.ZodType, Body extends z.ZodType>(row: OpenRow<Query, Body>): Route {
  return {
    ...row,
    role: 'open',
    run: async (call) => row.run({ ...call, query: row.query.parse(call.query), body: row.body.parse(call.body) }),
  };
}

/** A parameter of the path, which the path of the row has. */
export function readParam({ params }: Pick<RawCall, 'params'>, name: string): string {
  const value = params[name];
  if (value === undefined) throw new Error(`the path has no parameter ${name}`);
  return value;
}
