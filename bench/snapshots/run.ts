import type { Scope } from '../scope.ts';
import { measureSnapshots } from './measure.ts';
import { snapshotSection } from './report.ts';

/** As a section of the report. */
export const benchSnapshots = async (scope: Scope): Promise<string> =>
  snapshotSection(await measureSnapshots(scope.snapshotFiles, scope.snapshotRounds));
