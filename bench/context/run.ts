import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Scope } from '../scope.ts';
import { leadLong } from './lead.ts';
import { contextSection, type ContextResults } from './report.ts';

/** Windows for about twelve and eighty turns of 10 KB. */
const windows = [32_000, 200_000];
const linesPerTurn = 100;
const line = `${'a line of the file that has about a hundred characters in it, as lines of prose often have '.padEnd(99, '.')}\n`;

/** As a section of the report. */
export async function benchContext({ turns }: Scope): Promise<string> {
  const load = loadavg()[0] ?? NaN;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'heddle-bench-context-')));
  try {
    const place = {
      root: join(folder, 'home'),
      workspace: join(folder, 'workspace'),
      file: 'long.txt',
      lines: linesPerTurn,
    };
    mkdirSync(place.workspace);
    const lines = Array.from({ length: turns * linesPerTurn }, (_, index) => `${index} ${line}`.slice(-100));
    writeFileSync(join(place.workspace, place.file), lines.join(''));
    // Compiled and warm.
    await leadLong({ turns: 20, context: 32_000, mode: 'tiered' }, place);
    const whole = await leadLong({ turns, context: 100_000_000, mode: 'off' }, place);
    const compacted: ContextResults['compacted'] = [];
    const summarised: ContextResults['summarised'] = [];
    for (const context of windows) {
      const options = { turns, context, mode: 'tiered' } as const;
      compacted.push({ context, use: await leadLong(options, place) });
      summarised.push({ context, use: await leadLong({ ...options, summarises: true }, place) });
    }
    return contextSection({ turns, load, whole, compacted, summarised });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
