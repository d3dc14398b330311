import type { Route } from '../route.ts';
import { streamRoutes } from '../stream/stream-routes.ts';
import { sessionRoutes } from './session.ts';

/** Every route of the API: what is not here is not served, not documented and not tested. */
export const allRoutes: readonly Route[] = [...sessionRoutes, ...streamRoutes];
