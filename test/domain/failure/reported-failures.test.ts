/*
 * Failures as programs and services tell them, and what each means: which are waited for, which a person must lift, and which the next
 * attempt can mend.
 */
import { describe, expect, test } from 'vitest';
import type { OutputName } from '../../../domain/executors/output-names.ts';
import { classify } from '../../../domain/failure/classify.ts';
import { hasFailed } from '../../../domain/failure/describe-exit.ts';
import { countVotes } from '../../../domain/judges/count-votes.ts';
import { readJudgement } from '../../../domain/judges/read-judgement.ts';
import type { FailureType } from '../../../domain/types/basic/failure-types.ts';
import { executionOf as recordedExecution, read, recordingsOf, type Recording } from '../agent-clis/support.ts';
import { executionOf } from './support-facts.ts';

const lines = (...events: object[]): string => events.map((event) => JSON.stringify(event)).join('\n');

const started = { type: 'init', session_id: '7ee89945-1679-4f2f-ab2a-9c8c8c9621d2', model: 'flash' };
/** The output of gemini after an error of the service. */
const gemini = (message: string, exit: number): Partial<Recording> => ({
  exit,
  stdout: lines(started, { type: 'result', status: 'error', error: { type: 'unknown', message } }),
});
/** The output of gemini after an end without a result. */
const geminiSilent = (stderr: string, exit: number): Partial<Recording> => ({ exit, stdout: lines(started), stderr });
const codex = (message: string): Partial<Recording> => ({
  exit: 1,
  stdout: lines({ type: 'turn.started' }, { type: 'turn.failed', error: { message } }),
});
const aider = (...words: string[]): Partial<Recording> => ({
  stdout: `Aider v0.86.2\n\n${words.join('\n')}\n\n`,
  filed: '{"event":"message_send_starting","properties":{}}',
});
const pi = (stopReason: string, errorMessage?: string): Partial<Recording> => ({
  stdout: lines(
    { type: 'session', id: '01a1e467-631e-761a-8b71-acae999e3ac7' },
    { type: 'message_end', message: { role: 'assistant', content: [], stopReason, errorMessage } },
    { type: 'agent_end', messages: [] },
  ),
});

const google = (code: number, message: string, status: string, details: object[] = []): string =>
  `[API Error: ${JSON.stringify({ error: { code, message, status, details } })}]`;
