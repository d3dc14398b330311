// Histories of earlier versions replay against the workflow code of this tree. A change that breaks one breaks the tasks that
// are open while it is deployed: use `patched`, or, before a release, record again with `node scripts/record-histories.ts`.
import { DeterminismViolationError } from '@temporalio/workflow';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { replayHistory } from '../support/replay-history.ts';
import { textsOf, type Json } from '../support/scrub-history.ts';

const folder = join(import.meta.dirname, '..', 'corpora', 'histories');
const names = readdirSync(folder).filter((name) => name.endsWith('.json'));

interface Recorded {
  events: { eventType: string; [attributes: string]: Json }[];
}

const read = (name: string): Recorded => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Recorded;
/** Files are named `<workflow id>-<run, newest first>.json`. */
const replay = (name: string, history: Recorded): Promise<void> =>
  replayHistory(name.replace(/-\d+\.json$/, ''), history);

describe('the corpus', () => {
  test('holds tasks that ended in every way, and one that was carried on', () => {
    const tasks = names.filter((name) => name.startsWith('task-'));
    const ends = new Set(tasks.map((name) => read(name).events.at(-1)?.eventType));
    expect([...ends].sort()).toEqual([
      'EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED',
      'EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED',
      'EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW',
      'EVENT_TYPE_WORKFLOW_EXECUTION_FAILED',
    ]);
  });

  test.each(names)('%s replays', async (name) => {
    await replay(name, read(name));
  });

  test.each(names)('%s tells nothing of the machine that recorded it', (name) => {
    const file = readFileSync(join(folder, name));
    expect(file.length).toBeLessThan(100_000);
    const texts = textsOf(JSON.parse(file.toString()) as Json).join('\n');
    expect(texts.match(/(?<![\w.-])\/(?:tmp|home|root|work|var|Users|private)\//g)).toBeNull();
    expect(texts.match(/\d+@(?!recorder\b)\S+/g)).toBeNull();
  });
});

describe('a history that the code does not fit', () => {
  const name = 'task-diamond-0.json';
  const isExecution = ({ eventType, activityTaskScheduledEventAttributes: scheduled }: Recorded['events'][number]) =>
    eventType === 'EVENT_TYPE_ACTIVITY_TASK_SCHEDULED' && JSON.stringify(scheduled).includes('executeSubtask');

  test('is red: an activity of another type', async () => {
    const { events } = read(name);
    const first = events.findIndex(isExecution);
    expect(first).toBeGreaterThan(0);
    const changed = JSON.parse(JSON.stringify(events[first]).replace('executeSubtask', 'inventSubtask')) as Json;
    const history = { events: events.with(first, changed as Recorded['events'][number]) };
    await expect(replay(name, history)).rejects.toBeInstanceOf(DeterminismViolationError);
  });

  test('is red: an activity that the code no longer starts', async () => {
    const { events } = read(name);
    const scheduled = events.filter(isExecution);
    const last = scheduled.at(-1);
    expect(last).toBeDefined();
    const changed = JSON.parse(JSON.stringify(last).replaceAll('-1-execute', '-2-execute')) as Json;
    const history = { events: events.map((event) => (event === last ? (changed as typeof event) : event)) };
    await expect(replay(name, history)).rejects.toBeInstanceOf(DeterminismViolationError);
  });
});
