// The output of attempts, and the replies that models are giving, followed piece by piece.
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { TaskHandle } from '../../../client/index.ts';
import { cutIncomplete } from '../../../client/logs/cut-incomplete.ts';
import { followOutput, type OutputNews } from '../../../client/logs/follow-output.ts';
import { createPorts } from '../../../workers/ports/create-ports.ts';
import { endOf, eventOf, shellPlan, useRig } from '../../support/rig.ts';
import { writeModels } from '../../support/scripted-models.ts';
import { serveSlowly } from '../../support/models/slow-reply.ts';

const rig = useRig();
const files = () => createPorts({ ...process.env, HEDDLE_HOME: dirname(rig.storeFolder) });

async function follow(task: TaskHandle, from = 0) {
  await eventOf(task, ({ type }) => type === 'attempt.started');
  const [record] = await task.attempts();
  if (record === undefined) throw new Error('nothing runs');
  return followOutput({ files: files(), handle: task, record, from, signal: new AbortController().signal });
}

const textOf = (news: readonly OutputNews[]): string =>
  news.map((each) => (each.kind === 'text' ? each.text : '')).join('');

async function collect(news: AsyncIterable<OutputNews>, onNews?: (all: OutputNews[]) => void): Promise<OutputNews[]> {
  const all: OutputNews[] = [];
  for await (const each of news) {
    all.push(each);
    onNews?.(all);
  }
  return all;
}

test('the output of a program comes while it runs, numbered by its bytes, and continues from any of them', async () => {
  const workspace = rig.workspace();
  const go = join(workspace, 'go');
  const task = await rig.start(
    shellPlan({ work: { sh: `echo first; until [ -e ${go} ]; do sleep 0.05; done; echo zwölf` } }, { workspace }),
  );
  const all = await collect(await follow(task), (news) => {
    if (textOf(news) === 'first\n') writeFileSync(go, '');
  });
  expect(textOf(all)).toBe('first\nzwölf\n');
  expect(all.at(-1)).toMatchObject({ kind: 'text', offset: 'first\nzwölf\n'.length + 1 });
  expect(await endOf(task)).toBe('completed');
  expect(await collect(await follow(task, 6))).toEqual([{ kind: 'text', offset: 13, text: 'zwölf\n' }]);
  expect(await collect(await follow(task, 13))).toEqual([]);
});

test('the words of an agent come line by line while its model replies, without secrets, and the draft ends with the turn', async () => {
  const workspace = rig.workspace();
  const secret = 'sk-live-9f8e7d6c5b4a3f2e1d0c9b8a';
  const { url, release } = await serveSlowly(`I look at it.\nThe key is ${secret}.\nThis line is not`);
  writeModels(workspace, url);
  const task = await rig.start({
    ...{ goal: 'Look', workspace, executor: 'agent' },
    subtasks: [{ id: 'look', description: 'Look', executor: { kind: 'agent' } }],
  });
  const all = await collect(await follow(task), (news) => {
    if (news.some((each) => each.kind === 'draft')) release();
  });
  expect(await endOf(task)).toBe('completed');
  const drafts = all.flatMap((each) => (each.kind === 'draft' ? [each.text] : []));
  expect(drafts.at(-1)).toBeNull();
  expect(drafts.slice(0, -1).join('')).toContain('I look at it.\n');
  expect(drafts.slice(0, -1).join('')).toContain('The key is [api-key].');
  expect(drafts.slice(0, -1).join('')).not.toContain('This line is not');
  // The turn itself is in the output.
  expect(textOf(all)).toContain('I look at it.');
});

test.each([
  ['ab', 2],
  ['aö', 3],
  ['aö', 2],
  ['a€', 3],
  ['a€', 2],
  ['a😀', 4],
  ['a😀', 5],
])('%j, cut at byte %i, is parted before a character that is not whole', (given, at) => {
  const [whole, rest] = cutIncomplete(Buffer.from(given).subarray(0, at));
  expect(whole.toString()).toBe(at === Buffer.byteLength(given) ? given : 'a');
  expect(Buffer.concat([whole, rest])).toEqual(Buffer.from(given).subarray(0, at));
});
