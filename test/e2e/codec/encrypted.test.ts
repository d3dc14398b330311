// With keys, what the Temporal server stores is encrypted: its database has none of the texts, and every command reads them.
import { Client, Connection } from '@temporalio/client';
import { randomBytes } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseCodecKeys } from '../../../client/codec/codec-keys.ts';
import { HeddleClient } from '../../../client/index.ts';
import { clientCodec } from '../../../client/codec/payload-codec.ts';
import { Cli, until } from '../../support/cli.ts';

const newKey = (id: string): string => `${id}:${randomBytes(32).toString('base64')}\n`;

/** Each is said once, in another place: goal, description, output, summary of a failure, its details, steering, instruction. */
const markers = ['goal', 'description', 'printed', 'failed', 'steered', 'instructed', 'program'].map(
  (name) => `marker-of-${name}`,
);

const plan = (workspace: string): string =>
  JSON.stringify({
    goal: 'Do the marker-of-goal',
    project: 'visible-project',
    workspace,
    subtasks: [
      {
        id: 'visible-subtask',
        description: 'Print the marker-of-description',
        executor: {
          kind: 'command',
          run: [
            'sh',
            '-c',
            'echo marker-of-printed; [ -e ok ] || { touch ok; echo "denied marker-of-failed" >&2; exit 77; }',
          ],
        },
      },
    ],
  });

/** Markers that stand somewhere in the files of the server's database. */
function findMarkers(home: string): string[] {
  const files = globSync(`${home}/**/temporal.db*`);
  expect(files.length).toBeGreaterThan(0);
  const bytes = files.map((file) => readFileSync(file));
  return [...markers, 'visible-project', 'visible-subtask'].filter((marker) =>
    bytes.some((content) => content.includes(marker)),
  );
}

const addressOf = (cli: Cli): string =>
  (JSON.parse(readFileSync(join(cli.home, 'run', 'service.json'), 'utf8')) as { temporalAddress: string })
    .temporalAddress;

interface Status {
  state: string;
  goal: string;
}

/** A task that asks, is steered and answered, and one that fails before it begins. */
async function runTasks(cli: Cli, rotate: () => void = () => undefined): Promise<void> {
  writeFileSync(join(cli.cwd, 'plan.json'), plan(cli.cwd));
  await cli.json('run', 'plan.json', '--id', 'one', '--detach');
  const status = (id: string): Promise<Status> => cli.jsonHere<Status>('status', id);
  await until('it asks', async () => (await status('one')).state === 'waiting');
  expect((await cli.here('steer', 'one', 'Mind the marker-of-steered')).code).toBe(0);
  rotate();
  const answer = ['decide', 'one', 'visible-subtask-1', 'fix', '--instruction', 'Now marker-of-instructed'];
  expect(await cli.here(...answer)).toMatchObject({ code: 0 });
  await until('it ends', async () => (await status('one')).state === 'completed');
  expect((await status('one')).goal).toBe('Do the marker-of-goal');
  const missing = {
    goal: 'x',
    workspace: cli.cwd,
    subtasks: [{ id: 'a', description: 'b', executor: { kind: 'command', run: ['marker-of-program'] } }],
  };
  writeFileSync(join(cli.cwd, 'missing.json'), JSON.stringify(missing));
  expect(await cli.run('run', 'missing.json', '--id', 'two')).toMatchObject({ code: 2 });
}

test('without keys the database of the server has every text', async () => {
  const cli = new Cli();
  await runTasks(cli);
  expect(findMarkers(cli.home)).toEqual([...markers, 'visible-project', 'visible-subtask']);
});

test('a command with keys refuses a service that has none', async () => {
  const cli = new Cli();
  expect((await cli.run('list')).code).toBe(0);
  expect((await cli.run('up', '--background')).code).toBe(0);
  const file = join(cli.cwd, 'keys');
  expect((await cli.here('codec', 'new-key', 'keys')).stdout).toContain('k1 encrypts from now on');
  const refused = await cli.hereWith({ env: { HEDDLE_CODEC_KEYS: file } }, 'list', '--json');
  expect(JSON.parse(refused.stderr)).toMatchObject({ error: { code: 'CODEC_KEYS_INVALID', where: file } });
  expect((await cli.hereWith({ env: { HEDDLE_CODEC_KEYS: file } }, 'doctor')).stdout).toContain(
    `k1 of ${file} encrypts`,
  );
});

