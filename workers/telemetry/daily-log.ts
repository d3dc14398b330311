import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { ageOfLog, type LogAges } from './log-ages.ts';

/** One file for each day in a folder, as a target of pino. With every new day those go that are too old. */
export function dailyLog(
  folder: string,
  name: string,
  ages: LogAges,
  now: () => Date = () => new Date(),
): pino.DestinationStream {
  const open = (of: string) => pino.destination({ dest: join(folder, `${name}-${of}.log`), mkdir: true, sync: true });
  const today = (): string => now().toISOString().slice(0, 10);
  let day = today();
  let target = open(day);
  sweep(folder, ages, now());
  return {
    write(line) {
      if (day !== today()) {
        day = today();
        target.end();
        target = open(day);
        sweep(folder, ages, now());
      }
      target.write(line);
    },
  };
}

/** A log that cannot be removed, or that another process has just removed, stops no work. */
function sweep(folder: string, ages: LogAges, now: Date): void {
  for (const name of readdirSync(folder).filter((file) => /\.(?:log(?:\.\d+)?|jsonl)$/.test(file))) {
    try {
      if (statSync(join(folder, name)).mtimeMs < now.getTime() - ageOfLog(name, ages)) rmSync(join(folder, name));
    } catch {
      continue;
    }
  }
}
