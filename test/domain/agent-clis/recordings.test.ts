// Recordings of the real programs, read as a worker reads them: what each run came to, and what it told of itself.
import { describe, expect, it } from 'vitest';
import { outputNames } from '../../../domain/executors/output-names.ts';
import { classify } from '../../../domain/failure/classify.ts';
import { hasFailed } from '../../../domain/failure/describe-exit.ts';
import { parseCompletionContract } from '../../../domain/output/completion-line.ts';
import { executionOf, read, recordingOf, recordingsOf } from './support.ts';

describe.each(outputNames)('%s', (cli) => {
  it.each(recordingsOf(cli).map((recording) => [recording.name, recording] as const))('%s', (_, recording) => {
    const execution = executionOf(cli, recording);
    const type = hasFailed(execution) ? classify({ execution, timeout: 60_000 }).type : null;
    expect(type).toBe(recording.type);
  });

  it('cut off anywhere before its end is no success', () => {
    const [first] = recordingsOf(cli).filter(({ type }) => type === null);
    if (first === undefined) throw new Error('no recording of a success');
    // What aider files after the answer says nothing about it.
    const text = (first.filed?.replace(/\{"event":"exit".*/, '') ?? first.stdout).trimEnd();
    for (let at = 0; at < text.length; at += 37) {
      const cut =
        first.filed === undefined ? { ...first, stdout: text.slice(0, at) } : { ...first, filed: text.slice(0, at) };
      expect(hasFailed(executionOf(cli, cut)), `cut at ${at}`).toBe(true);
    }
  });
});

describe('what a run told of itself', () => {
  it('aider: cost and tokens, and the words of its model alone', () => {
    const { text, ...rest } = read('aider', recordingOf('aider', 'aider write'));
    expect(rest).toEqual({ end: 'done', costUsd: 0.00285, tokens: 1_240, denied: [] });
    expect(parseCompletionContract(text)).toEqual({ status: 'success', notes: 'wrote hello.txt' });
  });

  it('claude: cost, tokens of all models, its conversation', () => {
    expect(read('claude', recordingOf('claude', 'claude write-sjson'))).toEqual({
      text: 'I wrote hello.txt.',
      end: 'done',
      costUsd: 0.0072,
      tokens: 4_080,
      session: '695e056f-2eeb-4094-8a38-fc4cc1146919',
      denied: [],
    });
  });

  it('claude: what it was not allowed to do, though it says that it is done', () => {
    const { end, denied } = read('claude', recordingOf('claude', 'claude bash2-json'));
    expect([end, denied]).toEqual([
      'done',
      [{ tool: 'Bash', what: 'python3 -c "open(\\"ran.txt\\",\\"w\\").write(\\"x\\")"' }],
    ]);
  });

  it('codex: tokens, no cost, its conversation', () => {
    expect(read('codex', recordingOf('codex', 'codex write-json'))).toEqual({
      text: 'I wrote hello.txt.',
      end: 'done',
      tokens: 2_480,
      session: '01a1e447-6935-7820-9927-c8d792133138',
      denied: [],
    });
  });

  it('gemini: tokens, no cost, its conversation', () => {
    expect(read('gemini', recordingOf('gemini', 'gemini write-sjson'))).toEqual({
      text: 'I wrote hello.txt.',
      end: 'done',
      tokens: 2_500,
      session: '7ee89945-1679-4f2f-ab2a-9c8c8c9621d2',
      denied: [],
    });
  });

  it('opencode: cost and tokens of all steps, and when to come back', () => {
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

  it("the last line of gemini's output, which looks like a completion contract, is none", () => {
    const recording = recordingOf('gemini', 'gemini write-sjson');
    expect(parseCompletionContract(recording.stdout)?.status).toBe('success');
    expect(parseCompletionContract(read('gemini', recording).text)).toBeUndefined();
  });
});
