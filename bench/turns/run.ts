import type { Scope } from '../scope.ts';
import { measureTurns } from './measure.ts';
import { turnSection } from './report.ts';

/** As a section of the report. */
export const benchTurns = async (scope: Scope): Promise<string> =>
  turnSection(await measureTurns(scope.turns, scope.turnRounds));
