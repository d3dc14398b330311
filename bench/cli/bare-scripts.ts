/** The least that a command could do: what its user would write with the libraries alone. */

export const loadsCommander = `import { program } from 'commander';
program.name('bare').version('0.0.0');
`;

const connected = (calls: string): string => `import { Client, Connection } from '@temporalio/client';
const [address, ...given] = process.argv.slice(2);
const connection = await Connection.connect({ address });
const client = new Client({ connection });
${calls}
await connection.close();
`;

export const bareStatus = connected(`
const handle = client.workflow.getHandle('task-' + given[0]);
const status = await handle.query('status');
const { status: { name } } = await handle.describe();
console.log(name, status.summary);
`);

export const bareList = connected(`
for await (const { workflowId, status } of client.workflow.list({ query: "WorkflowType = 'task'" }))
  console.log(workflowId, status.name);
`);

export const bareDecide = connected(`
const args = [{ decisionId: given[1], option: given[2] }];
console.log(await client.workflow.getHandle('task-' + given[0]).executeUpdate('decide', { args }));
`);

export const bareRun = connected(`
const workflowId = 'task-' + given[0];
const handle = await client.workflow.start('task', { workflowId, taskQueue: 'heddle', args: [JSON.parse(given[1])] });
console.log(workflowId);
await handle.result();
`);
