import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Execution } from '../../../domain/failure/execution.ts';
import { classifyVerdict } from '../../../domain/failure/classify-verdict.ts';
import type { Issue, Verdict } from '../../../domain/types/attempt.ts';
import {
  activityFailed,
  cancelledMeanwhile,
  classify,
  crashedTooOften,
  buildMachineFailure,
  rejectedByPerson,
  transientSpent,
  type FailureFacts,
} from '../../../domain/failure/classify.ts';
import type { Failure } from '../../../domain/types/basic/failure.ts';
import { failureTypes, type FailureCategory, type FailureType } from '../../../domain/types/basic/failure-types.ts';
import { limits } from '../../../domain/limits/domain-limits.ts';
import { growth, linear, traps } from '../attempt/support-linear.ts';
import { messages } from './support-messages.ts';
import { executionOf } from './support-facts.ts';

/* The classification of failures, from structured facts first and text last. */

const classified = (execution: Partial<Execution>): Failure =>
  classify({ execution: executionOf(execution), timeout: 30_000 });

const judged = (verdict: Partial<Verdict>): Failure => classifyVerdict({ issues: [], commands: [], ...verdict });

const issue = (code: Issue['code'], given: Partial<Issue> = {}): Issue => ({
  code,
  severity: 'hard',
  message: `${code} was found.`,
  ...given,
});

describe('the facts of an execution', () => {
  const rows: [what: string, given: Partial<Execution>, type: FailureType, category: FailureCategory][] = [
    ['our time limit', { end: 'timeout', exitCode: null, signal: 'SIGKILL' }, 'timeout', 'quality'],
    ['exit code 124', { exitCode: 124 }, 'timeout', 'quality'],
    ['exit code 77', { exitCode: 77, stderrTail: 'no space left on device' }, 'permission', 'never-retry'],
    ['exit code 78', { exitCode: 78 }, 'auth', 'never-retry'],
    ['a crash in a plan that asks first', { end: 'crashed', exitCode: null }, 'blocked', 'blocked'],
    ['a program that is not there', { end: 'not-started', exitCode: 127 }, 'context-missing', 'never-retry'],
    [
      'a start without memory',
      { end: 'not-started', exitCode: null, stderrTail: 'spawn ENOMEM' },
      'environment',
      'environment',
    ],
    ['a contract that says blocked', { exitCode: 0, contract: { status: 'blocked' } }, 'blocked', 'blocked'],
    ['a contract that says failed', { exitCode: 0, contract: { status: 'failed' } }, 'tool-failed', 'quality'],
    ['a signal', { exitCode: null, signal: 'SIGSEGV' }, 'tool-failed', 'quality'],
    ['an exit code without words', { exitCode: 3 }, 'tool-failed', 'quality'],
    ['words that fit no rule', { exitCode: 1, stderrTail: 'AssertionError: 1 !== 2' }, 'tool-failed', 'quality'],
    ['nothing at all', { exitCode: null }, 'unknown', 'quality'],
  ];
  test.each(rows)('decide about %s', (_, given, type, category) => {
    expect(classified(given)).toMatchObject({ type, category });
  });
});

