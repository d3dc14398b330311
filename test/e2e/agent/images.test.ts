// An image of the workspace in a whole task: shown to a model that sees, described to others, and nowhere but in the store.
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { activityLimits } from '../../../activities/limits/activity-limits.ts';
import { isEvent } from '../../support/events.ts';
import { pngOf, redPixel } from '../../support/images.ts';
import { decisionOpened, endOf, eventOf, useRig } from '../../support/rig.ts';
import { calls, finishes, serveScript, writeModels, type WireKind } from '../../support/scripted-models.ts';

const rig = useRig({ alone: true });
const subtasks = [{ id: 'look', description: 'Look at a.png' }];
const read: [string, unknown] = ['read_file', { path: 'a.png' }];
const base64 = redPixel.toString('base64');

test.each<{ kind: WireKind; model?: string; sees: boolean }>([
  { kind: 'anthropic', sees: true },
  { kind: 'openai-compatible', model: 'images = true', sees: true },
  { kind: 'openai-compatible', sees: false },
  { kind: 'anthropic', model: 'images = false', sees: false },
])('$kind $model', async ({ kind, model = '', sees }) => {
  const workspace = rig.workspace();
  writeFileSync(join(workspace, 'a.png'), redPixel);
  const { url, requests } = await serveScript([
    calls(read),
    calls(['ask_user', { question: 'Is it red?' }]),
    finishes('seen'),
  ]);
  writeModels(workspace, url, { kind, model });
  const task = await rig.start({ goal: 'Look', workspace, executor: 'agent', subtasks });
  const { decision } = await eventOf(task, decisionOpened());
  expect(JSON.stringify(requests[1]?.body).includes(base64)).toBe(sees);
  expect(requests[1]?.text).toContain('PNG image, 70 bytes, 1 x 1 pixels.');
  expect(requests[1]?.text.includes('You cannot see images.')).toBe(!sees);
  await task.decide({ decisionId: decision.id, option: 'answer', instruction: 'yes' });
  expect(await endOf(task)).toBe('completed');
  // The conversation goes on with it in another execution.
  expect(JSON.stringify(requests[2]?.body).includes(base64)).toBe(sees);

  const history = historyToJSON(await rig.temporal.workflow.getHandle(task.workflowId).fetchHistory());
  expect(history).not.toContain(base64);
  expect(history).not.toContain(redPixel.toString('hex'));
  const logs = globSync('running/**/*.jsonl', { cwd: dirname(rig.storeFolder) });
  expect(logs.length).toBeGreaterThan(0);
  const hash = createHash('sha256').update(redPixel).digest('hex');
  const lines = logs.map((path) => readFileSync(join(dirname(rig.storeFolder), path), 'utf8')).join('');
  expect(lines).not.toContain(base64);
  if (!sees) return;
  expect(lines).toContain(hash);
  const stored = globSync(`**/*${hash.slice(4)}*`, { cwd: rig.storeFolder });
  expect(stored).toHaveLength(1);
  // An object that the history of an open task names is never pruned: it leads to the image.
  const suspended = await eventOf(task, isEvent('attempt.suspended'));
  expect(suspended.why).toBe('question');
  const { checkpoint } = /"checkpoint":\{"sha256":"(?<checkpoint>[0-9a-f]{64})"/.exec(decoded(history))?.groups ?? {};
  expect(checkpoint).toBeDefined();
});

/** Payloads of a history are base64 themselves. */
const decoded = (history: string): string =>
  history.replaceAll(/"data": ?"([A-Za-z0-9+/=]+)"/g, (_, data: string) => Buffer.from(data, 'base64').toString());

test('no more images are shown than fit into one conversation; the rest are described', async () => {
  const workspace = rig.workspace();
  const size = activityLimits.tools.imageBytes;
  const most = Math.floor(activityLimits.agent.images / size);
  const names = Array.from({ length: most + 1 }, (_, n) => `${n}.png`);
  for (const [n, name] of names.entries())
    writeFileSync(join(workspace, name), Buffer.concat([pngOf(100 + n, 100), Buffer.alloc(size - redPixel.length)]));
  const { url, requests } = await serveScript([
    calls(...names.map((path): [string, unknown] => ['read_file', { path }])),
    finishes('seen'),
  ]);
  writeModels(workspace, url, { model: 'images = true' });
  const task = await rig.start({ goal: 'Look', workspace, executor: 'agent', subtasks });
  expect(await endOf(task)).toBe('completed');
  const text = requests[1]?.text ?? '';
  expect(text.split('data:image/png').length - 1).toBe(most);
  expect(text.split('as many images as fit').length - 1).toBe(1);
});
