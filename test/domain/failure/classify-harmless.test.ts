// A failed program whose words merely mention an error has only failed: nobody is asked, nothing is waited for.
import { describe, expect, test } from 'vitest';
import { classify } from '../../../domain/failure/classify.ts';
import { hasFailed } from '../../../domain/failure/describe-exit.ts';
import { classifyVerdict } from '../../../domain/failure/classify-verdict.ts';
import { executionOf, foundOf } from './support-facts.ts';

const mentions = [
  // Names of tests.
  'handles 401 responses',
  '✗ handles 401 responses',
  '  ✕ returns 429 Too Many Requests when the bucket is empty (12 ms)',
  'not ok 3 - returns 503 Service Unavailable when overloaded',
  '--- FAIL: TestRateLimitExceeded (0.00s)',
  'FAIL test/auth.test.ts > login > rejects an invalid API key',
  'FAILED tests/test_http.py::test_permission_denied - openai.AuthenticationError: Error code: 401',
  '1) retries on 429 Too Many Requests',
  '● auth › shows "not logged in" when the session is gone',
  'test http::tests::rate_limit_exceeded ... FAILED',
  // Values that tests compare.
  'AssertionError: expected 401 to equal 200',
  'AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: 429 Too Many Requests !== 200 OK',
  'Expected: "401 Unauthorized"\nReceived: "200 OK"',
  'expected status 503 Service Unavailable, got 200',
  "E   assert 'permission denied' in 'ok'",
  'HTTP/1.1 500 Internal Server Error\nAssertionError: expected 200',
  // Compilers, linters and what they quote.
  "src/http.ts(3,7): error TS2322: Type '\"401 Unauthorized\"' is not assignable to type 'number'.",
  "src/auth.ts:12:5: error: unused variable 'invalidCredentials' // 401 Unauthorized",
  'rate-limit.ts:3:1: error: missing semicolon',
  "error TS2304: Cannot find name 'ECONNREFUSED'.",
  '  3 | throw new Error("429 Too Many Requests")',
  "    throw new Error('permission denied')",
  '// returns 403 Forbidden for strangers',
  '# 401 Unauthorized',
  '+  if (status === 429) return "rate limit exceeded"',
  '- 503 Service Unavailable: the service is down',
  '> 401 Unauthorized',
  '<h1>502 Bad Gateway</h1>',
  // Documents and plans.
  'The API returns 401 Unauthorized when no token is given.',
  'docs: explain what 403 Forbidden means',
  'The chapter about "permission denied" is missing',
  'see the section on rate limit exceeded errors',
  'Added handling for ECONNREFUSED and ETIMEDOUT',
  'todo: handle 429 Too Many Requests',
  'rm -rf in docs',
  'the README mentions rm -rf / and 401 Unauthorized',
  'Fixed: invalid credentials are now rejected',
  'the tests should cover invalid API key and permission denied',
  'add a test for too many requests',
  'context window exceeded errors are retried with a shorter prompt',
  'on connection refused, try the next host',
  'if permission denied, ask the owner',
  'when bob is not authorized to push, ask the owner',
  'Wrote 401 lines, 429 words, 503 bytes',
  'processed 500 of 502 files, 2 failed',
  'line 429 of rate-limit.md is too long',
  'exit code 503 is not known',
  'port 502 is used by modbus',
  'got 500 rows, wanted 502',
  'received 429 bytes',
  'returned 401 of 503 records, then stopped',
  'the word unauthorized in a sentence',
  'subscription to the event failed',
  'it says ENOSPCX and RECONNREFUSED_',
  'the impossible happened in step 3',
  'two requirements files were found',
  'merge conflict markers are explained in chapter 3',
  'could not find the budget of 2024 in the table',
  'TypeError: cannot read properties of undefined (reading "rateLimit")',
  'wrong password length in fixture file',
  'this version never prints "Credit balance is too low"',
  'the mock server was told to answer with 500 Internal Server Error: AssertionError',
  'Validation failed: field "status" must be one of "overloaded_error" or "ok"',
  'see https://docs.example/errors/429-too-many-requests for more',
  'tests/fixtures/401-unauthorized.json differs',
  'warning: 401 Unauthorized from the optional mirror\nit went wrong afterwards',
];

describe('a mention of an error', () => {
  test.each(mentions)('is no error: %j', (text) => {
    expect(classify({ execution: executionOf({ stderrTail: text }), timeout: 1 }).type).toBe('tool-failed');
    expect(classify({ execution: executionOf({ stdoutTail: `a log\n${text}\n` }), timeout: 1 }).type).toBe(
      'tool-failed',
    );
    const contract = { status: 'failed', notes: text } as const;
    expect(classify({ execution: executionOf({ exitCode: 0, contract }), timeout: 1 }).type).toBe('tool-failed');
  });

  test('in the output of a successful program is ignored, because its checks decide', () => {
    const execution = executionOf({ exitCode: 0, stdoutTail: 'Error: 401 Unauthorized', stderrTail: 'ENOSPC: full' });
    expect(hasFailed(execution)).toBe(false);
    expect(classifyVerdict(foundOf({ code: 'deliverable-missing' })).type).toBe('verification-failed');
  });

  test('on stdout does not count where stderr explains the failure', () => {
    const execution = executionOf({ stdoutTail: 'Error: 401 Unauthorized', stderrTail: 'the pump broke' });
    expect(classify({ execution, timeout: 1 }).type).toBe('tool-failed');
  });
});

describe('an error on stdout', () => {
  test('counts where stderr has only warnings', () => {
    const stderrTail =
      '(node:12) [DEP0040] DeprecationWarning: The `punycode` module is deprecated.\nnpm warn old lockfile';
    const execution = executionOf({ stdoutTail: 'API Error: 401 Unauthorized', stderrTail });
    expect(classify({ execution, timeout: 1 }).type).toBe('auth');
  });

  test('counts above the completion contract, which is not an explanation itself', () => {
    const line = '{"status":"failed","notes":""}';
    const contract = { status: 'failed', notes: '' } as const;
    const text = (stdoutTail: string) =>
      classify({ execution: executionOf({ exitCode: 0, stdoutTail, contract }), timeout: 1 });
    expect(text(`Error: 401 Unauthorized\n${line}\n`).type).toBe('auth');
    expect(text('{"status":"failed","error":"rate_limit_error"}').type).toBe('tool-failed');
  });
});
