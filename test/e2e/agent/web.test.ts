// A page of the web from the question about its host to the artifact that people read: config, gate, decision, fetch, command line.
import { appendFileSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import { main } from '../../../client/cli/main.ts';
import { createPorts } from '../../../workers/ports/create-ports.ts';
import { capture } from '../../client/cli/shared/support.ts';
import { decisionOpened, endOf, eventOf, useRig } from '../../support/rig.ts';
import { calls, finishes, serveScript, writeModels } from '../../support/scripted-models.ts';

const rig = useRig();

const page = '<title>Release</title><main><h1>Version 2</h1><p>It is faster.</p></main>';

test('a host is asked about once, its page is fetched once, and the command line shows what was kept', async () => {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.writeHead(200, { 'content-type': 'text/html' }).end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const url = `http://a.localhost:${port}/news`;
  const texts: string[] = [];
  const { url: models } = await serveScript((request) => {
    texts.push(request.text);
    if (!request.text.includes('lines 1-')) return calls(['web_fetch', { url }]);
    return finishes(`The source is ${/af_[0-9a-f]{12}/.exec(request.text)?.[0] ?? 'missing'}.`);
  });
  const workspace = rig.workspace();
  writeModels(workspace, models);
  appendFileSync(
    join(workspace, 'heddle.toml'),
    `\n[gates]\nask = ["web:*.localhost"]\n[web]\ninternal = ["a.localhost:${port}"]\n`,
  );
  const task = await rig.start({
    goal: 'Read the news',
    workspace,
    executor: 'agent',
    subtasks: [{ id: 'read', description: 'Read the page' }],
  });
  const { decision } = await eventOf(task, decisionOpened());
  expect(decision).toMatchObject({ kind: 'approval', action: { tool: 'web_fetch', arguments: { url } } });
  expect(requests).toEqual([]);
  await task.decide({ decisionId: decision.id, option: 'approve' });
  expect(await endOf(task)).toBe('completed');
  expect(requests).toEqual(['/news']);
  expect(texts.some((text) => text.includes('# Version 2'))).toBe(true);

  const env = {
    ...process.env,
    TEMPORAL_ADDRESS: rig.address,
    HEDDLE_HOME: dirname(rig.storeFolder),
    HEDDLE_TASK_QUEUE: rig.taskQueue,
  };
  const heddle = async (...argv: string[]): Promise<{ code: number; stdout: string; stderr: string }> => {
    const [stdout, stderr] = [capture(), capture()];
    const code = await main(argv, { ...createPorts(env, workspace), stdout, stderr });
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  };
  const listed = await heddle('artifacts', task.id, '--json');
  const [artifact, ...others] = JSON.parse(listed.stdout) as { id: string }[];
  expect([listed.code, others]).toEqual([0, []]);
  expect(artifact).toMatchObject({
    ...{ kind: 'HTML page', bytes: page.length, title: 'Release', subtask: 'read', source: { url, status: 200 } },
  });
  const id = artifact?.id ?? '';
  expect(await heddle('artifacts', task.id, id)).toMatchObject({ code: 0, stdout: page });
  expect((await heddle('artifacts', task.id, id, '-o', 'page.html')).code).toBe(0);
  expect(readFileSync(join(workspace, 'page.html'), 'utf8')).toBe(page);
  expect(await heddle('artifacts', task.id, 'af_none')).toMatchObject({ code: 4 });
  const report = JSON.parse((await heddle('report', task.id, '--json')).stdout) as { artifacts: unknown[] };
  expect(report.artifacts).toMatchObject([{ id, bytes: page.length, source: { url }, subtask: 'read' }]);
});
