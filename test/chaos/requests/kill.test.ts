// kill -9 of a worker whose model plans: behind an answer that nobody has heard of yet, and in the middle of a request. The next worker
// goes on in the same conversation; what was answered is not paid twice, and a request that was lost uses no try. So it is with a model that
// looks at failures, with one that looks for words for a question, and with a judge.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { HeddleClient, type PlanInput, type TaskHandle } from '../../../client/index.ts';
import type { ScriptReply } from '../../../activities/llm/scripted/script.ts';
import { until } from '../../support/cli.ts';
import { isEvent } from '../../support/events.ts';
import { endOf, eventOf, replay, shellPlan } from '../../support/rig.ts';
import { finishes, serveScript, writeModels, type ScriptedModels } from '../../support/scripted-models.ts';
import { vouched } from '../../support/vouched.ts';
import { startWorkerProcess, testFolder } from '../../support/worker-process.ts';

let connected: HeddleClient;
beforeAll(async () => {
  connected = await HeddleClient.connect({ address: inject('temporalAddress') });
});
afterAll(() => connected.close());

const isPlanner = ({ text }: { text: string }): boolean => text.includes('You plan the work of others');
const good: ScriptReply = {
  text: JSON.stringify({ subtasks: [{ id: 'inspect', description: 'Look at what is there', verify: ['test -d .'] }] }),
};

/** Says something else than a plan first. `hold`: whether the planner's request of this number is never answered. */
const serve = (hold: (nth: number) => boolean): Promise<ScriptedModels> => {
  let asked = 0;
  return serveScript(async (request) => {
    if (!isPlanner(request)) return finishes();
    asked += 1;
    if (hold(asked)) await new Promise(() => undefined);
    return request.text.includes('Let me think') ? good : { text: 'Let me think about it.' };
  });
};

/** The first request of the kind is never answered. */
const serveLater = (kind: string, text: string): Promise<ScriptedModels> => {
  let asked = 0;
  return serveScript(async (request) => {
    if (request.text.includes(kind)) asked += 1;
    if (asked === 1) await new Promise(() => undefined);
    return { text };
  });
};

const startProgram = (
  client: HeddleClient,
  id: string,
  workspace: string,
  { url }: ScriptedModels,
  sh: string,
  rest: Pick<PlanInput, 'ladder' | 'verification'>,
): Promise<TaskHandle> => {
  mkdirSync(workspace);
  writeModels(workspace, url, { model: 'output = 2000' });
  return client.start(vouched(shellPlan({ work: { sh } }, { workspace, ...rest })), { id });
};

const start = (client: HeddleClient, id: string, workspace: string, { url }: ScriptedModels): Promise<TaskHandle> => {
  mkdirSync(workspace);
  writeModels(workspace, url, { model: 'output = 2000' });
  return client.start(vouched({ goal: 'Look around', workspace, planning: { tries: 2, degraded: 'deny' } }), { id });
};

test('a model whose worker is killed is not asked twice for what it has answered', async () => {
  const folder = testFolder();
  const [home, mark] = [join(folder, 'home'), join(folder, 'held')];
  const queue = `planner-kill-${process.pid}`;
  const client = new HeddleClient(connected.temporal, { taskQueue: queue, workflowTaskTimeout: 3_000 });
  const env = { HEDDLE_TASK_QUEUE: queue, HEDDLE_HOST: 'kill', HEDDLE_HOME: home };
  const [answered, asking] = [`${queue}-answered`, `${queue}-asking`];
  const victim = await startWorkerProcess({
    ...env,
    NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, 'hold-claim.ts')).href}`,
    HEDDLE_TEST_HOLD: JSON.stringify({ task: answered, request: 2, mark }),
  });
  const behind = await serve(() => false);
  const within = await serve((nth) => nth === 2);
  const first = await start(client, answered, join(folder, 'one'), behind);
  const second = await start(client, asking, join(folder, 'two'), within);
  const why = await serveLater('You find out why', '{"cause": "The pump has no power.", "actions": ["Plug it in."]}');
  const words = await serveLater('You tell a person', 'The pump has no power, so nothing could be pumped.');
  const diagnosed = await startProgram(
    client,
    `${queue}-diagnosed`,
    join(folder, 'three'),
    why,
    '[ $HEDDLE_ATTEMPT = 2 ] && grep -q "Plug it in." && echo done',
    { ladder: [{ tier: 'assigned' }, { tier: 'highest' }] },
  );
  const asked = await startProgram(
    client,
    `${queue}-phrased`,
    join(folder, 'four'),
    words,
    'echo "no power" >&2; exit 1',
    { ladder: [{ tier: 'assigned' }, { person: true }] },
  );
  const verdict = await serveLater('You judge the work', '{"passed": true, "confidence": 0.9}');
  const judged = await startProgram(client, `${queue}-judged`, join(folder, 'five'), verdict, 'echo done', {
    verification: 2,
  });
  const others = [diagnosed, asked, judged];
  const late = [why, words, verdict];
  const plannersOf = ({ requests }: ScriptedModels): number => requests.filter(isPlanner).length;
  await until(
    'all stand still',
    () => existsSync(mark) && plannersOf(within) === 2 && late.every(({ requests }) => requests.length === 1),
  );
  await victim.end('SIGKILL');
  const next = await startWorkerProcess(env);
  expect([await endOf(first), await endOf(second)]).toEqual(['completed', 'completed']);
  expect(plannersOf(behind)).toBe(2);
  // The answer to the one in flight was lost with the worker.
  expect(plannersOf(within)).toBe(3);
  // One more for the agent; what was lost may have been paid.
  expect((await first.status()).budget).toMatchObject({ modelCalls: { used: 3 } });
  expect((await second.status()).budget).toMatchObject({ modelCalls: { used: 4 } });
  expect(await endOf(diagnosed)).toBe('completed');
  expect(await diagnosed.attempts()).toMatchObject([
    { outcome: 'failed' },
    { attempt: 2, outcome: 'passed', reruns: 0 },
  ]);
  await eventOf(asked, isEvent('decision.phrased'));
  await asked.decide({ decisionId: 'work-1', option: 'skip' });
  expect(await endOf(asked)).toBe('completed');
  expect(await endOf(judged)).toBe('completed');
  expect(await judged.attempts()).toMatchObject([{ attempt: 1, reruns: 0, judgement: { outcome: 'pass' } }]);
  // Once more, and no more.
  expect(late.map(({ requests }) => requests.length)).toEqual([2, 2, 2]);
  for (const task of others) expect((await task.status()).budget).toMatchObject({ modelCalls: { used: 2 } });
  for (const { workflowId } of [first, second, ...others]) await replay(connected.temporal, workflowId);
  await next.end('SIGTERM');
});
