// The live view as a person sees it: the real command in a real terminal (tmux), compared with the screens in `screens/`. When a
// sentence on them changes, `npx vitest run test/e2e/cli/terminal.test.ts -u` takes them again; look at what changed.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { clientLimits } from '../../../client/limits/client-limits.ts';
import { displayWidth } from '../../../client/terminal/text/terminal-text.ts';
import { Cli, until, useSharedHome } from '../../support/cli.ts';
import { hasTmux, Tmux } from '../../support/tmux.ts';

const terminal = test.skipIf(!hasTmux);
if (!hasTmux) console.warn('skipped: the screens of the terminal, as tmux is not installed');

const home = useSharedHome();
const command = (script: string): object => ({ kind: 'command', run: ['sh', '-c', script] });
const waitFor = (file: string): string => `until test -e ${file}; do sleep 0.3; done; echo done`;
const needsPerson = 'cat > prompt.txt; test "$HEDDLE_ATTEMPT" -gt 1 || exit 78; echo deployed';

function plan(cli: Cli, subtasks: object[], rest: object = {}): string {
  writeFileSync(join(cli.cwd, 'plan.json'), JSON.stringify({ goal: 'Publish 発行', ...rest, subtasks }));
  return 'plan.json';
}

const touch = (cli: Cli, file: string): void => writeFileSync(join(cli.cwd, file), '');

/** Times pass, people and addresses differ; all else is compared as it is. */
function still(lines: readonly string[]): string {
  const plain = lines.map((line) =>
    line
      .replace(/\d+(?:\.\d+)? (?:s|min|h)\b(?: \d+ (?:s|min)\b)?/g, 'TIME')
      .replace(/(failed in TIME: ).*/, '$1…')
      .replace(/http:\S+/, 'LINK')
      .replace(/^( {2}Folder +).*/, '$1FOLDER')
      .replace(/\+\d+ -\d+$/, '+N -N')
      .replaceAll(userInfo().username, 'USER'),
  );
  return `${plain.join('\n')}\n`;
}

const compare = (name: string, lines: readonly string[]): Promise<void> =>
  expect(still(lines)).toMatchFileSnapshot(join('screens', `${name}.txt`));

/** The screen as it was once compared; what it comes to otherwise. */
async function drawn(tmux: Tmux, name: string): Promise<string[]> {
  const file = join(import.meta.dirname, 'screens', `${name}.txt`);
  const isDrawn = (): boolean => existsSync(file) && still(tmux.screen()) === readFileSync(file, 'utf8');
  await until('the screen is drawn', isDrawn, 5_000, 200).catch(() => undefined);
  return tmux.screen();
}

/** A question that has just come up takes no keys. */
const afterGuard = (): Promise<void> => sleep(clientLimits.cli.keyGuard + 200);

terminal(
  'the tree goes on while a question is open, at every width, and leaves no line of an old frame',
  async () => {
    const cli = new Cli({ HEDDLE_HOME: home() });
    const file = plan(cli, [
      { id: 'deploy', executor: command(needsPerson) },
      { id: 'slow', executor: command(waitFor('go1')) },
      { id: 'next', dependsOn: ['slow'], executor: command(waitFor('go2')) },
      { id: 'sum', synthesis: true, executor: command('echo all') },
    ]);
    const tmux = new Tmux(cli, { columns: 80, rows: 30 }, 'run', file, '--id', 'screens');
    await compare('80-question', await tmux.shows(/❯/, /● slow  \d/, /^deploy: .* needed/m));
    touch(cli, 'go1');
    await compare('80-others-go-on', await tmux.shows(/● next  \d/, /^next starts/m));

    for (const [columns, rows] of [
      [40, 30],
      [200, 30],
      [100, 12],
      [80, 30],
    ] as const) {
      tmux.resize({ columns, rows });
      const screen = await drawn(tmux, `resized-${columns}x${rows}`);
      expect(Math.max(...screen.map(displayWidth))).toBeLessThanOrEqual(columns);
      await compare(`resized-${columns}x${rows}`, screen);
    }

    tmux.keys('f', 'Enter');
    tmux.type('鍵 はここ🔑x');
    tmux.keys('BSpace');
    tmux.paste('one\ntwo');
    await compare('80-words', await tmux.shows(/⏎two/));
    tmux.keys('Enter');
    await compare('80-answered', await tmux.shows(/○ deploy/, /^deploy is completed/m));
    expect(readFileSync(join(cli.cwd, 'prompt.txt'), 'utf8')).toContain('鍵 はここ🔑one\ntwo\n');
    touch(cli, 'go2');
    expect(await tmux.exit()).toBe(0);
    const end = tmux.screen();
    await compare(
      '80-end',
      end.slice(
        0,
        end.findIndex((line) => line.startsWith('  Web UI')),
      ),
    );
  },
  90_000,
);