test('with keys it has no text of a task but names, through a rotation of the keys', async () => {
  const cli = new Cli();
  const file = join(cli.cwd, 'keys');
  const first = newKey('k1');
  writeFileSync(file, first, { mode: 0o600 });
  cli.env['HEDDLE_CODEC_KEYS'] = file;
  await runTasks(cli, () => writeFileSync(file, `${newKey('k2')}${first}`));
  expect(findMarkers(cli.home)).toEqual(['visible-project', 'visible-subtask']);

  const list = await cli.jsonHere<{ id: string; goal: string }[]>('list');
  expect(list).toMatchObject([{ id: 'two' }, { id: 'one', goal: 'Do the marker-of-goal' }]);
  expect(await cli.run('replay', 'one')).toMatchObject({ code: 0, stdout: '✓ task-one\n' });

  // The lines of a running attempt are in its heartbeats, and a retry reads what the task was started with.
  const busy = {
    goal: 'x',
    workspace: cli.cwd,
    subtasks: [
      { id: 'a', description: 'b', executor: { kind: 'command', run: ['sh', '-c', 'echo printed; exec sleep 60'] } },
    ],
  };
  writeFileSync(join(cli.cwd, 'busy.json'), JSON.stringify(busy));
  await cli.json('run', 'busy.json', '--id', 'busy', '--detach');
  const client = await HeddleClient.connect({ address: addressOf(cli) }, { codecKeys: file });
  await until('it prints', async () => (await client.task('busy').activity()).some(({ line }) => line === 'printed'));
  await client.close();
  expect((await cli.here('cancel', 'busy')).code).toBe(0);
  await until('it ends', async () => (await cli.jsonHere<Status>('status', 'busy')).state === 'cancelled');
  expect(await cli.jsonHere('retry', 'busy', '--dry-run')).toMatchObject({ runs: ['a'] });

  const blind = { env: { HEDDLE_CODEC_KEYS: '' } };
  const rows = JSON.parse((await cli.hereWith(blind, 'list', '--json')).stdout) as { id: string; goal: string }[];
  expect(rows).toMatchObject([
    { id: 'busy' },
    { goal: 'encrypted, key k2 is missing' },
    { goal: 'encrypted, key k1 is missing' },
  ]);
  const closed = await cli.hereWith(blind, 'status', 'one', '--json');
  expect(closed).toMatchObject({ code: 2 });
  expect(JSON.parse(closed.stderr)).toMatchObject({ error: { code: 'CODEC_KEY_MISSING' } });
});

test('a message with an unknown key never stops a task, and prune removes nothing that it cannot read', async () => {
  const cli = new Cli();
  const file = join(cli.cwd, 'keys');
  writeFileSync(file, newKey('k1'), { mode: 0o600 });
  cli.env['HEDDLE_CODEC_KEYS'] = file;
  writeFileSync(join(cli.cwd, 'plan.json'), plan(cli.cwd));
  await cli.json('run', 'plan.json', '--id', 'three', '--detach');
  await until('it asks', async () => (await cli.jsonHere<Status>('status', 'three')).state === 'waiting');
  expect((await cli.here('prune', '--dry-run')).code).toBe(0);

  const { temporalAddress } = JSON.parse(readFileSync(join(cli.home, 'run', 'service.json'), 'utf8')) as {
    temporalAddress: string;
  };
  const connection = await Connection.connect({ address: temporalAddress });
  const stranger = new Client({
    connection,
    dataConverter: { payloadCodecs: [clientCodec(parseCodecKeys(newKey('k9'), 'k9'))] },
  });
  const handle = stranger.workflow.getHandle('task-three');
  for (const name of ['steer', 'decide', 'pause', 'resume']) await handle.signal(name, { text: 'x' });
  await expect(handle.executeUpdate('steer', { args: [{ text: 'x' }] })).rejects.toThrow();
  await expect(handle.query('status', 1)).rejects.toThrow();
  await connection.close();
  const client = await HeddleClient.connect({ address: temporalAddress }, { codecKeys: file });
  const refused = async () => (await client.task('three').events()).filter(({ type }) => type === 'message.refused');
  await until('they are refused', async () => (await refused()).length === 4);
  for (const { text } of await refused()) expect(text).toContain('MESSAGE_INVALID');
  await client.close();

  const pruned = await cli.here('prune', '--dry-run', '--json');
  expect(pruned).toMatchObject({ code: 2 });
  expect(JSON.parse(pruned.stderr)).toMatchObject({
    error: { code: 'CODEC_KEY_MISSING', message: 'encrypted, key k9 is missing' },
  });
  expect((await cli.here('decide', 'three', 'visible-subtask-1', 'retry')).code).toBe(0);
  await until('it ends', async () => (await cli.jsonHere<Status>('status', 'three')).state === 'completed');
});
