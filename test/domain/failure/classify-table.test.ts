// Every failure type, with messages in the true form of the programs and services that print them.
import { describe, expect, test } from 'vitest';
import type { Execution } from '../../../domain/failure/execution.ts';
import { classifyVerdict } from '../../../domain/failure/classify-verdict.ts';
import type { Issue } from '../../../domain/types/attempt.ts';
import { classify, type FailureFacts } from '../../../domain/failure/classify.ts';
import { failureTypes, type FailureType } from '../../../domain/types/basic/failure-types.ts';
import { strategies } from '../../../domain/failure/recovery-strategies.ts';
import { executionOf, foundOf } from './support-facts.ts';
import { messages } from './support-messages.ts';

/** A failure that no words show: its facts. */
type Facts =
  | (Partial<Omit<FailureFacts, 'execution'>> & { execution?: Partial<Execution> })
  | { expected: ReturnType<typeof foundOf> };

const classified = (facts: Facts) =>
  'expected' in facts
    ? classifyVerdict(facts.expected)
    : classify({ timeout: 60_000, ...facts, execution: executionOf(facts.execution ?? {}) });

const passedChecks = (...issues: Partial<Issue>[]): Facts => ({ expected: foundOf(...issues) });
const because = (reason: string): Facts => ({ reason, execution: { exitCode: null } });
const contract = (status: 'failed' | 'blocked', notes: string, exitCode = 0): Facts => ({
  execution: { exitCode, contract: { status, notes } },
});

