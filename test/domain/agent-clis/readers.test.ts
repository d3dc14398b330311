// The readers on what no recording has: rules of each program, and texts that nobody would print.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cliLimits } from '../../../domain/agent-clis/limits.ts';
import { outputNames } from '../../../domain/executors/output-names.ts';
import { lostSession } from '../../../domain/agent-clis/settle.ts';
import { formatLine } from '../../../domain/agent-clis/format-line.ts';
import { classify } from '../../../domain/failure/classify.ts';
import { hasFailed } from '../../../domain/failure/describe-exit.ts';
import type { OutputName } from '../../../domain/executors/output-names.ts';
import { executionOf, readText, recordingsOf, type Recording } from './support.ts';

const lines = (...events: object[]): string => events.map((event) => JSON.stringify(event)).join('\n');

function typeOf(cli: OutputName, given: Partial<Recording>): string | null {
  const recording: Recording = { name: '', end: 'exited', exit: 1, type: null, stdout: '', stderr: '', ...given };
  const execution = executionOf(cli, recording);
  return hasFailed(execution) ? classify({ execution, timeout: 60_000 }).type : null;
}

const claudeResult = (more: object): string =>
  lines({ type: 'result', subtype: 'success', is_error: true, result: 'It failed.', ...more });

describe('claude', () => {
  test.each([
    ['a refusal', { stop_reason: 'refusal', is_error: false }, 'safety'],
    ['no turns left', { subtype: 'error_max_turns', is_error: false, result: undefined }, 'tool-failed'],
    ['its own budget', { subtype: 'error_max_budget_usd', result: undefined }, 'budget'],
    ['403', { api_error_status: 403, api_error_type: 'permission_error', terminal_reason: 'api_error' }, 'permission'],
    [
      '404',
      { api_error_status: 404, api_error_type: 'not_found_error', terminal_reason: 'api_error' },
      'context-missing',
    ],
    ['529', { api_error_status: 529, api_error_type: 'overloaded_error' }, 'overloaded'],
    ['500', { api_error_status: 500, api_error_type: 'api_error' }, 'overloaded'],
    ['no credit', { api_error_status: 400, result: 'Credit balance is too low' }, 'subscription'],
    ['413', { api_error_status: 413, api_error_type: 'request_too_large' }, 'context-overflow'],
  ])('is read: %s', (_, more, type) => {
    expect(typeOf('claude', { stdout: claudeResult(more) })).toBe(type);
  });

  test('has a temporary limit of its plan with the time when it ends', () => {
    const limited = { type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: 1_794_837_121 } };
    const stdout = `${lines(limited)}\n${claudeResult({ result: "You've hit your 5-hour limit · resets 1:54pm", api_error_status: 429 })}`;
    expect(typeOf('claude', { stdout })).toBe('rate-limited');
    expect(readText('claude', stdout).error?.resetsAt).toBe(1_794_837_121_000);
  });

  test('ignores a limit that is only close', () => {
    const near = { type: 'rate_limit_event', rate_limit_info: { status: 'allowed_warning', resetsAt: 1_794_837_121 } };
    expect(
      readText('claude', `${lines(near)}\n${claudeResult({ api_error_status: 401 })}`).error?.resetsAt,
    ).toBeUndefined();
  });

  test('without a result sums the usage of its messages, each once', () => {
    const message = (id: string) => ({
      type: 'assistant',
      message: { id, usage: { input_tokens: 10, output_tokens: 1 } },
    });
    const read = readText('claude', lines(message('a'), message('a'), message('b')));
    expect([read.end, read.tokens, read.costUsd]).toEqual(['none', 22, undefined]);
  });
});

