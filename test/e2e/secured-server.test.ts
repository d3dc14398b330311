// A server behind TLS and an API key, in a namespace of its own, given by a profile file of Temporal: worker and commands reach it.
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { registerSearchAttributes } from '../../workers/server/register-search-attributes.ts';
import { Cli, until } from '../support/cli.ts';
import { selfSigned } from '../support/gateways/self-signed.ts';
import { startGateway } from '../support/gateways/tls-gateway.ts';
import { startWorkerProcess, testFolder } from '../support/worker-process.ts';

async function makeNamespace(namespace: string): Promise<void> {
  const connection = await Connection.connect({ address: inject('temporalAddress') });
  await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: msToTs('1 day') });
  await until('the namespace is known', () =>
    registerSearchAttributes(connection, namespace).then(
      () => true,
      () => false,
    ),
  );
  await connection.close();
}

test('a task runs through TLS with a key, in the namespace of the profile', async () => {
  const folder = testFolder();
  const namespace = `secured-${randomUUID()}`;
  await makeNamespace(namespace);
  const tls = selfSigned();
  const gateway = await startGateway(inject('temporalAddress'), tls);
  const [ca, profile, workspace] = ['ca.pem', 'temporal.toml', 'workspace'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(workspace);
  writeFileSync(ca, tls.cert);
  writeFileSync(
    profile,
    `[profile.default]
address = "${gateway.address}"
namespace = "${namespace}"
api_key = "a key of a test"

[profile.default.tls]
server_ca_cert_path = "${ca}"
`,
  );
  const env = { TEMPORAL_ADDRESS: '', TEMPORAL_CONFIG_FILE: profile, HEDDLE_TASK_QUEUE: 'secured' };
  await startWorkerProcess({ ...env, HEDDLE_HOST: 'secured', HEDDLE_HOME: join(folder, 'home') });
  const cli = new Cli(env);
  const subtasks = [{ id: 'a', description: 'a', executor: { kind: 'command', run: ['echo', 'done'] } }];
  writeFileSync(join(cli.cwd, 'plan.json'), JSON.stringify({ goal: 'be safe', workspace, subtasks }));
  let { code, stderr } = await cli.run('run', 'plan.json', '--id', 'secured');
  // On a busy machine the server may hear of the worker a little later; nothing was started then.
  for (let tries = 1; code === 5 && tries < 5; tries += 1)
    ({ code, stderr } = await cli.run('run', 'plan.json', '--id', 'secured'));
  expect([code, stderr]).toEqual([0, '']);
  expect(await cli.jsonHere('list')).toMatchObject([{ id: 'secured', state: 'completed' }]);
  expect([...gateway.keys]).toEqual(['Bearer a key of a test']);
  const { checks } = await cli.jsonHere<{ checks: { found: string }[] }>('doctor');
  expect(checks.map(({ found }) => found).join('\n')).toContain(`namespace ${namespace}`);
}, 120_000);

test('a server whose certificate nobody vouches for is not trusted', async () => {
  const gateway = await startGateway(inject('temporalAddress'), selfSigned());
  const cli = new Cli({ TEMPORAL_ADDRESS: gateway.address, TEMPORAL_TLS: 'true' });
  const { code, stderr } = await cli.here('list', '--json');
  expect(code).toBe(5);
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'TEMPORAL_UNREACHABLE' } });
  expect(gateway.keys.size).toBe(0);
}, 60_000);