const facts: Partial<Record<FailureType, Facts[]>> = {
  timeout: [
    { execution: { end: 'timeout', exitCode: null, signal: 'SIGKILL' } },
    { execution: { end: 'timeout', exitCode: null, signal: 'SIGTERM', stdoutTail: 'compiling 12/400' } },
    { execution: { exitCode: 124 } },
    { execution: { exitCode: 124, stderrTail: 'HTTP/1.1 429 Too Many Requests' } },
    because('timeout'),
    because('TimeoutError'),
  ],
  'empty-output': [
    passedChecks({ code: 'empty-output', message: 'Nothing was printed.' }),
    because('empty_response'),
    because('NoObjectGeneratedError'),
  ],
  'missing-sections': [
    passedChecks({ code: 'missing-sections', details: 'Changes\nUpgrade' }),
    passedChecks({ code: 'missing-sections', details: 'Usage' }, { code: 'verify-command-failed' }),
    passedChecks({ code: 'deliverable-missing' }, { code: 'missing-sections', details: '## Risks' }),
    passedChecks({ code: 'missing-sections' }, { code: 'syntax-invalid' }),
    because('missing-sections'),
  ],
  'format-invalid': [
    passedChecks({ code: 'syntax-invalid' }),
    because('OutputParserException'),
    because('invalid_json'),
  ],
  'diff-invalid': [passedChecks({ code: 'diff-invalid' }), because('patch_failed')],
  'merge-conflict': [passedChecks({ code: 'merge-conflict' }), because('merge_conflict')],
  'context-missing': [
    {
      execution: {
        end: 'not-started',
        exitCode: 127,
        stderrTail: 'The program "agent" was not found on the PATH (/bin).',
      },
    },
    {
      execution: {
        end: 'not-started',
        exitCode: null,
        stderrTail: 'The arguments of "x" are too long for the system.',
      },
    },
    because('MISSING_CONFIG'),
  ],
  'tool-failed': [
    { execution: { exitCode: null, signal: 'SIGSEGV' } },
    { execution: { exitCode: 3 } },
    contract('failed', 'two of the tests do not pass'),
    because('tool-failed'),
  ],
  'verification-failed': [
    passedChecks({ code: 'verify-command-failed', message: 'The verify command must exit with 0: npm test' }),
    passedChecks({ code: 'verify-command-timeout' }),
    passedChecks({ code: 'deliverable-missing', message: 'NOTES.md is missing.' }),
    passedChecks({ code: 'rule-violated', message: 'TODO stands in NOTES.md.' }),
    passedChecks({ code: 'partial', message: 'two of three chapters' }),
    passedChecks({ code: 'verify-command-failed', details: 'HTTP/1.1 429 Too Many Requests\nRetry-After: 2' }),
    passedChecks({ code: 'verify-command-failed', details: 'Error: 401 Unauthorized' }),
  ],
  'verifier-unreadable': [
    passedChecks({ code: 'verifier-unreadable' }),
    because('verifier-unreadable'),
    because('verdict_unreadable'),
    because('UnparseableVerdictError'),
    because('verifier_parse_failed'),
  ],
  'evidence-gap': [
    passedChecks({ code: 'evidence-gap' }),
    because('evidence_gap'),
    because('missingEvidence'),
    because('INSUFFICIENT_EVIDENCE'),
    because('unsupported-claim'),
  ],
  'unconfirmed-data': [
    passedChecks({ code: 'unconfirmed-data' }),
    because('unconfirmed_data'),
    because('UnverifiedClaim'),
    because('unverified-data'),
    because('data not confirmed'),
  ],
  'rate-limited': [
    { execution: { exitCode: 75, stderrTail: 'HTTP/1.1 429 Too Many Requests' } },
    because('rate_limit_error'),
    because('openai.RateLimitError'),
    because('RESOURCE_EXHAUSTED'),
    because('ThrottlingException'),
  ],
  overloaded: [{ execution: { exitCode: 75 } }, because('overloaded_error'), because('InternalServerError')],
  'context-overflow': [because('context_length_exceeded'), because('ContextWindowExceededError')],
  auth: [{ execution: { exitCode: 78 } }, because('AuthenticationError'), because('UNAUTHENTICATED')],
  permission: [
    { execution: { exitCode: 77, stderrTail: 'no space left on device' } },
    {
      execution: {
        end: 'not-started',
        exitCode: 126,
        stderrTail: 'The program "x" cannot be run: permission denied.',
      },
    },
    because('PermissionDeniedError'),
  ],
  subscription: [because('insufficient_quota'), because('billing_error')],
  environment: [
    {
      execution: {
        end: 'not-started',
        exitCode: null,
        stderrTail: 'The program "x" could not be started: ENOMEM: spawn ENOMEM',
      },
    },
    passedChecks({
      code: 'verify-command-failed',
      details: 'write: ENOSPC: no space left on device\nat once\nexit code 1',
    }),
    because('ConnectionRefusedError'),
  ],
  safety: [
    passedChecks({ code: 'deliverable-outside' }),
    because('content_filter'),
    because('ContentPolicyViolationError'),
  ],
  budget: [because('BudgetExceededError'), because('error_max_budget_usd')],
  blocked: [
    contract('blocked', 'the two requirements contradict each other'),
    contract('blocked', 'HTTP 429 Too Many Requests', 1),
    { execution: { end: 'crashed', exitCode: null } },
    contract('failed', 'This is impossible: the file format has no such field.'),
    contract('failed', 'Conflicting requirements: the API must be both public and unreachable.'),
    contract('failed', 'The acceptance criteria contradict the goal.', 1),
    contract('failed', 'It cannot be done as specified.'),
    because('conflicting_requirements'),
  ],
  cancelled: [
    because('cancelled'),
    because('canceled'),
    because('AbortError'),
    because('asyncio.CancelledError'),
    because('user_cancelled'),
  ],
  unknown: [
    { execution: { exitCode: null } },
    { execution: { exitCode: null, stderrTail: '\n \n' } },
    { execution: { exitCode: null, stdoutTail: '\r\n' } },
    { execution: { exitCode: null, stderrTail: '\u001b[0m' } },
    because('unknown'),
  ],
};

describe.each(failureTypes)('%s', (type) => {
  const text = messages[type] ?? [];
  const shown = facts[type] ?? [];

  test('has at least five messages or facts', () => {
    expect(text.length + shown.length).toBeGreaterThanOrEqual(5);
  });

  test.each(text)('is the type of %j', (message) => {
    const failure = classified({ execution: { stderrTail: `some log\nmore of it\n${message}\n` } });
    expect(failure).toMatchObject({ type, category: strategies[type].category });
    expect(classified({ execution: { stdoutTail: message } }).type).toBe(type);
  });

  test.each(shown)('is not the type of %j', (given) => {
    expect(classified(given)).toMatchObject({ type, category: strategies[type].category });
  });

  test.each(type === 'tool-failed' ? [] : text)('is not found far above other last lines: %j', (message) => {
    const log = [message, ...Array.from({ length: 12 }, (_, i) => `step ${i} is done`), 'it went wrong'].join('\n');
    expect(classified({ execution: { stderrTail: log } }).type).toBe('tool-failed');
  });
});
