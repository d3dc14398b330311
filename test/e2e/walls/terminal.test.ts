// A model's words, names of files and commands reach a person's terminal as text: nothing in them is obeyed, hidden or shown in another order.
import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { Cli, useHome } from '../../support/cli.ts';
import { calls, finishes, serveScript, writeModels } from '../../support/scripted-models.ts';

const home = useHome();
/** Found once: other tests of this process may change the PATH. */
const script = spawnSync('sh', ['-c', 'command -v script'], { encoding: 'utf8' }).stdout.trim();

/** A title, a cleared screen, a colour in one character, an order of letters, a character without width, a step back. */
const hostile = (word: string): string => `${word}\u001b]0;own\u0007\u001b[2J\u009b31m\u202eterces\u2066x\u200b\u0008`;

/** Sequences that the command line itself writes: colours, the cursor, and what it clears before it draws. */
const ours = /\u001b\[(?:[\d;]*m|\?(?:7|25|2026)[hl]|\d*[ABJKG])/g;
const obeyed = /[\u0007\u0008\u001b\u0080-\u009f\u200b\u202e\u2066]/;

/** One command in a terminal, and what it wrote there. */
function inTerminal(cli: Cli, line: string): Promise<string> {
  const env = { ...cli.env, TERM: 'xterm' };
  const command = `${process.execPath} ${inject('program')} ${line}`;
  const child = spawn(script, ['-qec', command, '/dev/null'], {
    cwd: cli.cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  child.stdout.on('data', (data: Buffer) => (text += data.toString()));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => resolve(text));
  });
}

test.skipIf(script === '')(
  'no command writes to a terminal what a model wants it to obey',
  async () => {
    const cli = new Cli({ HEDDLE_HOME: home(), HEDDLE_TRUST: '1' });
    const planned = { subtasks: [{ id: 'a', description: hostile('planned'), verify: ['test -d .'] }] };
    const { url } = await serveScript([
      { text: JSON.stringify(planned) },
      calls(['write_file', { path: `${hostile('name')}.txt`, content: hostile('content\n') }]),
      calls(['shell', { command: `printf '%s' "${hostile('printed')}"` }]),
      finishes(hostile('notes'), [`${hostile('name')}.txt`]),
      calls(['shell', { command: `git push --force ${hostile('origin')}` }]),
      calls(['finish', { status: 'blocked', notes: hostile('blocked'), deliverablesTouched: [] }]),
    ]);
    writeModels(cli.cwd, url);
    const subtasks = [
      { id: 'a', description: hostile('first') },
      { id: 'b', description: hostile('second'), dependsOn: ['a'] },
    ];
    const plan = { goal: hostile('goal'), executor: 'agent', subtasks };
    writeFileSync(join(cli.cwd, 'plan.json'), JSON.stringify(plan));
    const looks = ['status t', 'inbox', 'list', 'watch t --exit-on-decision', 'report t'].flatMap((look) => [
      look,
      `${look} --json`,
    ]);
    const lines = [
      'plan anything',
      'run plan.json --id t --exit-on-decision',
      ...looks,
      ...['diff t', 'diff t --stat', 'diff t --json', 'logs t', 'logs t a --transcript', 'logs t --json'],
      'decide t a-1 reject',
      'watch t --exit-on-decision',
      'logs t a --transcript',
      ...looks,
      'cancel t',
      'report t',
      'undo t',
    ];
    const obeying: string[] = [];
    const written = new Map<string, string>();
    for (const line of lines) {
      const text = (await inTerminal(cli, line)).replace(ours, '');
      written.set(line, text);
      obeying.push(
        ...text.split('\n').flatMap((each) => (obeyed.test(each) ? [`${line}: ${JSON.stringify(each)}`] : [])),
      );
    }
    expect(obeying).toEqual([]);
    // The words themselves were there to be shown.
    expect(written.get('logs t a --transcript')).toContain('notes');
    expect(written.get('diff t --stat')).toContain('name');
    expect(written.get('plan anything')).toContain('planned');
  },
  240_000,
);
