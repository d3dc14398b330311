import { benchCli } from './cli/run.ts';
import { benchContext } from './context/run.ts';
import { benchLive } from './live/run.ts';
import { writeSections } from './markdown.ts';
import { benchRecovery } from './recovery/run.ts';
import { full, quick, type Scope } from './scope.ts';
import { benchSize } from './size/run.ts';
import { benchSnapshots } from './snapshots/run.ts';
import { benchSteps } from './steps/run.ts';
import { benchTurns } from './turns/run.ts';

/** Each measures one thing and gives its section of docs/bench.md. */
const parts: Record<string, (scope: Scope) => Promise<string>> = {
  // First: to start git from a process that holds the rest of the bench would cost more than the snapshot.
  snapshots: benchSnapshots,
  steps: benchSteps,
  recovery: benchRecovery,
  cli: benchCli,
  size: benchSize,
  turns: benchTurns,
  context: benchContext,
  live: benchLive,
};

const usage = `npm run bench [-- NAME...] [--quick] [--write]
  NAME      ${Object.keys(parts).join(', ')}; all of them by default
  --quick   fewer rounds and smaller sizes
  --write   writes what was measured into docs/bench.md`;

const given = process.argv.slice(2);
const flags = given.filter((argument) => argument.startsWith('-'));
const names = given.filter((argument) => !argument.startsWith('-'));
if (flags.some((flag) => !['--quick', '--write'].includes(flag)) || names.some((name) => !Object.hasOwn(parts, name))) {
  console.error(usage);
  process.exit(2);
}

const scope = flags.includes('--quick') ? quick : full;
const sections: string[] = [];
for (const [name, measure] of Object.entries(parts)) {
  if (names.length > 0 && !names.includes(name)) continue;
  const section = await measure(scope);
  console.log(`${section}\n`);
  sections.push(section);
}
if (flags.includes('--write')) await writeSections(sections);
process.exit(0);
