import type { Decision } from '../../../domain/types/decision.ts';
import { formatLeftFiles } from '../../../domain/task/left-files.ts';
import { clientLimits } from '../../limits/client-limits.ts';
import { plainLine } from '../text/terminal-text.ts';

/** What failed attempts left changed in the workspace, for whoever decides what becomes of it. */
export const leftFileLines = (decision: Decision): string[] =>
  'files' in decision ? formatLeftFiles(decision.files, clientLimits.cli.leftFiles).map(plainLine) : [];
