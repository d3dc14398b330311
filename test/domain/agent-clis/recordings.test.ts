// Recordings of the real programs, read as a worker reads them: what each run came to, and what it told of itself.
import { describe, expect, test } from 'vitest';
import { outputNames } from '../../../domain/executors/output-names.ts';
import { classify } from '../../../domain/failure/classify.ts';
import { hasFailed } from '../../../domain/failure/describe-exit.ts';
import { parseCompletionContract } from '../../../domain/output/completion-line.ts';
import { executionOf, read, recordingOf, recordingsOf } from './support.ts';

describe.each(outputNames)('%s', (cli) => {
  test.each(recordingsOf(cli).map((recording) => [recording.name, recording] as const))(
    'is read: %s',
    (_, recording) => {
      const execution = executionOf(cli, recording);
      const type = hasFailed(execution) ? classify({ execution, timeout: 60_000 }).type : null;
      expect(type).toBe(recording.type);
    },
  );

  test('is no success when it is cut off anywhere before its end', () => {
    const [first] = recordingsOf(cli).filter(({ type }) => type === null);
    if (first === undefined) throw new Error('no recording of a success');
    // Lines that aider files after the answer do not matter.
    const text = (first.filed?.replace(/\{"event":"exit".*/, '') ?? first.stdout).trimEnd();
    for (let at = 0; at < text.length; at += 37) {
      const cut =
        first.filed === undefined ? { ...first, stdout: text.slice(0, at) } : { ...first, filed: text.slice(0, at) };
      expect(hasFailed(executionOf(cli, cut)), `cut at ${at}`).toBe(true);
    }
  });
});

describe('the report of a run', () => {
  test('of aider has cost and tokens, and the text of its model alone', () => {
    const { text, ...rest } = read('aider', recordingOf('aider', 'aider write'));
    expect(rest).toEqual({ end: 'done', costUsd: 0.00285, tokens: 1_240, denied: [] });
    expect(parseCompletionContract(text)).toEqual({ status: 'success', notes: 'wrote hello.txt' });
  });

  test('of claude has cost, tokens of all models, and its conversation', () => {
    expect(read('claude', recordingOf('claude', 'claude write-sjson'))).toEqual({
      text: 'I wrote hello.txt.',
      end: 'done',
      costUsd: 0.0072,
      tokens: 4_080,
      session: '695e056f-2eeb-4094-8a38-fc4cc1146919',
      denied: [],
    });
  });

  test('of claude has its denials, though it says that it is done', () => {
    const { end, denied } = read('claude', recordingOf('claude', 'claude bash2-json'));
    expect([end, denied]).toEqual([
      'done',
      [{ tool: 'Bash', what: 'python3 -c "open(\\"ran.txt\\",\\"w\\").write(\\"x\\")"' }],
    ]);
  });

  test('of codex has tokens, no cost, and its conversation', () => {
    expect(read('codex', recordingOf('codex', 'codex write-json'))).toEqual({
      text: 'I wrote hello.txt.',
      end: 'done',
      tokens: 2_480,
      session: '01a1e447-6935-7820-9927-c8d792133138',
      denied: [],
    });
  });

  test('of gemini has tokens, no cost, and its conversation', () => {
    expect(read('gemini', recordingOf('gemini', 'gemini write-sjson'))).toEqual({
      text: 'I wrote hello.txt.',
      end: 'done',
      tokens: 2_500,
      session: '7ee89945-1679-4f2f-ab2a-9c8c8c9621d2',
      denied: [],
    });
  });

  test('of opencode has cost and tokens of all steps, and the time of its next try', () => {
    expect(read('opencode', recordingOf('opencode', 'opencode write-json'))).toEqual({
      text: 'I wrote hello.txt.',
      end: 'done',
      costUsd: 0.01095,
      tokens: 4_080,
      session: 'ses_e1ba3b26affeMceC9Tr6tOMjuc',
      denied: [],
    });
    expect(read('opencode', recordingOf('opencode', 'opencode 429-json')).error).toMatchObject({
      status: 429,
      retryAfterMs: 2_000,
    });
  });

  test('of gemini ends with a line that looks like a completion contract and is none', () => {
    const recording = recordingOf('gemini', 'gemini write-sjson');
    expect(parseCompletionContract(recording.stdout)?.status).toBe('success');
    expect(parseCompletionContract(read('gemini', recording).text)).toBeUndefined();
  });
});
