// The tool `shell`: what a model is told of a command, and what is known of one that was ended in the middle.
import { existsSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { activityLimits } from '../../../../activities/limits/activity-limits.ts';
import type { CommandPort } from '../../../../activities/sandbox/command.ts';
import { outcomeOfCommand, showOutput } from '../../../../activities/tools/shell/command-outcome.ts';
import { performEffect, planEffect, seeEffect, settleEffect } from '../../../../activities/tools/run-tool.ts';
import { UnfinishedToolError, type CallEffect, type ToolContext } from '../../../../activities/tools/common/tool.ts';
import { temporaryFolder } from '../../execute/program/support.ts';
import { bubblewrap } from '../../sandbox/support.ts';
import { commandsAt, placeAt } from '../../../support/tool-place.ts';
import { mutatingTool } from '../files/mutating-tool.ts';
import { callTool, makeRig } from '../files/support.ts';

const shell = mutatingTool('shell');

/** Commands that have less time than those of an agent. */
const hasty = (commands: CommandPort, timeout: number): CommandPort => ({
  ...commands,
  run: (command) => commands.run({ ...command, timeout }),
});

describe.each([
  ['in the sandbox', bubblewrap],
  ['beside everything else', undefined],
] as const)('%s', (where, sandbox) => {
  const isSkipped = where === 'in the sandbox' && sandbox === undefined;

  async function makePlace(): Promise<ToolContext> {
    const workspace = realpathSync(await temporaryFolder());
    return placeAt(workspace, commandsAt(workspace, sandbox));
  }

  const run = async (place: ToolContext, command: string) => callTool('shell', JSON.stringify({ command }), place);

  test.skipIf(isSkipped)('every exit is an answer, and only 0 is a success', async () => {
    const place = await makePlace();
    expect(await run(place, 'echo out; echo err >&2')).toEqual({ ok: true, text: 'Exit 0.\nout\nerr' });
    expect(await run(place, 'echo no; exit 3')).toEqual({ ok: false, text: 'Exit 3.\nno' });
    expect(await run(place, 'true')).toEqual({ ok: true, text: 'Exit 0.\nIt printed nothing.' });
    expect(await run(place, '[[ a == a ]] && pwd')).toEqual({ ok: true, text: `Exit 0.\n${place.workspace}` });
    expect(await run(place, 'kill -SEGV $$; true')).toMatchObject({
      ok: false,
      text: expect.stringMatching(/SIGSEGV/) as string,
    });
    expect(await run(place, 'a\0b')).toMatchObject({
      ok: false,
      text: expect.stringMatching(/^It was not started/) as string,
    });
  });

  test.skipIf(isSkipped)('one that takes too long is unknown: what it had said, and what changed', async () => {
    const place = await makePlace();
    writeFileSync(join(place.workspace, 'old'), '');
    await sleep(activityLimits.commands.clockSlack + 50);
    const quick = { ...place, commands: hasty(place.commands, 1_500) };
    const args = { command: 'echo begun; echo x > new; mkdir in; rm old; sleep 100' };
    const effect = (await planEffect(shell, args, quick)) as CallEffect;
    const performed = await performEffect(shell, args, effect, quick);
    expect(performed).toEqual({
      kind: 'unknown',
      why: 'It was ended after 2 min, which is as long as a command may take. It had printed:\nbegun\n',
    });
    expect(await settleEffect(shell, effect, place)).toBe('unclear');
    expect(await seeEffect(shell, effect, place)).toBe(
      'Changed since it began, by it or by something else: in/ and new.',
    );
  });

  test.skipIf(isSkipped)('an abort ends it before the attempt goes on', async () => {
    const place = await makePlace();
    const abort = new AbortController();
    const args = { command: 'trap "sleep 0.5; touch tidied; exit" TERM; touch begun; while :; do sleep 0.1; done' };
    const running = performEffect(shell, args, { action: '', files: [] }, { ...place, signal: abort.signal });
    while (!existsSync(join(place.workspace, 'begun'))) await sleep(20);
    abort.abort(new Error('cancelled'));
    await expect(running).rejects.toThrow('cancelled');
    expect(existsSync(join(place.workspace, 'tidied'))).toBe(true);
  });
});

test('what is planned has no files, and says what it is in one line', async () => {
  const { place } = await makeRig();
  const effect = await planEffect(shell, { command: `echo a\necho ${'x'.repeat(500)}` }, place);
  expect(effect).toMatchObject({ files: [], command: { at: expect.any(Number) as number } });
  expect((effect as CallEffect).action).toMatch(/^run `echo a echo x+…`$/);
});

test('without a change nothing is named', async () => {
  const { place } = await makeRig();
  const effect: CallEffect = { action: '', files: [], command: { at: Date.now() + 60_000 } };
  expect(await seeEffect(shell, effect, place)).toBe(
    'No file outside .git and node_modules has changed since it began.',
  );
  const gone = await makeRig();
  rmSync(gone.workspace, { recursive: true });
  expect(await seeEffect(shell, effect, gone.place)).toBe('What it changed cannot be looked at now.');
});

describe('what is shown of an output', () => {
  const kept = (head: string, tail = '', dropped = 0) => ({
    head,
    tail,
    bytes: head.length + tail.length + dropped,
    dropped,
  });
  const lines = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index}`).join('\n');

  test('a short one whole, without colours and old states of a line', () => {
    expect(showOutput(kept(''))).toEqual({ text: '' });
    expect(showOutput(kept('\u001b[31mred\u001b[0m\r\n10%\r50%\rdone\n'))).toEqual({ text: 'red\ndone' });
  });

  test('of a long one its beginning and its end, and all of it by reference', () => {
    const all = lines(5_000);
    const { text, whole } = showOutput(kept(`${all}\n`));
    expect(whole).toBe(all);
    expect(Buffer.byteLength(text)).toBeLessThan(activityLimits.tools.shownBytes + 100);
    expect(text).toMatch(/^line 0\n.*\n\(\d+ lines not shown\)\nline \d+\n.*line 4999$/s);
  });

  test('of a line without end its beginning', () => {
    const { text, whole } = showOutput(kept('x'.repeat(100_000)));
    expect([text.length < 600, whole?.length]).toEqual([true, 100_000]);
  });

  test('what was dropped is said', () => {
    const { text, whole } = showOutput(kept(lines(10), lines(10), 5_000_000));
    expect(text).toContain('(0 lines, and 5 MB that were not kept, not shown)');
    expect(whole).toContain('line 9\n(5 MB were dropped here)\nline 0');
  });
});

test.each([
  ['processes', 'It was ended because it ran more than 256 processes at once. It had printed nothing.'],
  ['memory', 'It was ended because it took too much memory. It had printed nothing.'],
  ['output', 'It was ended because it printed more than 67.11 MB. It had printed nothing.'],
] as const)('one that was ended for its %s is unknown', (what, message) => {
  const output = { head: '', tail: '', bytes: 0, dropped: 0 };
  const result = { kind: 'killed', for: what, output, durationMs: 1 } as const;
  expect(() => outcomeOfCommand(result, 120_000)).toThrow(new UnfinishedToolError(message));
});

test('a file that became too large is named as the reason', () => {
  const output = { head: '', tail: '', bytes: 0, dropped: 0 };
  const exited = { kind: 'exited', output, durationMs: 1 } as const;
  const text = expect.stringContaining('since a file became larger than 1.08 GB') as string;
  expect(outcomeOfCommand({ ...exited, exit: 153, signal: null }, 1)).toMatchObject({ ok: false, text });
  expect(outcomeOfCommand({ ...exited, exit: null, signal: 'SIGXFSZ' }, 1)).toMatchObject({ ok: false, text });
});