describe('the text of a program', () => {
  const rows: [text: string, type: FailureType][] = [
    ['write failed: ENOSPC', 'environment'],
    ["Error: ENOSPC: no space left on device, write 'x'", 'environment'],
    ['OSError: [Errno 28] No space left on device', 'environment'],
    ['fork: Cannot allocate memory', 'environment'],
    ['EMFILE: too many open files', 'environment'],
    ['getaddrinfo ENOTFOUND registry.example', 'environment'],
    ['getaddrinfo EAI_AGAIN registry.example', 'environment'],
    ['Temporary failure in name resolution', 'environment'],
    ['curl: (6) Could not resolve host: example.com', 'environment'],
    ["curl: (7) Failed to connect to localhost port 1: Couldn't connect to server", 'environment'],
    ['connect ECONNREFUSED 127.0.0.1:5432', 'environment'],
    ['connect ETIMEDOUT 10.0.0.1:443', 'environment'],
    ['connect EHOSTUNREACH 10.0.0.1:443', 'environment'],
    ['ssh: connect to host x port 22: Connection refused', 'environment'],
    ['E: Could not get lock /var/lib/dpkg/lock-frontend', 'environment'],
    ["fatal: Unable to create '/w/.git/index.lock': File exists.", 'environment'],
    ['Error: 401 Unauthorized', 'auth'],
    ['fatal: Authentication failed for https://example.com/x', 'auth'],
    ['{"type":"authentication_error","message":"invalid x-api-key"}', 'auth'],
    ['Error: Invalid API key', 'auth'],
    ['error: missing credentials', 'auth'],
    ['The API key is not set', 'auth'],
    ['git@example.com: Permission denied (publickey).', 'auth'],
    ['Error: not logged in', 'auth'],
    ["Error: EACCES: permission denied, open 'x'", 'permission'],
    ['sh: ./run.sh: Permission denied', 'permission'],
    ['HTTP 403 Forbidden', 'permission'],
    ['chown: Operation not permitted', 'permission'],
    ['402 Payment Required', 'subscription'],
    ['Error: your subscription has expired', 'subscription'],
    ['invalid subscription', 'subscription'],
    ['it says ENOSPCX and RECONNREFUSED_', 'tool-failed'],
    ['the word unauthorized in a sentence', 'tool-failed'],
    ['subscription to the event failed', 'tool-failed'],
  ];
  test.each(rows)('decides about %j', (text, type) => {
    expect(classified({ stderrTail: `some log\n${text}\n` }).type).toBe(type);
    expect(classified({ stdoutTail: text }).type).toBe(type);
  });

  test('is read from the notes of a contract too', () => {
    const notes = 'connect ECONNREFUSED 127.0.0.1:1';
    expect(classified({ exitCode: 0, stderrTail: 'log', contract: { status: 'failed', notes } })).toMatchObject({
      type: 'environment',
      summary: notes,
    });
    expect(classified({ exitCode: 0, contract: { status: 'failed', notes: '401 Unauthorized' } }).type).toBe('auth');
  });

  test('is a refusal only at the end, while a warning further up is not the cause', () => {
    const refused = 'find: /root: Permission denied';
    const after = (...lines: string[]) => classified({ stderrTail: [refused, ...lines].join('\n') }).type;
    expect(after('b', 'it broke')).toBe('permission');
    expect(after('a', 'b', 'it broke')).toBe('tool-failed');
    expect(after('AssertionError: 1 !== 2')).toBe('tool-failed');
  });

  test('is found above the stack and the tail that Node prints', () => {
    const stderrTail = [
      "Error: EACCES: permission denied, open '/root/x'",
      '    at Object.readFileSync (node:fs:441:20)',
      '    at Object.<anonymous> (/tmp/x.js:1:4)',
      '    at node:internal/main/run_main_module:36:49 {',
      '  errno: -13,',
      "  code: 'EACCES',",
      "  syscall: 'open',",
      "  path: '/root/x'",
      '}',
      '',
      'Node.js v24.1.0',
    ].join('\n');
    expect(classified({ stderrTail })).toMatchObject({
      type: 'permission',
      summary: "Error: EACCES: permission denied, open '/root/x' (it exited with code 1)",
    });
  });

  test('loses its colours', () => {
    const { summary, details } = classified({ stderrTail: '\u001b[1;31merror\u001b[0m: it broke' });
    expect(summary).toBe('error: it broke (it exited with code 1)');
    expect(details).toBe('error: it broke');
  });

  test('on stderr comes before that on stdout', () => {
    expect(classified({ stdoutTail: 'all is well', stderrTail: 'it broke' }).summary).toContain('it broke');
    expect(classified({ stdoutTail: 'only this' }).summary).toContain('only this');
  });

  test('is not trusted when the exit code says the contrary', () => {
    const { type, summary } = classified({ exitCode: 1, contract: { status: 'success', notes: 'all good' } });
    expect(type).toBe('tool-failed');
    expect(summary).not.toContain('all good');
  });
});

