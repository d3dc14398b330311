// `heddle inbox` beside a task that answers nothing, and on a server with no worker at all.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Cli } from '../../support/cli.ts';
import { temporalOf } from './local-server.ts';

test('one task that does not answer is named on stderr and hides no question of the others', async () => {
  const cli = new Cli();
  const ask = { id: 'ask', executor: { kind: 'command', run: ['sh', '-c', 'exit 77'] } };
  writeFileSync(join(cli.cwd, 'plan.json'), JSON.stringify({ goal: 'ask me', subtasks: [ask] }));
  expect((await cli.run('run', 'plan.json', '--id', 'asks', '--exit-on-decision')).code).toBe(3);
  const { client } = await temporalOf(cli);
  // Nobody polls its queue, so that no question to it is ever answered.
  await client.workflow.start('task', { workflowId: 'task-silent', taskQueue: 'nobody', args: [{}] });
  await expect
    .poll(async () => (await cli.json<{ id: string }[]>('list')).map(({ id }) => id).sort(), { timeout: 20_000 })
    .toEqual(['asks', 'silent']);

  const json = await cli.run('inbox', '--json');
  expect(json.code).toBe(0);
  expect(JSON.parse(json.stdout)).toMatchObject([{ taskId: 'asks', id: 'ask-1', kind: 'escalation' }]);
  expect(JSON.parse(json.stderr)).toMatchObject({
    warning: { message: expect.stringContaining('The task silent is not responding') as string },
  });
  const plain = await cli.run('inbox');
  expect(plain.code).toBe(0);
  expect(plain.stdout).toContain('heddle decide asks ask-1');
  expect(plain.stdout).not.toContain('silent');
  expect(plain.stderr).toMatch(/^warning: The task silent is not responding/);
  await client.workflow.getHandle('task-silent').terminate();
  expect((await cli.run('inbox', '--json')).stderr).toBe('');
}, 180_000);
