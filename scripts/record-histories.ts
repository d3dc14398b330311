// Adds histories to the corpus: node scripts/record-histories.ts NAME, the beginning of a test's name in test/replay/record.test.ts.
// Without a name all are recorded again, which is for before a release: a history that no longer replays is the news that a change breaks open tasks.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { replaceInHistory, type Json } from '../test/support/scrub-history.ts';

const root = join(import.meta.dirname, '..');
const corpus = join(root, 'test', 'corpora', 'histories');
const recorded = mkdtempSync(join(tmpdir(), 'heddle-record-'));

/** Words of this machine and what stands for them; the first pattern that holds a later one comes first. */
const words: [RegExp, string][] = [
  [new RegExp(`(?:/private)?${escape(tmpdir())}/heddle-rig-\\w+/workspace-\\w+`, 'g'), '/workspace'],
  [new RegExp(`(?:/private)?${escape(tmpdir())}/heddle-rig-\\w+`, 'g'), '/heddle'],
  [new RegExp(`\\d+@${escape(hostname())}`, 'g'), '1@recorder'],
  [new RegExp(`\\b${escape(hostname())}\\b`, 'g'), 'recorder'],
  [new RegExp(escape(root), 'g'), '/heddle'],
  [/\btest-\d+-\d+\b/g, 'heddle'],
];

const [name] = process.argv.slice(2);

try {
  const only = name === undefined ? [] : ['-t', name];
  const vitest = spawnSync(
    join(root, 'node_modules', '.bin', 'vitest'),
    ['run', 'test/replay/record.test.ts', ...only],
    {
      cwd: root,
      env: { ...process.env, HEDDLE_RECORD_HISTORIES: recorded },
      stdio: 'inherit',
    },
  );
  if (vitest.status !== 0) throw new Error('the tasks to record did not end as they should');
  if (name === undefined) rmSync(corpus, { recursive: true, force: true });
  mkdirSync(corpus, { recursive: true });
  for (const file of readdirSync(recorded).sort()) {
    const history = JSON.parse(readFileSync(join(recorded, file), 'utf8')) as Json;
    const scrubbed = JSON.stringify(replaceInHistory(history, scrub));
    writeFileSync(join(corpus, file), `${scrubbed}\n`);
    console.log(`${file} ${Math.ceil(scrubbed.length / 1024)} KB`);
  }
} finally {
  rmSync(recorded, { recursive: true, force: true });
}

function scrub(text: string): string {
  return words.reduce((result, [pattern, word]) => result.replace(pattern, word), text);
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