describe('a verdict', () => {
  const rows: [codes: Issue['code'][], type: FailureType, category: FailureCategory][] = [
    [['deliverable-outside', 'missing-sections'], 'safety', 'never-retry'],
    [['missing-sections', 'verify-command-failed'], 'missing-sections', 'quality'],
    [['diff-invalid'], 'diff-invalid', 'quality'],
    [['empty-output'], 'empty-output', 'quality'],
    [['syntax-invalid', 'deliverable-missing'], 'format-invalid', 'quality'],
    [['deliverable-missing'], 'verification-failed', 'quality'],
    [['verify-command-failed'], 'verification-failed', 'quality'],
    [['verify-command-timeout'], 'verification-failed', 'quality'],
    [['partial'], 'verification-failed', 'quality'],
    [['contract-mismatch', 'rule-violated'], 'verification-failed', 'quality'],
  ];
  test.each(rows)('with %j', (codes, type, category) => {
    const failure = judged({ issues: codes.map((code) => issue(code)) });
    expect(failure).toMatchObject({ type, category });
    for (const code of codes) expect(failure.details).toContain(code);
  });

  test('names every hard issue for the next attempt', () => {
    const failure = judged({
      issues: [
        issue('missing-sections', { message: 'Two sections are missing.', details: 'Changes, Upgrade' }),
        issue('rule-violated', { severity: 'advisory', message: 'a hint' }),
      ],
    });
    expect(failure.details).toBe('Two sections are missing.\nChanges, Upgrade');
    expect(failure.suggestedFix).toContain('section');
  });

  test('of failing commands is an environment failure when their whole output says so, not only its last line', () => {
    const details = [
      'Error: connect ECONNREFUSED 127.0.0.1:5432',
      ' Test Files  1 failed (1)',
      '      Tests  1 failed (1)',
      '   Start at  10:00:00',
    ].join('\n');
    expect(judged({ issues: [issue('verify-command-failed', { details })] })).toMatchObject({
      type: 'environment',
      category: 'environment',
    });
    const prose = issue('verify-command-failed', { details: 'FAIL handles ECONNREFUSED by trying again' });
    expect(judged({ issues: [prose] }).type).toBe('verification-failed');
  });

  test('of failing commands is an environment failure when that is all they complain about', () => {
    const commands = [{ command: 'npm test', exit: 1, summary: 'connect ECONNREFUSED 127.0.0.1:5432' }];
    const failed = issue('verify-command-failed');
    expect(judged({ issues: [failed], commands }).type).toBe('environment');
    expect(judged({ issues: [failed, issue('deliverable-missing')], commands }).type).toBe('verification-failed');
  });

  test('without a reason still has a sentence', () => {
    expect(judged({}).summary).toBe('The checks did not pass.');
  });
});

describe('failures outside an execution', () => {
  test('have their type, and a category that says who acts next', () => {
    expect(crashedTooOften('heartbeat')).toMatchObject({ type: 'environment', category: 'environment' });
    expect(transientSpent('503')).toMatchObject({ type: 'overloaded', category: 'transient' });
    expect(cancelledMeanwhile()).toMatchObject({ type: 'cancelled', category: 'never-retry' });
    expect(buildMachineFailure('ENOSPC: no space left on device')).toMatchObject({
      type: 'environment',
      category: 'environment',
      rootCause: 'The disk is full.',
    });
    expect(rejectedByPerson('wrong tone')).toMatchObject({ type: 'verification-failed', category: 'quality' });
  });
});

describe('a temporary failure that did not pass', () => {
  test('keeps the type of the last activity try, and says that it did not pass', () => {
    const last = classified({ exitCode: 75, stderrTail: 'HTTP/1.1 429 Too Many Requests' });
    const spent = transientSpent('the message of the activity', last);
    expect(spent).toEqual({
      ...last,
      summary: expect.stringContaining('A temporary failure did not go away: HTTP/1.1 429') as string,
    });
    expect(transientSpent('x', { ...last, summary: 'x'.repeat(200) }).summary.length).toBeLessThanOrEqual(
      limits.summary,
    );
  });
});

describe("a failure of the user's own activity", () => {
  const rows: [message: string, type: string | undefined, expected: FailureType][] = [
    ['boom', 'MyError', 'tool-failed'],
    ['boom', undefined, 'tool-failed'],
    ['slow down', 'RateLimit', 'rate-limited'],
    ['slow down', 'openai.RateLimitError', 'rate-limited'],
    ['the key is wrong', 'AuthenticationError', 'auth'],
    ['401 Unauthorized', 'ApplicationError', 'auth'],
    ['connect ECONNREFUSED 127.0.0.1:1', 'Error', 'environment'],
    ['no host', 'ConnectionError', 'environment'],
    ['handles 401 responses', 'Error', 'tool-failed'],
    ['too much', 'ContextWindowExceededError', 'context-overflow'],
  ];
  test.each(rows)('says %j with the type %j', (message, type, expected) => {
    expect(activityFailed(message, type)).toMatchObject({ type: expected, summary: message });
  });

  test('keeps its type in the details', () => {
    expect(activityFailed('boom', 'MyError').details).toBe('MyError: boom');
  });
});

