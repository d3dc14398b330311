// `node scripts/record-terminal.ts`: plays `npm run demo` in tmux until it asks, and draws that screen as docs/images/demo.svg.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { drawScreen } from './draw-screen.ts';

const root = join(import.meta.dirname, '..');
const columns = 84;
const rows = 34;
const patience = 120;

const folder = mkdtempSync(join(tmpdir(), 'heddle-record-'));
const tmux = (...args: string[]): string =>
  execFileSync('tmux', ['-S', join(folder, 'socket'), '-f', '/dev/null', '-u', ...args], {
    cwd: root,
    env: { ...process.env, TMUX: undefined, LC_ALL: 'C.UTF-8' },
    encoding: 'utf8',
  });

async function waitFor(what: string): Promise<void> {
  for (let second = 0; second < patience; second += 1) {
    await wait(1_000);
    if (tmux('capture-pane', '-p').includes(what)) return;
  }
  throw new Error(`the demo did not show: ${what}`);
}

/** The tree and its question: what was printed above it, and the lines below it, name a random address. */
function cutScreen(lines: readonly string[], plain: readonly string[]): string[] {
  const first = plain.findIndex((line) => line.includes('Make the tests pass'));
  const last = plain.findIndex((line) => line.includes('Esc: later'));
  return lines.slice(first, last + 1);
}

try {
  const program = `"${process.execPath}" --disable-warning=ExperimentalWarning scripts/demo.ts; echo the end; exec sleep 60`;
  tmux(
    'new-session',
    '-d',
    '-x',
    String(columns),
    '-y',
    String(rows),
    program,
    ';',
    'set-option',
    '-g',
    'status',
    'off',
  );
  await waitFor('Esc: later');
  const lines = cutScreen(tmux('capture-pane', '-p', '-e').split('\n'), tmux('capture-pane', '-p').split('\n'));
  writeFileSync(
    join(root, 'docs', 'images', 'demo.svg'),
    drawScreen({ command: 'npm run demo', lines, columns, title: 'Heddle asks before a force push' }),
  );
  // A question that has just come up takes no key.
  await wait(1_000);
  tmux('send-keys', '1');
  await wait(1_000);
  tmux('send-keys', 'Enter');
  await waitFor('Enter ends the demo');
  tmux('send-keys', 'Enter');
  await waitFor('the end');
} finally {
  tmux('kill-server');
  rmSync(folder, { recursive: true, force: true });
}