const perDay = { violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier' }] };
const perMinute = { violations: [{ quotaId: 'GenerateRequestsPerMinutePerProjectPerModel-FreeTier' }] };
const quota = 'You exceeded your current quota, please check your plan and billing details.';

type Row = [what: string, cli: OutputName, given: Partial<Recording>, type: FailureType, waitMs?: number];

const reportedFailures: Row[] = [
  [
    'a daily quota',
    'gemini',
    gemini('[API Error: You have exhausted your daily quota on this model.]', 1),
    'subscription',
  ],
  [
    'a daily quota of the service, with its seconds',
    'gemini',
    gemini(google(429, quota, 'RESOURCE_EXHAUSTED', [perDay, { retryDelay: '26s' }]), 173),
    'subscription',
  ],
  [
    'a quota that says when it is lifted',
    'gemini',
    gemini('[API Error: You have exhausted your capacity on this model. Your quota will reset after 2h52m39s.]', 1),
    'rate-limited',
    10_359_000,
  ],
  [
    'a quota per minute',
    'gemini',
    gemini(google(429, quota, 'RESOURCE_EXHAUSTED', [perMinute, { retryDelay: '2s' }]), 173),
    'rate-limited',
    2_000,
  ],
  [
    'a quota per minute in words',
    'gemini',
    gemini(`${quota}\n* Quota exceeded for metric: free_tier_requests, limit: 10\nPlease retry in 2s.`, 173),
    'rate-limited',
    2_000,
  ],
  ['a cut stream', 'gemini', gemini('[API Error: Model stream ended without a finish reason.]', 1), 'overloaded'],
  [
    'a cut connection',
    'gemini',
    gemini('[API Error: exception TypeError: terminated sending request]', 1),
    'overloaded',
  ],
  ['a stream closed early', 'gemini', gemini('[API Error: Premature close]', 1), 'overloaded'],
  ['an empty answer', 'gemini', gemini('The model returned an empty response.', 1), 'empty-output'],
  [
    'a model that is not there',
    'gemini',
    gemini(google(404, 'models/gemini-9 is not found for API version v1beta.', 'NOT_FOUND'), 148),
    'context-missing',
  ],
  ['a 404 by its exit', 'gemini', gemini('[API Error: Requested entity was not found.]', 148), 'context-missing'],
  ['a 404 without a result', 'gemini', geminiSilent('ModelNotFoundError', 148), 'context-missing'],
  [
    'a 401 without a result',
    'gemini',
    geminiSilent('An unexpected critical error occurred:[object Object]', 145),
    'auth',
  ],
  [
    'a 403 without a result',
    'gemini',
    geminiSilent('An unexpected critical error occurred:[object Object]', 147),
    'permission',
  ],
  [
    'a 429 without a result',
    'gemini',
    geminiSilent('An unexpected critical error occurred:[object Object]', 173),
    'rate-limited',
  ],
  [
    'a 500 without a result',
    'gemini',
    geminiSilent('An unexpected critical error occurred:[object Object]', 244),
    'overloaded',
  ],
  [
    'a 503 without a result',
    'gemini',
    geminiSilent('An unexpected critical error occurred:[object Object]', 247),
    'overloaded',
  ],
  ['an interrupt, which is no status', 'gemini', geminiSilent('', 130), 'tool-failed'],
  [
    "OpenAI's quota",
    'aider',
    aider(`litellm.RateLimitError: RateLimitError: OpenAIException - ${quota}`),
    'subscription',
  ],
  [
    "OpenAI's quota over several lines",
    'aider',
    aider(
      'litellm.RateLimitError: RateLimitError: OpenAIException - You exceeded your ',
      'current quota, please check your plan and billing details.',
    ),
    'subscription',
  ],
  [
    "OpenAI's limit per minute",
    'aider',
    aider(
      'litellm.RateLimitError: RateLimitError: OpenAIException - Rate limit reached for gpt-5 in organization org-x on tokens per min (TPM). Please try again in 1.5s.',
    ),
    'rate-limited',
    1_500,
  ],
  ['a wrong key', 'aider', aider('litellm.AuthenticationError: OpenAIException - Incorrect API key provided'), 'auth'],
  [
    'when to come back',
    'codex',
    codex('Rate limit reached for gpt-5 in organization org-x on tokens per min (TPM). Please try again in 2s.'),
    'rate-limited',
    2_000,
  ],
  [
    'when to come back, in milliseconds',
    'codex',
    codex('Rate limit reached for gpt-5. Please try again in 320ms.'),
    'rate-limited',
    320,
  ],
  [
    'when to come back, in minutes',
    'codex',
    codex('exceeded retry limit, last status: 429 Too Many Requests. Try again in 1m30s.'),
    'rate-limited',
    90_000,
  ],
  ['no credit', 'codex', codex(quota), 'subscription'],
  [
    'a wrong key',
    'pi',
    pi('error', '401 {"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}'),
    'auth',
  ],
  ['no permission', 'pi', pi('error', '403 {"error":{"message":"no access"}}'), 'permission'],
  [
    'an overloaded service',
    'pi',
    pi('error', '529 {"error":{"type":"overloaded_error","message":"Overloaded"}}'),
    'overloaded',
  ],
  ['a cut stream', 'pi', pi('error', 'Stream ended without a stop reason: premature close'), 'overloaded'],
  ['a message that did not end', 'pi', pi('length'), 'tool-failed'],
];

describe('the report of an agent program', () => {
  test.each(reportedFailures)('means %s (%s)', (_, cli, given, type, waitMs) => {
    const recording: Recording = { name: '', end: 'exited', exit: 0, type: null, stdout: '', stderr: '', ...given };
    const execution = recordedExecution(cli, recording);
    expect(hasFailed(execution)).toBe(true);
    expect(classify({ execution, timeout: 60_000 }).type).toBe(type);
    expect(read(cli, recording).error?.retryAfterMs).toBe(waitMs);
  });
});

describe('the last lines of a program', () => {
  test.each<[words: string, type: FailureType]>([
    ['Error: too many tokens: total number of tokens in the prompt cannot exceed 4081', 'context-overflow'],
    ['Error: Too many tokens', 'context-overflow'],
    ['Error: Invalid request: total message size 2359999 exceeds limit 2097152', 'context-overflow'],
    ["This model's maximum prompt length is 131072 but the request contains 537812 tokens.", 'context-overflow'],
    ['Error: prompt token count of 136025 exceeds the limit of 128000', 'context-overflow'],
    ['Error 413: total message size 5 MB is too large', 'context-overflow'],
    ['Error: the request exceeds the limit of 128,000 tokens', 'context-overflow'],
    ['ValidationException: Too many tokens: 210000', 'context-overflow'],
    ['ThrottlingException: Too many tokens, please wait before trying again.', 'rate-limited'],
    ['Error: too many tokens per minute, slow down', 'rate-limited'],
    ['Error: Rate-limited by upstream', 'rate-limited'],
    ['google/gemini-flash:free is temporarily rate-limited upstream. Please retry shortly', 'rate-limited'],
    ['Error: Rate-limited by OpenAI, try another provider', 'rate-limited'],
    ['Error: directory /srv/app is not writable', 'permission'],
    ['Error: target directory not writable', 'permission'],
    ['The cache folder is not writeable by the current user', 'permission'],
    ['Verification failed: missing evidence for the price in line 3', 'evidence-gap'],
  ])('mean %s', (words, type) => {
    expect(classify({ execution: executionOf({ stderrTail: `${words}\n` }), timeout: 60_000 }).type).toBe(type);
  });

  test.each(['error TS2322: file size exceeds the limit of 10 MB', 'Error: 3 tests failed'])(
    'do not mean %s',
    (words) => {
      const { type } = classify({ execution: executionOf({ stderrTail: words }), timeout: 60_000 });
      expect(type).toBe('tool-failed');
    },
  );
});

describe("a judge's complaint", () => {
  const reasonOf = (issues: string[]): string | null => {
    const reading = readJudgement(JSON.stringify({ passed: false, confidence: 0.9, issues }), ['the price is right']);
    return countVotes([{ lens: 'overall', model: 'm', ...(reading === undefined ? {} : { reading }) }], {
      rule: 'veto',
    }).reasonCode;
  };

  test('about evidence alone is an evidence gap', () => {
    expect(reasonOf(['Missing evidence for the price.'])).toBe('evidence-gap');
    expect(reasonOf(['No source is given for the price.', 'Missing evidence for the date.'])).toBe('evidence-gap');
  });

  test('about evidence among other things is an unmet criterion', () => {
    expect(reasonOf(['Missing evidence for the price.', 'The total is wrong.'])).toBe('criteria-unmet');
  });
});

describe('a wrong key of an agent program', () => {
  test.each<[cli: OutputName, keyEnv: string]>([
    ['claude', 'ANTHROPIC_API_KEY'],
    ['codex', 'CODEX_API_KEY'],
    ['gemini', 'GEMINI_API_KEY'],
  ])('%s names the variable that the program reads', (cli, keyEnv) => {
    const refused = recordingsOf(cli)
      .map((recording) => classify({ execution: recordedExecution(cli, recording), timeout: 60_000 }))
      .filter(({ type }) => type === 'auth');
    expect(refused.length).toBeGreaterThan(0);
    for (const { rootCause, suggestedFix } of refused) {
      expect(rootCause).toContain(`${cli} reads from ${keyEnv}`);
      expect(suggestedFix).toContain(`Set ${keyEnv} to a key that may use the model and answer from that shell`);
    }
  });
});
