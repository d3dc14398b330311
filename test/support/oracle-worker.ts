/* A worker of the user's own, as a process that a test can kill: its activity beats until the file `go` is in the workspace. */
import { Context } from '@temporalio/activity';
import { NativeConnection, Worker } from '@temporalio/worker';
import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const [address, taskQueue = 'oracle'] = process.argv.slice(2);

async function askTheOracle(input: { attempt: number; tier: number; workspace: string }): Promise<object> {
  appendFileSync(join(input.workspace, 'calls'), `${input.attempt} ${input.tier}\n`);
  while (!existsSync(join(input.workspace, 'go'))) {
    Context.current().heartbeat();
    await sleep(100);
  }
  return { status: 'success', notes: 'It is 42.' };
}

const connection = await NativeConnection.connect({ ...(address === undefined ? {} : { address }) });
const worker = await Worker.create({ connection, taskQueue, activities: { askTheOracle } });
await worker.run();
