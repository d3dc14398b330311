import type { Decision } from '../../../domain/types/decision.ts';
import { formatLeftFiles } from '../../../domain/decisions/left-files.ts';
import { clientLimits } from '../../limits/client-limits.ts';
import { plainLine } from '../text/terminal-text.ts';

/** Changes that failed attempts left in the workspace, for the person who decides what becomes of them. */
export const leftFileLines = (decision: Decision): string[] =>
  'files' in decision ? formatLeftFiles(decision.files, clientLimits.cli.leftFiles).map(plainLine) : [];
