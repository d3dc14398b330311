// A question in the terminal, answered by keys.
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { askPerson, type Asked } from '../../../client/cli/follow/ask-person.ts';
import type { Decision, DecisionOption } from '../../../domain/model/decision.ts';
import { capture, decision } from './support.ts';

const keys = { down: '\u001b[B', up: '\u001b[A', enter: '\r', escape: '\u001b', interrupt: '\u0003' };

/** Asks, and presses the keys once the text before them is on the screen. */
async function ask(
  about: Decision,
  script: [shown: string, pressed: string][],
  stop?: AbortController,
): Promise<Asked> {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  const output = capture({ isTTY: true, columns: 100, rows: 30 });
  const asking = askPerson(about, { input, output, signal: (stop ?? new AbortController()).signal });
  let seen = 0;
  for (const [shown, pressed] of script) {
    while (!output.text().slice(seen).includes(shown)) await sleep(5);
    seen = output.text().length;
    input.write(pressed);
  }
  return asking;
}

test('enter takes what is recommended; words are asked for where they are needed', async () => {
  expect(
    await ask(decision(), [
      ['Try again with my instruction', keys.enter],
      ['What should be done differently?', `use staging${keys.enter}`],
    ]),
  ).toEqual({ decisionId: 'deploy-1', option: 'fix', instruction: 'use staging' });
});

test('an option that needs no words is the answer', async () => {
  const asked = await ask(decision(), [
    ['Try again', keys.up],
    ['Runs deploy again.', keys.enter],
  ]);
  expect(asked).toEqual({ decisionId: 'deploy-1', option: 'retry' });
});

test('an instruction cannot be empty', async () => {
  const asked = await ask(decision(), [
    ['Try again with my instruction', keys.enter],
    ['What should be done differently?', keys.enter],
    ['Say what to do.', `now${keys.enter}`],
  ]);
  expect(asked).toMatchObject({ option: 'fix', instruction: 'now' });
});

test('escape puts it off, Ctrl-C detaches', async () => {
  expect(await ask(decision(), [['Try again', keys.escape]])).toBe('later');
  expect(await ask(decision(), [['Try again', keys.interrupt]])).toBe('interrupted');
});

test('it can be put off by choice', async () => {
  const asked = await ask(decision({ recommendation: 'abort' }), [
    ['Nothing more is started.', keys.down],
    ['The task keeps waiting', keys.enter],
  ]);
  expect(asked).toBe('later');
});

test('a question that somebody else answers closes by itself', async () => {
  const stop = new AbortController();
  const asking = ask(decision(), [['Try again', '']], stop);
  await sleep(50);
  stop.abort();
  expect(await asking).toBe('gone');
});

const raise: DecisionOption = { id: 'raise', label: 'Raise the limit', consequence: 'It doubles.', reversible: true };

test.each([
  ['wallClock', '45m', { value: 2_700_000 }],
  ['costUsd', '5.5', { value: 5.5 }],
  ['costUsd', '', {}],
] as const)('a new limit for %s given as %j', async (budget, words, value) => {
  const id = 'limit-1';
  const about = decision({ id, kind: 'budget', budget, options: [raise], recommendation: 'raise' });
  const asked = await ask(about, [
    ['Raise the limit', keys.enter],
    ['New limit', `${words}${keys.enter}`],
  ]);
  expect(asked).toEqual({ decisionId: id, option: 'raise', ...value });
});