describe('the root cause', () => {
  test('is that of the matching rule, and empty where none matches', () => {
    const causes = (stderrTail: string) => classified({ stderrTail }).rootCause;
    expect(causes('Error: 401 Unauthorized')).toBe(
      'The program was refused by a service: the credentials are missing or wrong.',
    );
    expect(causes('ENOSPC: no space left on device')).toBe('The disk is full.');
    expect(causes('connect ECONNREFUSED 127.0.0.1:1')).toContain('is not responding');
    expect(causes('the pump broke')).toBe('');
    expect(classified({ exitCode: 78, stderrTail: 'the pump broke' }).rootCause).toContain('credentials');
  });
});

describe('the advice for the next attempt', () => {
  test('names the missing sections', () => {
    const failure = judged({ issues: [issue('missing-sections', { details: 'Changes\nUpgrade' })] });
    expect(failure.suggestedFix).toBe(
      'Write every missing section under a heading of exactly that name: Changes and Upgrade.',
    );
  });

  test('is that of the rule where it has some', () => {
    expect(classified({ stderrTail: 'Error: Reached max turns (20)' })).toMatchObject({
      type: 'tool-failed',
      rootCause: 'The agent used up the turns that it was allowed.',
      suggestedFix: expect.stringContaining('fewer tool calls') as string,
    });
  });
});

describe('the signature of a failure', () => {
  test('of a timeout stays when the limit grows and when it came further', () => {
    const timeout = (ms: number, stdoutTail: string): string =>
      classify({ execution: executionOf({ end: 'timeout', exitCode: null, stdoutTail }), timeout: ms }).signature;
    expect(timeout(30_000, 'compiling a')).toBe(timeout(67_500, 'linking b'));
  });

  test('of other failures follows their text, not their numbers', () => {
    const sign = (stderrTail: string): string => classified({ stderrTail }).signature;
    expect(sign('line 3: x is not defined')).toBe(sign('line 99: x is not defined'));
    expect(sign('x is not defined')).not.toBe(sign('x is not a function'));
  });
});

const anyExecution: fc.Arbitrary<Execution> = fc
  .record({
    end: fc.constantFrom<Execution['end'][]>('exited', 'timeout', 'not-started', 'crashed'),
    exitCode: fc.option(fc.integer({ min: 0, max: 255 })),
    signal: fc.option(fc.constantFrom('SIGKILL', 'SIGTERM')),
    stdoutTail: fc.string({ unit: 'binary' }),
    stderrTail: fc.string({ unit: 'binary' }),
    contract: fc.option(
      fc.record({
        status: fc.constantFrom<('success' | 'partial' | 'failed' | 'blocked')[]>(
          'success',
          'partial',
          'failed',
          'blocked',
        ),
        notes: fc.string({ unit: 'binary' }),
      }),
      { nil: undefined },
    ),
  })
  .map(({ contract, ...given }) => executionOf({ ...given, ...(contract === undefined ? {} : { contract }) }));

const anyVerdict: fc.Arbitrary<Pick<Verdict, 'issues' | 'commands'>> = fc.record({
  issues: fc.array(
    fc.record({
      code: fc.constantFrom<Issue['code'][]>(
        'partial',
        'missing-sections',
        'verify-command-failed',
        'deliverable-outside',
      ),
      severity: fc.constantFrom<Issue['severity'][]>('hard', 'advisory'),
      message: fc.string({ unit: 'binary' }),
    }),
  ),
  commands: fc.array(fc.record({ command: fc.string(), exit: fc.option(fc.nat(3)), summary: fc.string() })),
});

