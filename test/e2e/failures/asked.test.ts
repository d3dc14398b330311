// Failures that a person is asked about: at once, or when the retry policy of the rung is spent. One task plays all of them, each in a
// subtask of its own; the tests look at what became of it.
import { beforeAll, describe, expect, test } from 'vitest';
import { FileStore } from '../../../activities/store/file-store.ts';
import { eventsOf, type EventOf } from '../../support/events.ts';
import { decisionOpened, endOf, eventOf, linesOf, useRig } from '../../support/rig.ts';
import { witness } from '../../support/witness.ts';
import { once, nth, quickRetry, read, start, type Course } from './support.ts';

const rig = useRig();

describe('a failure that a person is asked about', () => {
  const spent = (tries: number) => [
    { tier: 'assigned' as const, retry: quickRetry(tries) },
    { tier: 'next' as const },
    { person: true },
  ];
  const limited = `echo "try ${nth}"; echo "API Error: 429 rate limited, request 8fk2x9" >&2; exit 1`;
  const refused = `echo 'API Error: 401 {"type":"error","error":{"type":"authentication_error"}}'; exit 1`;
  /** As it stands when all have asked, and as it ended. */
  let asked: Course;
  let ended: Course;
  const decisionOf = (subtask: string): EventOf<'decision.opened'>['decision'] => {
    const [opened] = eventsOf(asked.events, 'decision.opened', subtask);
    if (opened === undefined) throw new Error(`${subtask} does not ask`);
    return opened.decision;
  };

  beforeAll(async () => {
    const outside = rig.workspace();
    const begun = await start(rig, {
      permission: { sh: once('echo "no key for the shop" >&2; exit 77') },
      auth: { sh: once('echo "no key for the shop" >&2; exit 78') },
      link: { sh: `${witness}; ln -s ${outside} out; echo secret > out/file.txt`, deliverables: ['out/file.txt'] },
      overloaded: { sh: once('echo "try later" >&2; exit 75'), ladder: spent(3) },
      limited: { sh: once(limited), ladder: spent(2) },
      refused: { sh: once(refused) },
    });
    const { task } = begun;
    const asking = ['permission', 'auth', 'link', 'overloaded', 'limited', 'refused'];
    for (const id of asking) await eventOf(task, decisionOpened(`${id}-1`));
    asked = await read(begun);
    for (const id of ['permission', 'auth'])
      await task.decide({ decisionId: `${id}-1`, option: 'provide-credentials', value: 'in $SHOP_KEY' });
    for (const id of ['overloaded', 'limited']) await task.decide({ decisionId: `${id}-1`, option: 'retry' });
    for (const id of ['link', 'refused']) await task.decide({ decisionId: `${id}-1`, option: 'skip' });
    expect(await endOf(task)).toBe('completed');
    ended = await read(begun);
  });

  test.each([
    { exit: 77, type: 'permission' },
    { exit: 78, type: 'auth' },
  ])('exit $exit ($type) asks after one run and offers to name the credentials', ({ type }) => {
    expect(asked.attemptsOf(type)).toMatchObject([{ type, category: 'never-retry', outcome: 'failed' }]);
    expect(decisionOf(type).options.map(({ id }) => id)).toEqual([
      'retry',
      'fix',
      'provide-credentials',
      'skip',
      'abort',
    ]);
    expect(ended.runsOf(type)).toHaveLength(2);
    expect(ended.promptOf(type, 2)).toContain('The credentials are available now: in $SHOP_KEY');
    expect(ended.attemptsOf(type)[1]).toMatchObject({ rung: 1, strategy: 'guidance' });
  });

  test('a deliverable that leads outside the workspace through a link is a matter of safety', () => {
    expect(ended.runsOf('link')).toHaveLength(1);
    expect(asked.attemptsOf('link')).toMatchObject([{ type: 'safety', category: 'never-retry' }]);
  });

  test('transient trouble (exit 75) asks when the policy is spent, and does not climb', () => {
    expect(asked.attemptsOf('overloaded')).toMatchObject([
      { attempt: 1, type: 'overloaded', category: 'transient', rung: 1 },
    ]);
    expect(ended.runsOf('overloaded').map(({ attempt }) => attempt)).toEqual([1, 1, 1, 2]);
    expect(ended.attemptsOf('overloaded')[1]).toMatchObject({ attempt: 2, rung: 1 });
  });

  test('trouble that the words show asks in a plain sentence, with the true type and the last output', () => {
    const { problem, recommendation } = decisionOf('limited');
    expect(problem).toContain('limited depends on a service that is still limiting requests.');
    expect(recommendation).toBe('retry');
    const [record] = asked.attemptsOf('limited');
    expect(record).toMatchObject({
      attempt: 1,
      rung: 1,
      type: 'rate-limited',
      category: 'transient',
      rootCause: 'A service allows no more requests for now.',
      details: expect.stringContaining('API Error: 429') as string,
    });
    expect(record?.signature).toMatch(/^rate-limited-[0-9a-f]{16}$/);
    const output = new FileStore(rig.storeFolder).path({ sha256: record?.outputRef ?? '', bytes: 0 });
    expect(linesOf(output)).toContain('try 2');
    expect(ended.runsOf('limited').map(({ attempt }) => attempt)).toEqual([1, 1, 2]);
    expect(ended.attemptsOf('limited')[1]).toMatchObject({ attempt: 2, rung: 1 });
  });

  test('a refusal that the words show asks after exactly one run', () => {
    expect(ended.runsOf('refused')).toHaveLength(1);
    expect(decisionOf('refused').recommendation).toBe('provide-credentials');
    expect(asked.attemptsOf('refused')).toMatchObject([
      {
        type: 'auth',
        category: 'never-retry',
        rootCause: 'The program was refused by a service: the credentials are missing or wrong.',
      },
    ]);
  });
});

test('blocked in the completion contract asks at once with the reason, and says how much can go on', async () => {
  const { task } = await start(rig, {
    work: { sh: `echo '{"status":"blocked","notes":"the two requirements contradict each other"}'` },
    behind: { sh: 'echo done', dependsOn: ['work'] },
    other: { sh: 'sleep 0.2; echo done' },
  });
  const { decision } = await eventOf(task, decisionOpened());
  expect(decision.problem).toContain('the two requirements contradict each other');
  const [blocked] = eventsOf(await task.events(), 'subtask.blocked');
  expect(blocked?.independent).toBeLessThanOrEqual(1);
  expect(blocked).toMatchObject({ subtask: 'work', reason: 'the two requirements contradict each other' });
  expect((await task.attempts()).filter(({ subtask }) => subtask === 'work')).toHaveLength(1);
});