describe('codex', () => {
  const failed = (message: string): string =>
    lines({ type: 'turn.started' }, { type: 'turn.failed', error: { message } });

  test.each([
    ['403', 'unexpected status 403 Forbidden: no', 'permission'],
    ['503', 'unexpected status 503 Service Unavailable: busy', 'overloaded'],
    ['a cut stream', 'stream disconnected before completion: stream closed before response.completed', 'overloaded'],
    ['no credit', 'Quota exceeded. Check your plan and billing details.', 'subscription'],
  ])('is read: %s', (_, message, type) => {
    expect(typeOf('codex', { stdout: failed(message), stderr: 'ERROR codex_api: failed to connect' })).toBe(type);
  });

  test('forgets a complaint between two turns when it is done', () => {
    const stdout = lines({ type: 'error', message: 'Reconnecting... 2/5' }, { type: 'turn.completed', usage: {} });
    expect(typeOf('codex', { exit: 0, stdout })).toBeNull();
  });

  const item = (type: string) => ({ type: 'item.completed', item: { type, text: 'It is done.', status: 'completed' } });

  test.each([
    ['a message', ['agent_message'], null],
    ['work and a message', ['agent_message', 'file_change', 'agent_message'], null],
    ['a message and its list of things to do', ['agent_message', 'todo_list'], null],
    ['nothing, as a refusal does', [], 'empty-output'],
    ['work without a message', ['agent_message', 'command_execution'], 'empty-output'],
  ])('has a turn that completes with %s', (_, items, type) => {
    const stdout = lines(
      { type: 'turn.started' },
      { type: 'error', message: 'Reconnecting... 2/5' },
      ...items.map(item),
      { type: 'turn.completed', usage: { input_tokens: 3, output_tokens: 1 } },
    );
    expect(typeOf('codex', { exit: 0, stdout })).toBe(type);
    expect(readText('codex', stdout).tokens).toBe(4);
  });

  test('is decided by the last turn', () => {
    const stdout = lines({ type: 'turn.completed' }, { type: 'turn.started' });
    expect(typeOf('codex', { exit: 0, stdout })).toBe('tool-failed');
  });
});

describe('gemini', () => {
  test.each([
    [41, 'auth'],
    [52, 'context-missing'],
    [55, 'context-missing'],
    [53, 'tool-failed'],
  ])('exits with %s', (exit, type) => {
    expect(typeOf('gemini', { exit, stderr: 'Something is wrong.' })).toBe(type);
  });

  test('fails with exit 0 and the status error', () => {
    const message =
      '[API Error: {"error":{"code":429,"message":"You exceeded your current quota","status":"RESOURCE_EXHAUSTED","details":[{"retryDelay":"7.5s"}]}}]';
    const stdout = lines({ type: 'result', status: 'error', error: { type: 'unknown', message } });
    expect(typeOf('gemini', { exit: 0, stdout })).toBe('rate-limited');
    expect(readText('gemini', stdout).error?.retryAfterMs).toBe(7_500);
  });
});

describe('opencode', () => {
  const step = (reason: string) => ({ type: 'step_finish', part: { reason, tokens: { total: 5 }, cost: 0 } });

  test.each([
    ['stop', null],
    ['tool-calls', 'tool-failed'],
    ['length', 'tool-failed'],
    ['content-filter', 'safety'],
    ['unknown', 'tool-failed'],
  ])('has a last step that ended by %s', (reason, type) => {
    expect(typeOf('opencode', { exit: 0, stdout: lines(step(reason)) })).toBe(type);
  });

  test('has an unknown cost for tokens without a price', () => {
    expect(readText('opencode', lines(step('stop'))).costUsd).toBeUndefined();
  });
});

