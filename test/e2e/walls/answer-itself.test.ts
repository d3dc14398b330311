// An agent in a sandbox that reaches the network knows the address of the API, and the question that waits for a person. It cannot answer it.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { StatusView } from '../../../client/index.ts';
import { askServer } from '../../support/api/api-rig.ts';
import { Cli, until } from '../../support/cli.ts';
import { calls, finishes, serveScript, writeModels } from '../../support/scripted-models.ts';
import { needsSandbox } from './support-walls.ts';

/** Tries the API by every way that a program has: no token, a guessed one, the home's own key, a session, another host's name. */
const attack = (origin: string, home: string, task: string): string => `
import { readFileSync } from 'node:fs';
const tries = [];
const read = (path) => { try { return readFileSync(path, 'utf8').trim(); } catch (error) { return error.code; } };
const key = read('${home}/run/console-key');
tries.push(['key', key.startsWith('hdl_') ? 'read' : key]);
const ask = async (name, path, body, headers) => {
  try {
    const answer = await fetch('${origin}/api/v1' + path, {
      method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers },
    });
    tries.push([name, answer.status]);
  } catch { tries.push([name, 'unreachable']); }
};
const path = '/tasks/${task}/decisions/asks-1';
const yes = { option: 'skip' };
await ask('nobody', path, yes, {});
await ask('guess', path, yes, { authorization: 'Bearer hdl_' + 'a'.repeat(43) });
await ask('key', path, yes, { authorization: 'Bearer ' + key });
await ask('batch', '/decisions', { answers: [{ taskId: '${task}', decisionId: 'asks-1', ...yes }] }, {});
await ask('signal', path, { ...yes, delivery: 'signal' }, {});
await ask('session', '/session', { token: key }, {});
await ask('code', '/session', { code: 'a' }, {});
await ask('proxy', path, yes, { 'x-forwarded-for': '127.0.0.1', forwarded: 'for=127.0.0.1' });
console.log(JSON.stringify(tries));
`;

test(
  'an agent in a sandbox with a network cannot answer a question through the API',
  { timeout: 120_000 },
  async (context) => {
    await needsSandbox('auto', context);
    const cli = new Cli();
    const { url, requests } = await serveScript([calls(['shell', { command: 'node attack.mjs' }]), finishes()]);
    writeModels(cli.cwd, url);
    appendFileSync(join(cli.cwd, 'heddle.toml'), '[sandbox]\nmode = "auto"\nnetwork = true\n');
    expect((await cli.run('trust')).code).toBe(0);
    const { console: origin } = await cli.json<{ console: string }>('up', '--background');
    const id = 'answers-itself';
    writeFileSync(join(cli.cwd, 'attack.mjs'), attack(origin, cli.home, id));
    const subtasks = [
      { id: 'asks', description: 'Ask', executor: { kind: 'command', run: ['sh', '-c', 'exit 77'] } },
      { id: 'attacks', description: 'Attack', executor: { kind: 'agent' } },
    ];
    const plan = { goal: 'Answer itself', ladder: [{ tier: 'assigned' }, { person: true }], subtasks };
    writeFileSync(join(cli.cwd, 'plan.json'), JSON.stringify(plan));
    await cli.json('run', 'plan.json', '--id', id, '--detach');
    const look = (): Promise<StatusView> => cli.jsonHere<StatusView>('status', id);
    await until(
      'both subtasks wait or are done',
      async () => {
        const { decisions, subtasks: rows } = await look();
        const gate = decisions.find(({ subtask, kind }) => subtask === 'attacks' && kind === 'approval');
        // With the network of the machine a person is asked first, and a careless one says yes.
        if (gate !== undefined) await cli.jsonHere('decide', id, gate.id, 'approve');
        return (
          rows.find((row) => row.id === 'attacks')?.state === 'completed' &&
          decisions.some((each) => each.id === 'asks-1')
        );
      },
      90_000,
    );
    const prompts = requests.map(({ text }) => text).join('\n');
    const tries = JSON.parse((/\[\[.*?\]\]/.exec(prompts.replaceAll('\\"', '"')) ?? ['[]'])[0]) as [
      string,
      string | number,
    ][];
    expect(tries.map(([name]) => name)).toEqual([
      'key',
      'nobody',
      'guess',
      'key',
      'batch',
      'signal',
      'session',
      'code',
      'proxy',
    ]);
    const [[, key] = [], ...answers] = tries;
    expect(key).not.toBe('read');
    for (const [name, answer] of answers)
      expect([name, [401, 422, 'unreachable'].includes(answer)]).toEqual([name, true]);
    expect((await look()).decisions.map((each) => each.id)).toEqual(['asks-1']);
    // The same request by somebody who may is taken: the attack would have worked.
    const token = readFileSync(join(cli.home, 'run', 'console-key'), 'utf8').trim();
    const taken = await askServer(`${origin}/api/v1/tasks/${id}/decisions/asks-1`, 'POST', {
      as: null,
      body: { option: 'skip' },
      headers: { authorization: `Bearer ${token}` },
    });
    expect(taken.status).toBe(200);
    expect(existsSync(join(cli.cwd, 'attack.mjs'))).toBe(true);
  },
);
