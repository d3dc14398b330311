// Values of variables that a plan names, told by its programs in every way: neither the home (history, store, records, logs) nor any
// command shows one.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { failingEnd, filesBelow, leaksIn, makeSecrets, tellingProgram } from '../activities/redact/support.ts';
import { Cli, until } from '../support/cli.ts';

/** Fails at first, then leaves the secrets in a file for others to print, and says that all is well. */
const ending = `
  if (process.env.HEDDLE_ATTEMPT === '1') { ${failingEnd} }
  const { writeFileSync } = await import('node:fs');
  writeFileSync('leak.txt', [DATABASE_URL, GH_PAT, SLACK_WEBHOOK, TLS_KEY].join('\\n'));
  console.log(JSON.stringify({ status: 'success', notes: 'logged in with ' + GH_PAT }));
`;

test('no value is in the home of a task, nor in what any command says of it', async () => {
  const secrets = makeSecrets();
  const cli = new Cli(secrets);
  writeFileSync(join(cli.cwd, 'tell.mjs'), tellingProgram(ending));
  const plan = {
    goal: 'tell no secret',
    subtasks: [
      {
        id: 'tell',
        executor: { kind: 'command', run: [process.execPath, 'tell.mjs'], env: Object.keys(secrets) },
        verify: ['cat leak.txt; cat leak.txt >&2; test "$HEDDLE_ATTEMPT" -gt 2'],
        rules: [{ pattern: 'ghp_', in: ['leak.txt'], must: 'absent', severity: 'advisory' }],
      },
      // It names no variable: what it prints came by a file.
      { id: 'repeat', dependsOn: ['tell'], executor: { kind: 'command', run: ['cat', 'leak.txt'] } },
    ],
  };
  writeFileSync(join(cli.cwd, 'plan.json'), JSON.stringify(plan));
  await cli.json('run', 'plan.json', '--detach');
  const followed = cli.start('logs', 'latest', '-f');
  const watched = await cli.here('watch', 'latest', '--json');
  expect(watched.code).toBe(0);
  await until('logs -f has ended', async () => (await followed.finished).code === 0);

  const attempts = await cli.jsonHere<object[]>('logs', 'latest');
  expect(attempts).toMatchObject([
    { subtask: 'tell', attempt: 1, outcome: 'failed' },
    { subtask: 'tell', attempt: 2, outcome: 'failed' },
    { subtask: 'tell', attempt: 3, outcome: 'passed' },
    { subtask: 'repeat', attempt: 1, outcome: 'passed' },
  ]);
  const said = [watched, await followed.finished];
  for (const command of [
    ['logs', 'latest'],
    ['logs', 'latest', '--json'],
    ['report', 'latest'],
    ['report', 'latest', '--json'],
    ['status', 'latest', '--json'],
    ['list', '--json'],
    ['memory', '--json'],
    ['config'],
    ['doctor'],
  ])
    said.push(await cli.here(...command));
  const words = said.map(({ stdout, stderr }) => `${stdout}\n${stderr}`).join('\n');
  expect(words).toContain('cannot log in with [DATABASE_URL] or [GH_PAT]');
  expect(leaksIn(words, secrets)).toEqual([]);

  expect((await cli.here('down')).code).toBe(0);
  const files = filesBelow(cli.home);
  // The history is in there, in clear where nothing is secret.
  expect(files.some(({ text }) => text.includes('cannot log in with [DATABASE_URL]'))).toBe(true);
  const leaks = files.map(({ path, text }) => ({ path, leaks: leaksIn(text, secrets) }));
  expect(leaks.filter((file) => file.leaks.length > 0)).toEqual([]);
}, 300_000);