describe('aider', () => {
  const filed = (...events: string[]): string =>
    lines(...events.map((event) => ({ event, properties: { total_tokens: 7, total_cost: 0.5 } })));

  test.each([
    ['AuthenticationError: Missing Anthropic API Key - A call is', 'auth'],
    ['RateLimitError: AnthropicException - slow down', 'rate-limited'],
    ['InternalServerError: AnthropicException - Overloaded', 'overloaded'],
    [
      'BadRequestError: OpenAIException - Your input exceeds the context window\nof this model. Please adjust',
      'context-overflow',
    ],
  ])('is read: %s', (words, type) => {
    const given = { exit: 0, stdout: `Aider\n\nlitellm.${words}\n\n`, filed: filed('message_send_starting') };
    expect(typeOf('aider', given)).toBe(type);
  });

  test('is done when the model answered the last message', () => {
    expect(typeOf('aider', { exit: 0, filed: filed('message_send_starting', 'message_send') })).toBeNull();
    const open = filed('message_send_starting', 'message_send', 'message_send_starting');
    expect(typeOf('aider', { exit: 0, filed: open })).toBe('tool-failed');
  });

  test('gives up on edits that do not fit', () => {
    const stdout = 'Only 3 reflections allowed, stopping.';
    expect(typeOf('aider', { exit: 0, stdout, filed: filed('message_send_starting', 'message_send') })).toBe(
      'diff-invalid',
    );
  });

  const full = 'Model claude-haiku-4-5 has hit a token limit!';
  const unanswered = 'Empty response received from LLM. Check your provider account?';
  const receipt = 'Tokens: 1.2k sent, 40 received. Cost: $0.0014 message.';

  test.each([
    ['a token limit', `litellm.RateLimitError: slow down\n\n${receipt}\n\n${full}\n`, 'context-overflow'],
    ['a model that says so', `${full}\n${receipt}\n`, null],
    ['an empty answer', `litellm.RateLimitError: slow down\n\n${unanswered}\n\n${receipt}\n`, 'empty-output'],
  ])('has a message in its log also for %s', (_, stdout, type) => {
    expect(typeOf('aider', { exit: 0, stdout, filed: filed('message_send_starting', 'message_send') })).toBe(type);
  });

  test('has an unanswered message where the model used no tokens', () => {
    const sent = lines({ event: 'message_send', properties: { completion_tokens: 0, total_tokens: 7 } });
    expect(typeOf('aider', { exit: 0, stdout: receipt, filed: sent })).toBe('tool-failed');
  });

  test('leaves its receipt out of its text', () => {
    const stdout = 'Hello.\n{"status":"failed"}\n\nTokens: 2.3k sent, 40 received.\nCost: $0.01 message.\n';
    expect(readText('aider', stdout, filed('message_send')).text).toBe('Hello.\n{"status":"failed"}\n\n');
  });
});

describe('a missing conversation', () => {
  test.each([
    ['claude', 'No conversation found with session ID: 695e056f'],
    ['opencode', 'Error: Session not found: ses_1'],
  ] as const)('is recognised: %s', (cli, stderr) => {
    expect(lostSession(cli, { text: '' }, stderr)).toBe(true);
    expect(lostSession(cli, { text: '' }, 'Error: something else')).toBe(false);
  });
});

describe.each(outputNames)('the reader of %s', (cli) => {
  /** Real lines, with values of them replaced by others. */
  const real = recordingsOf(cli)
    .flatMap(({ stdout, filed = '' }) => `${stdout}\n${filed}`.split('\n'))
    .filter((line) => line !== '');
  const mangled = fc
    .tuple(fc.constantFrom(...real), fc.jsonValue())
    .map(([line, value]) =>
      line.replace(/:(?:"[^"]*"|\d+|true|false|null|\[\]|\{\})/, () => `:${JSON.stringify(value)}`),
    );
  const line = fc.oneof(fc.string(), fc.json(), fc.constantFrom(...real), mangled);

  test('accepts anything without a crash, within its bounds', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (given) => {
        const read = readText(cli, given.join('\n'), given.join('\n'));
        expect(['done', 'failed', 'none']).toContain(read.end);
        expect(read.text.length).toBeLessThanOrEqual(cliLimits.line);
        expect(read.denied.length).toBeLessThanOrEqual(cliLimits.denials);
        expect(read.error?.message.length ?? 0).toBeLessThanOrEqual(cliLimits.message);
        for (const amount of [read.costUsd ?? 0, read.tokens ?? 0])
          expect(Number.isFinite(amount) && amount >= 0).toBe(true);
        expect(read.session ?? 'x').toMatch(/^[A-Za-z0-9][\w-]*$/);
        for (const each of given) formatLine(cli, each);
      }),
      { numRuns: 300 },
    );
  });

  test('takes time in proportion to its input', () => {
    const hostile = [
      `{"type":"error","message":"${'litellm.'.repeat(50_000)}"}`,
      '{'.repeat(200_000),
      `[API Error: ${'['.repeat(100_000)}`,
    ];
    const started = performance.now();
    for (const text of hostile) readText(cli, text, text);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
