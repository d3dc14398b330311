// What each kind of failure leads to besides a question: absorbed by the rung's retry policy, waited out, or fed back. Two tasks play all
// of them, each in a subtask of its own; the tests look at what became of it.
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { eventsOf, type EventOf } from '../../support/events.ts';
import { endOf, linesOf, useRig } from '../../support/rig.ts';
import { failsWith, witness } from '../../support/witness.ts';
import { once, nth, quickRetry, read, start, type Course } from './support.ts';

const rig = useRig();
const sleepsTwice = `${witness}; [ $HEDDLE_ATTEMPT -gt 2 ] || sleep 30; echo done`;

describe('a failure that passes', () => {
  const failed = `echo '{"status":"failed","notes":"the tests do not compile","costUsd":0.25,"tokens":7}'; exit 0`;
  const partial = `echo '{"status":"partial","notes":"two of three chapters"}'; exit 0`;
  const tooMany = 'echo "HTTP/1.1 429 Too Many Requests" >&2; echo "Retry-After: 1" >&2; exit 1';
  // The policy alone would wait a minute: only the header makes it soon.
  const retry = { initialInterval: '1m', backoff: 1, maximumInterval: '1m', maximumAttempts: 10 };
  const numbered = `${witness}; [ $HEDDLE_ATTEMPT -gt 2 ] && { echo done; exit; }; echo "line 4$HEDDLE_ATTEMPT of /tmp/x$HEDDLE_ATTEMPT.c broke" >&2; exit 1`;
  const notes = `${witness}; printf '# Changes\\n\\nall\\n' > NOTES.md; [ $HEDDLE_ATTEMPT = 1 ] || printf '# Upgrade\\n\\nnone\\n' >> NOTES.md`;
  /** With rules of its own for timeouts, and without. */
  let course: Course;
  let plain: Course;
  /** Of one subtask that does nothing at first. */
  let mute: Course;
  const failuresOf = ({ events }: Course, subtask: string): EventOf<'attempt.failed'>[] =>
    eventsOf(events, 'attempt.failed', subtask);

  beforeAll(async () => {
    const begun = await Promise.all([
      start(
        rig,
        {
          absorbed: {
            sh: `${witness}; [ ${nth} -gt 3 ] || exit 75; echo done`,
            ladder: [{ tier: 'assigned', retry: quickRetry(10) }],
          },
          limited: {
            sh: `${witness}; date +%s%3N >> times.log; [ ${nth} -gt 3 ] || { ${tooMany}; }; echo done`,
            ladder: [{ tier: 'assigned', retry }],
          },
          mentions: {
            sh: once('echo "not ok 1 - handles 401 Unauthorized and 429 Too Many Requests" >&2; exit 1'),
          },
          overridden: { sh: sleepsTwice, timeout: '500ms', recovery: { timeout: { emphasis: 'Use the cache.' } } },
          contract: { sh: once(failed) },
          strict: { sh: once(partial) },
          lenient: { sh: once(partial), allowPartial: true },
          behind: { sh: `${witness}; echo done`, dependsOn: ['lenient'] },
          numbered: { sh: numbered },
          pump: { sh: failsWith('pump') },
          valve: { sh: failsWith('valve') },
        },
        { recovery: { timeout: { wait: '100ms', timeoutFactor: 3 } } },
      ),
      start(rig, {
        slow: { sh: sleepsTwice, timeout: '1s' },
        exit124: { sh: once('exit 124') },
        sections: { sh: notes, deliverables: ['NOTES.md'], requiredSections: ['Changes', 'Upgrade'] },
        verified: {
          sh: `${witness}; echo $HEDDLE_ATTEMPT > count.txt`,
          deliverables: ['count.txt'],
          verify: ['grep -q 2 count.txt || { echo "expected two, found $(cat count.txt)" >&2; exit 3; }'],
        },
      }),
      // Alone in its workspace: what others write there could be its own.
      start(rig, {
        silent: { sh: '[ $HEDDLE_ATTEMPT = 1 ] && exit 0; cat > prompt-silent-2.txt; echo done' },
      }),
    ]);
    for (const { task } of begun) expect(await endOf(task)).toBe('completed');
    [course, plain, mute] = [await read(begun[0]), await read(begun[1]), await read(begun[2])];
  });

  test('transient trouble (exit 75) is absorbed by the retry policy of the rung: one attempt, the same key each time', () => {
    expect(course.runsOf('absorbed')).toEqual(
      Array.from({ length: 4 }, () => ({
        subtask: 'absorbed',
        attempt: 1,
        tier: 1,
        thinking: false,
        key: `${course.task.id}/absorbed/1`,
      })),
    );
    expect(course.attemptsOf('absorbed')).toMatchObject([{ attempt: 1, outcome: 'passed', reruns: 0 }]);
    expect(eventsOf(course.events, 'attempt.rerun')).toEqual([]);
  });

  test('a 429 with Retry-After three times and then success is one attempt; the waits are as asked for', () => {
    expect(course.runsOf('limited').map(({ attempt, key }) => `${attempt} ${key}`)).toEqual(
      Array.from({ length: 4 }, () => `1 ${course.task.id}/limited/1`),
    );
    const times = linesOf(join(course.workspace, 'times.log')).map(Number);
    for (const [index, time] of times.slice(1).entries()) {
      expect(time - (times[index] ?? 0)).toBeGreaterThanOrEqual(950);
    }
    expect(course.attemptsOf('limited')).toMatchObject([{ attempt: 1, outcome: 'passed', reruns: 0, type: null }]);
  });

  test('a program whose tests mention refusals only climbs', () => {
    expect(course.attemptsOf('mentions')).toMatchObject([
      { type: 'tool-failed', rung: 1 },
      { outcome: 'passed', rung: 2 },
    ]);
  });

  test('recovery overrides change the wait, the time limit and the words for the next attempt', () => {
    const records = course.attemptsOf('overridden');
    expect(records.map(({ summary }) => summary).slice(0, 2)).toEqual([
      'It did not finish within 0.5 s.',
      'It did not finish within 1.5 s.',
    ]);
    expect(failuresOf(course, 'overridden')[0]?.text).toContain('in 0.1 s');
    expect(course.promptOf('overridden', 2)).toContain('<suggested_fix>Use the cache.</suggested_fix>');
  });

  test('a time limit is a timeout, and the next one is half as long again; exit 124 is one too', () => {
    const records = plain.attemptsOf('slow');
    expect(records.map(({ type, rung }) => `${type ?? 'passed'} ${rung}`)).toEqual([
      'timeout 1',
      'timeout 2',
      'passed 3',
    ]);
    expect(records[0]?.summary).toBe('It did not finish within 1 s.');
    expect(records[1]?.summary).toBe('It did not finish within 1.5 s.');
    expect(records[0]?.signature).toBe(records[1]?.signature);
    expect(failuresOf(plain, 'slow')[0]?.text).toContain('in 1.5 s');
    expect(plain.promptOf('slow', 2)).toContain('in smaller steps');
    expect(plain.attemptsOf('exit124')).toMatchObject([{ type: 'timeout' }, { outcome: 'passed' }]);
  });

  test('failed in the completion contract is a failed attempt although the program exits with 0', () => {
    expect(course.attemptsOf('contract')[0]).toMatchObject({
      outcome: 'failed',
      summary: 'the tests do not compile',
      costUsd: 0.25,
      tokens: 7,
    });
    expect(course.promptOf('contract', 2)).toContain('<error_summary>the tests do not compile</error_summary>');
    expect(course.status.budget).toMatchObject({ costUsd: { used: 0.25 }, tokens: { used: 7 } });
  });

  test('partial is a quality failure, unless the subtask allows it', () => {
    expect(course.attemptsOf('strict')).toMatchObject([
      { outcome: 'failed', category: 'quality', verdict: 'fail' },
      { outcome: 'passed', verdict: 'unchecked' },
    ]);
    expect(course.promptOf('strict', 2)).toContain('two of three chapters');
    expect(course.attemptsOf('lenient')).toMatchObject([{ verdict: 'unchecked' }]);
    expect(course.status.subtasks.find(({ id }) => id === 'lenient')).toMatchObject({
      state: 'completed',
      verdict: 'unchecked',
      partial: true,
    });
    expect(course.promptOf('behind')).toContain('<dependency id="lenient" status="partial">');
  });

  test('missing sections are named in the next prompt', () => {
    expect(plain.attemptsOf('sections')[0]).toMatchObject({
      type: 'missing-sections',
      verdict: 'fail',
      filesAffected: expect.arrayContaining([{ path: 'NOTES.md', state: 'created', lines: 3 }]) as unknown,
    });
    const prompt = plain.promptOf('sections', 2);
    expect(prompt).toContain('<type>missing-sections</type>');
    expect(prompt).toMatch(/<error_summary>.*Upgrade.*<\/error_summary>/);
    expect(prompt).toContain('NOTES.md (created, 3 lines)');
    expect(prompt).toMatch(/<suggested_fix>.*: Upgrade\.<\/suggested_fix>/);
  });

  test('what a verify command printed reaches the next prompt, and the records keep its exit code', () => {
    expect(plain.promptOf('verified', 2)).toContain('expected two, found 1');
    const records = plain.attemptsOf('verified');
    expect(records.map(({ verify }) => verify[0]?.exit)).toEqual([3, 0]);
    expect(records[0]?.verify[0]?.summary).toContain('expected two, found 1');
    expect(records[0]?.type).toBe('verification-failed');
    expect(linesOf(join(plain.workspace, 'count.txt'))).toEqual(['2']);
  });

  test('nothing printed and nothing changed where output was the result is a failure with a short wait', () => {
    expect(mute.attemptsOf('silent')[0]).toMatchObject({ type: 'empty-output' });
    expect(mute.promptOf('silent', 2)).toContain(
      '<suggested_fix>Print the result on standard output; the previous attempt printed nothing. Make it smaller',
    );
    expect(failuresOf(mute, 'silent')[0]?.text).toContain('in 1.2 s');
  });

  test('the same failure with other numbers in it has the same signature', () => {
    const [first, second] = course.attemptsOf('numbered');
    expect(first?.signature).toBe(second?.signature);
    expect(plain.report.failuresByType).toEqual({
      timeout: 3,
      'missing-sections': 1,
      'verification-failed': 1,
    });
  });

  test('a failure of one subtask is never told to another', () => {
    expect(course.promptOf('pump', 2)).not.toContain('valve');
    expect(course.promptOf('valve', 2)).not.toContain('pump');
  });
});
