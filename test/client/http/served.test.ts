// The API as `heddle serve` runs it: what holds when its process is killed, and what it keeps to itself.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { allRoutes } from '../../../client/http/routes/all-routes.ts';
import { describeApi } from '../../../client/http/openapi.ts';
import { askServer, type AskOptions } from '../../support/api/api-rig.ts';
import { readStream, type SseFrame } from '../../support/api/read-stream.ts';
import { Cli, until } from '../../support/cli.ts';
import { decisionOpened, endOf, eventOf, shellPlan, useRig } from '../../support/rig.ts';

const rig = useRig();

/** A process that serves the tasks of the rig, killed without a word by `kill`. */
async function serve(cli: Cli) {
  const running = cli.start('serve', '--json');
  onTestFinished(() => void running.child.kill('SIGKILL'));
  const failed = running.finished.then(({ stderr }) => Promise.reject(new Error(stderr)));
  await Promise.race([until('it serves', () => running.stdout().includes('\n')), failed]);
  const { api } = JSON.parse(running.stdout()) as { api: string };
  const key = readFileSync(join(cli.home, 'run', 'console-key'), 'utf8').trim();
  return {
    ask: (method: string, path: string, { headers, ...options }: AskOptions = {}) =>
      askServer(`${api}${path}`, method, {
        ...options,
        as: null,
        headers: { authorization: `Bearer ${key}`, ...headers },
      }),
    kill: async () => {
      running.child.kill('SIGKILL');
      await running.finished;
    },
    key,
    origin: new URL(api).origin,
  };
}

const cliOf = (extra: Record<string, string> = {}): Cli =>
  new Cli({ TEMPORAL_ADDRESS: inject('temporalAddress'), HEDDLE_TASK_QUEUE: rig.taskQueue, ...extra });

test('a request with the same key is one task and one answer, although the server was killed in between', async () => {
  const cli = cliOf();
  const first = await serve(cli);
  const headers = { 'idempotency-key': 'before and after' };
  const body = { plan: { ...shellPlan({ one: { sh: 'exit 77' } }), workspace: rig.workspace() } };
  const started = (await first.ask('POST', '/tasks', { body, headers })).json as { taskId: string; workflowId: string };
  const task = rig.adopt(started.workflowId);
  await eventOf(task, decisionOpened('one-1'));
  const answer = { body: { option: 'abort' }, headers };
  const path = `/tasks/${task.id}/decisions/one-1`;
  // Killed while the answer is under way: whether it arrived is not known to the one who sent it.
  const cut = first.ask('POST', path, answer).catch(() => undefined);
  await first.kill();
  await cut;
  const second = await serve(cli);
  expect((await second.ask('POST', '/tasks', { body, headers })).json).toMatchObject({ taskId: task.id });
  const again = await second.ask('POST', path, answer);
  // An answer that ended the task at once cannot be given again; it was given once all the same.
  expect([200, 410]).toContain(again.status);
  expect(await endOf(task)).toBe('cancelled');
  expect((await task.events()).filter(({ type }) => type === 'decision.answered').length).toBe(1);
  expect((await rig.client.list(`WorkflowId = '${task.workflowId}'`)).length).toBe(1);
});

test('a stream ends within seconds when the token of its reader is revoked', async () => {
  const cli = cliOf();
  const { token } = await cli.json<{ token: string }>('auth', 'token', 'add', 'ana', '--role', 'viewer');
  const { origin } = await serve(cli);
  const frames: SseFrame[] = [];
  for await (const frame of readStream(origin, '/stream', { token })) {
    if (frames.push(frame) === 1) await cli.json('auth', 'token', 'revoke', 'ana');
  }
  expect(frames.at(-1)).toMatchObject({
    event: 'trouble',
    data: { text: 'the token of this stream is no longer valid' },
  });
});

test('no secret is in an address, a log, the config, the models or the events', async () => {
  const secret = 'sk-very-secret-0123456789';
  const cli = cliOf({ SOME_KEY: secret, HEDDLE_TRUST: '1' });
  const workspace = rig.workspace();
  writeFileSync(
    join(workspace, 'heddle.toml'),
    '[providers.some]\nkind = "openai-compatible"\nbaseUrl = "http://127.0.0.1:9"\nkeyEnv = "SOME_KEY"\n' +
      '[models.small]\nprovider = "some"\nid = "small"\ntier = 1\n',
  );
  await cli.here('trust', workspace).catch(() => undefined);
  const { ask, key, kill } = await serve(cli);
  const texts: string[] = [];
  for (const path of [
    `/models?workspace=${workspace}`,
    `/config?workspace=${workspace}`,
    '/system',
    '/me',
    '/doctor',
    '/slo',
    '/openapi.json',
    `/tasks?text=${key}`,
  ])
    texts.push((await ask('GET', path)).text);
  const inAddress = await ask('GET', `/me?token=${key}`);
  expect(inAddress.status).toBe(422);
  texts.push(inAddress.text, (await ask('POST', '/session', { body: { token: 'hdl_wrong' } })).text);
  await kill();
  const files = readdirSync(cli.home, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  for (const file of files) {
    const path = join(file.parentPath, file.name);
    if (file.name === 'console-key') expect(statSync(path).mode & 0o777).toBe(0o600);
    else texts.push(readFileSync(path, 'latin1'));
  }
  for (const text of texts) {
    expect(text).not.toContain(secret);
    if (!text.includes('/tasks?text=')) expect(text.includes(key), text.slice(0, 200)).toBe(false);
  }
  const { paths } = describeApi(allRoutes, '') as {
    paths: Record<string, Record<string, { parameters: { name: string }[] }>>;
  };
  const names = Object.values(paths).flatMap((path) => Object.values(path).flatMap((each) => each.parameters));
  expect(names.filter(({ name }) => /token|code|secret|password/i.test(name))).toEqual([]);
});