describe('classify', () => {
  test('has an answer for all facts, always the same, within its bounds', () => {
    fc.assert(
      fc.property(anyExecution, anyVerdict, fc.nat(), (execution, verdict, timeout) => {
        const facts: FailureFacts = { execution, timeout };
        for (const failure of [classify(facts), classifyVerdict(verdict)]) {
          expect(failureTypes).toContain(failure.type);
          expect(failure.signature.startsWith(failure.type)).toBe(true);
          expect(failure.summary.length).toBeLessThanOrEqual(limits.summary);
          expect(failure.summary).not.toMatch(/[\u0000-\u001f]/);
          expect(failure.details.length).toBeLessThanOrEqual(limits.failureDetails);
        }
        expect(classify(facts)).toEqual(classify(facts));
      }),
      { numRuns: 1_000 },
    );
  });

  test('ignores numbers, ids and paths in the text', () => {
    const texts = Object.values(messages).flat();
    const noise = fc.record({
      n: fc.integer({ min: 1_000, max: 999_999 }),
      id: fc.uuid(),
      path: fc.constantFrom('/tmp/a/b.log', '/home/ana/x/y.log', '/w/c.log'),
    });
    const failWith = (text: string, { n, id, path }: { n: number; id: string; path: string }): Failure =>
      classified({ stderrTail: `took ${n} ms\nrequest ${id} in ${path}\n${text}` });
    fc.assert(
      fc.property(fc.constantFrom(...texts), noise, noise, (text, a, b) => {
        expect(failWith(text, a).signature).toBe(failWith(text, b).signature);
      }),
      { numRuns: 500 },
    );
  });

  test('accepts any mixture of real texts, and gives the same answer twice', () => {
    const lines = Object.values(messages).flat();
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(...lines), fc.string({ unit: 'binary' })), { maxLength: 8 }),
        fc.constantFrom(0, 1, 2, 75, 77, 78, 124, 126, 127),
        (words, exitCode) => {
          const failure = classified({ exitCode, stderrTail: words.join('\n'), stdoutTail: words.join(' ') });
          expect(failureTypes).toContain(failure.type);
          expect(classified({ exitCode, stderrTail: words.join('\n'), stdoutTail: words.join(' ') })).toEqual(failure);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('never retries after an exit code of 77 or 78', () => {
    fc.assert(
      fc.property(fc.constantFrom(77, 78), fc.string(), (exitCode, stderrTail) => {
        expect(classified({ exitCode, stderrTail }).category).toBe('never-retry');
      }),
    );
  });

  test.each(traps)('takes time in proportion to its input of 256 kB (%s)', { timeout: 240_000 }, (_, inputOf) => {
    const work = (input: string): void => {
      classified({ stderrTail: input });
      classified({ exitCode: 0, contract: { status: 'failed', notes: input } });
      judged({ issues: [issue('partial', { message: input })] });
      judged({ issues: [issue('verify-command-failed', { details: input })] });
      activityFailed(input, input);
    };
    expect(growth(work, inputOf, 256 * 1024)).toBeLessThan(linear);
  });
});

describe('a failure without an explanation of its own', () => {
  const table: [string, Partial<Execution>, boolean][] = [
    ['a silent exit', { exitCode: 1 }, true],
    ['a silent signal', { exitCode: null, signal: 'SIGKILL' }, true],
    ['a silent exit with a meaning', { exitCode: 77 }, true],
    ['a number alone', { exitCode: 1, stderrTail: '1\n' }, true],
    ['a line that only says that something failed', { exitCode: 1, stderrTail: 'exit status 1\n' }, true],
    ['a path alone', { exitCode: 1, stderrTail: '/srv/app/x\n' }, true],
    ['a time limit', { end: 'timeout', exitCode: null, stderrTail: 'error: half way\n' }, true],
    ['a crash', { end: 'crashed', exitCode: null, stderrTail: 'error: half way\n' }, true],
    ['a contract without notes', { exitCode: 0, contract: { status: 'failed' } }, true],
    ['a block without notes', { exitCode: 0, contract: { status: 'blocked' } }, true],
    ['a complaint', { exitCode: 1, stderrTail: 'error: it broke\n' }, false],
    ['a complaint on stdout', { exitCode: 1, stdoutTail: 'two tests failed\n' }, false],
    ['a contract with notes', { exitCode: 0, contract: { status: 'failed', notes: 'no key' } }, false],
    ['a block with notes', { exitCode: 0, contract: { status: 'blocked', notes: 'which one?' } }, false],
  ];
  test.each(table)('is signed for its subtask alone: %s', (_, execution, isUnspecific) => {
    expect(classified(execution).unspecific === true).toBe(isUnspecific);
  });
});
