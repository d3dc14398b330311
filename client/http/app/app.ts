import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';

interface Environment {
  Bindings: HttpBindings;
}

/** An app that Node's own server serves. */
export type App = Hono<Environment>;

export type AppContext = Context<Environment>;
