import type { Route } from '../route.ts';
import { boardStream } from './board-stream.ts';
import { taskStream } from './task-stream.ts';

/** Routes that send events as they happen. */
export const streamRoutes: readonly Route[] = [boardStream, taskStream];
