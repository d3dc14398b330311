// News that an agent asks its task for before each model call: an answer as the workflow gives it, or nothing, soon, and logged once.
import { Context } from '@temporalio/activity';
import { Client, Connection } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { describe, expect, test } from 'vitest';
import { askTaskFrom, type AskTask } from '../../../activities/temporal/ask-task.ts';
import { activityLimits } from '../../../activities/limits/activity-limits.ts';

const nothing = { paused: false, steering: [] };
const going = new AbortController().signal;
/** The answer of a silent server. */
const never = new Promise<never>(() => undefined);

/** Inside an activity with this client; and what was logged. */
async function inActivity<T>(
  client: Client | undefined,
  work: (ask: AskTask) => Promise<T>,
): Promise<{ result: T; warnings: string[] }> {
  const warnings: string[] = [];
  const logger = { warn: (message: string) => void warnings.push(message) };
  const environment = new MockActivityEnvironment(
    { workflowExecution: { workflowId: 'task-1', runId: 'run-1' } },
    client === undefined ? {} : { client },
  );
  const inside = (): Promise<T> => work(askTaskFrom(Context.current(), { subtask: 'walk', logger }));
  return { result: await environment.run(inside), warnings };
}

/** A client whose workflows answer this to every query. */
function answering(answer: unknown, asked: unknown[] = []): Client {
  return new Client({
    interceptors: {
      workflow: [
        {
          query: ({ workflowExecution, queryType, args }) => {
            asked.push([workflowExecution.workflowId, workflowExecution.runId, queryType, ...args]);
            return Promise.resolve(answer);
          },
        },
      ],
    },
    connection: Connection.lazy({ address: '127.0.0.1:1' }),
  });
}

describe('a task', () => {
  test('is asked for what is new since the last instruction that is known', async () => {
    const asked: unknown[] = [];
    const news = { paused: true, steering: [{ id: 4, text: 'mind the gap' }] };
    const { result, warnings } = await inActivity(answering(news, asked), (ask) => ask(3, going));
    expect(result).toEqual(news);
    expect(asked).toEqual([['task-1', 'run-1', 'steering', { subtask: 'walk', since: 3 }]]);
    expect(warnings).toEqual([]);
  });

  test.each([
    ['another program', { paused: 'yes' }],
    ['a program that leaves out numbers', { paused: false, steering: [{ text: 'x' }] }],
    ['nobody', undefined],
  ])('that answers as %s has nothing new to tell, which is said once', async (_, answer) => {
    const { result, warnings } = await inActivity(answering(answer), async (ask) => [
      await ask(0, going),
      await ask(0, going),
    ]);
    expect(result).toEqual([nothing, nothing]);
    expect(warnings).toHaveLength(1);
  });

  test('that cannot be asked at all has nothing new to tell', async () => {
    const { result, warnings } = await inActivity(undefined, (ask) => ask(0, going));
    expect(result).toEqual(nothing);
    expect(warnings).toHaveLength(1);
  });

  test('whose server is silent does not hold one who is stopped', async () => {
    const { result: took, warnings } = await inActivity(answering(never), async (ask) => {
      const began = performance.now();
      const stop = new AbortController();
      setTimeout(() => stop.abort('cancelled'), 50);
      expect(await ask(0, stop.signal)).toEqual(nothing);
      return performance.now() - began;
    });
    expect(took).toBeLessThan(activityLimits.agent.news.patient / 2);
    expect(warnings).toEqual([]);
  });
});