terminal(
  '500 subtasks and several questions: what matters is shown, questions are walked through, put off, and answered elsewhere',
  async () => {
    const cli = new Cli({ HEDDLE_HOME: home(), NO_COLOR: '1' });
    const rest = Array.from({ length: 493 }, (_, i) => ({
      id: `later${i}`,
      dependsOn: ['hold0'],
      executor: command(':'),
    }));
    const file = plan(cli, [
      { id: 'ask1', executor: command(needsPerson) },
      { id: 'quick', executor: command('echo done') },
      { id: 'first', executor: command(waitFor('go1')) },
      { id: 'ask2', dependsOn: ['first'], executor: command(needsPerson) },
      ...[0, 1, 2].map((i) => ({ id: `hold${i}`, executor: command(waitFor('go2')) })),
      ...rest,
    ]);
    const tmux = new Tmux(cli, { columns: 80, rows: 24 }, 'run', file, '--id', 'many');
    await compare('500-question', await tmux.shows(/❯/, /\? ask1 /, /○ quick/, /494 pending, [12] running/));
    touch(cli, 'go1');
    await tmux.shows(/question 1 of 2: ask1-1/);
    tmux.keys('Tab');
    await tmux.shows(/question 2 of 2: ask2-1/);
    tmux.keys('Escape');
    await tmux.shows(/question 1 of 2: ask1-1/);
    await afterGuard();
    tmux.keys('Escape');
    await compare('500-later', await tmux.shows(/\? 2 open questions/, /^ask2 needs/m));
    expect(tmux.colours()).not.toContain('\u001b[');

    expect((await cli.here('decide', 'many', 'ask1-1', 'skip')).code).toBe(0);
    await compare(
      '500-answered-elsewhere',
      await tmux.shows(/answered ask1-1: skip/, /1 open question/, /– ask1/, /^ask1 is skipped/m),
    );
    // No shell could bring it back from Ctrl-Z here: it goes on.
    tmux.keys('C-z');
    await sleep(1_000);
    tmux.keys('Tab');
    await tmux.shows(/\? ask2-1 \(/);
    tmux.keys('C-c');
    expect(await tmux.exit()).toBe(130);
    expect(tmux.screen().join('\n')).toContain('\nDetached');
    expect((await cli.here('cancel', 'many', '--wait')).code).toBe(0);
  },
  90_000,
);

terminal(
  'with HEDDLE_PLAIN=1 a question is a numbered list, answered by lines',
  async () => {
    const cli = new Cli({ HEDDLE_HOME: home(), HEDDLE_PLAIN: '1' });
    const file = plan(cli, [{ id: 'ask', executor: command(needsPerson) }]);
    const tmux = new Tmux(cli, { columns: 120, rows: 40 }, 'run', file, '--id', 'plain');
    const asked = await tmux.shows(/Type a number and press Enter\./);
    await compare('plain-question', asked.slice(asked.findIndex((line) => line.startsWith('Question'))));
    tmux.keys('9', 'Enter');
    await tmux.shows(/Type a number from 1 to 6/);
    tmux.keys('fix', 'Enter');
    await tmux.shows(/One line, then Enter/);
    tmux.keys('use the staging key', 'Enter');
    expect(await tmux.exit()).toBe(0);
    expect(readFileSync(join(cli.cwd, 'prompt.txt'), 'utf8')).toContain('use the staging key');
    expect(tmux.colours()).not.toContain('\u001b[');
  },
  90_000,
);
