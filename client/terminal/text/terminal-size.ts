import { clientLimits } from '../../limits/client-limits.ts';
import type { OutStream } from '../../ports/terminal.ts';

/** A terminal that nobody told its size says 0. */
export const terminalSize = ({ columns, rows }: Pick<OutStream, 'columns' | 'rows'>) => ({
  width: columns || clientLimits.cli.width,
  height: rows || clientLimits.cli.height,
});
