// The questions before a person: keys choose, write, walk and put off; what is sent is what was seen.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  askable,
  listChoices,
  emptyPanel,
  markedOption,
  press,
  shownDecision,
  takeBack,
  takeOpen,
  type QuestionPanel,
  type KeyAction,
} from '../../../../client/terminal/ask/question-panel.ts';
import type { Key, Press } from '../../../../client/terminal/ask/key.ts';
import { takeLine } from '../../../../client/terminal/ask/read-line.ts';
import { clientLimits } from '../../../../client/limits/client-limits.ts';
import { optionRule } from '../../../../domain/decisions/options/decision-kinds.ts';
import type { Decision, DecisionOption } from '../../../../domain/types/decision.ts';
import { decision } from './support.ts';

const later = clientLimits.cli.keyGuard;

const key = (name: string, given: Partial<Key> = {}): Key => ({
  name,
  text: name.length === 1 ? name : '',
  ctrl: false,
  meta: false,
  shift: false,
  ...given,
});

const keys = (...names: string[]): Press[] => names.map((name) => key(name));
const typed = (text: string): Press[] => Array.from(text, (character) => key('', { text: character }));

const panel = (...open: Decision[]): QuestionPanel => takeOpen(emptyPanel, open, 0);

/** Presses one after the other; each long after the one before. */
function play(start: QuestionPanel, presses: readonly Press[]): { panel: QuestionPanel; actions: KeyAction[] } {
  let now = later;
  let at = start;
  const actions: KeyAction[] = [];
  for (const pressed of presses) {
    const { panel: next, action } = press(at, pressed, (now += 10_000));
    at = next;
    if (action !== undefined) actions.push(action);
  }
  return { panel: at, actions };
}

const answersOf = (start: QuestionPanel, presses: readonly Press[]): KeyAction[] => play(start, presses).actions;

test('enter takes what is recommended; words are asked for where they are needed', () => {
  expect(answersOf(panel(decision()), [...keys('return'), ...typed('use staging'), ...keys('return')])).toEqual([
    { answer: { decisionId: 'deploy-1', option: 'fix', instruction: 'use staging' } },
  ]);
});

test.each([
  ['up', 'retry'],
  ['k', 'retry'],
  ['1', 'retry'],
  ['r', 'retry'],
  ['down', 'abort'],
  ['j', 'abort'],
  ['3', 'abort'],
  ['a', 'abort'],
  ['s', 'abort'],
])('%s marks a choice, and only enter gives it', (name, option) => {
  const marked = play(panel(decision()), keys(name));
  expect(marked.actions).toEqual([]);
  expect(answersOf(marked.panel, keys('return'))).toEqual([{ answer: { decisionId: 'deploy-1', option } }]);
});

test('choices that begin with the same letter are walked through; a number beyond them changes nothing', () => {
  const marks = ['t', 't', 't', '9'].map((_, index, all) => play(panel(decision()), keys(...all.slice(0, index + 1))));
  expect(marks.map((played) => markedOption(played.panel, decision()))).toEqual([0, 1, 0, 0]);
});

test('an instruction cannot be empty; escape goes back to the choices, and what was written is kept', () => {
  const empty = play(panel(decision()), keys('return', 'return'));
  expect(empty.actions).toEqual([]);
  expect(empty.panel.writing?.problem).toBe('Say what to do differently.');
  const back = play(empty.panel, [...typed('now'), ...keys('escape')]);
  expect(back.panel.writing).toBeNull();
  expect(answersOf(back.panel, keys('return', 'return'))).toMatchObject([{ answer: { instruction: 'now' } }]);
});

test('a question is answered by just typing or pasting, whatever its letters would mark; numbers and arrows choose', () => {
  const options = (['option-1', 'answer', 'decline'] as const).map((id) => ({
    ...{ id, label: `just ${id}`, consequence: '', reversible: true },
  }));
  const asked = decision({ kind: 'question', options, recommendation: 'answer' });
  const given = (...presses: Press[]): KeyAction[] => answersOf(panel(asked), [...presses, ...keys('return')]);
  const words = 'just option 1, dear k';
  expect(given(...typed(words))).toMatchObject([{ answer: { option: 'answer', instruction: words } }]);
  expect(given({ pasted: 'a\nb' })).toMatchObject([{ answer: { option: 'answer', instruction: 'a\nb' } }]);
  expect(given(key('1'))).toEqual([{ answer: { decisionId: asked.id, option: 'option-1' } }]);
  expect(given(key('up'))).toEqual([{ answer: { decisionId: asked.id, option: 'option-1' } }]);
  const back = play(panel(asked), [...typed('no'), ...keys('escape', '1', 'return')]);
  expect(back.actions).toEqual([{ answer: { decisionId: asked.id, option: 'option-1' } }]);
});

test('a paste is one text with its lines, never an order', () => {
  const written = play(panel(decision()), [...keys('return'), { pasted: 'one\r\ntwo\u001b[2J\u0007' }]);
  expect(written.actions).toEqual([]);
  expect(answersOf(written.panel, keys('return'))).toMatchObject([{ answer: { instruction: 'one\ntwo ' } }]);
  expect(play(panel(decision()), [{ pasted: 'a\r' }]).actions).toEqual([]);
});

test('Ctrl-C and Ctrl-Z are told at once, whatever is on the screen', () => {
  const [interrupt, suspend] = [key('c', { ctrl: true }), key('z', { ctrl: true })];
  for (const start of [emptyPanel, panel(decision()), play(panel(decision()), keys('return')).panel])
    expect([press(start, interrupt, 0).action, press(start, suspend, 0).action]).toEqual(['interrupt', 'suspend']);
});

const three = (): Decision[] => ['a-1', 'b-1', 'c-1'].map((id) => decision({ id }));

test('several questions are walked through, round, in both directions', () => {
  const shown = (...names: string[]): string | null => play(panel(...three()), keys(...names)).panel.shown;
  expect([shown(), shown('tab'), shown('right', 'right'), shown('tab', 'tab', 'tab'), shown('left')]).toEqual([
    'a-1',
    'b-1',
    'c-1',
    'a-1',
    'c-1',
  ]);
  expect(play(panel(...three()), [key('tab', { shift: true })]).panel.shown).toBe('c-1');
});

test('escape puts a question off and the next one comes up; Tab brings them back', () => {
  const all = play(panel(...three()), keys('escape', 'escape', 'escape'));
  expect([all.panel.shown, all.actions]).toEqual([null, []]);
  expect(takeOpen(all.panel, three(), 0).shown).toBeNull();
  expect(play(all.panel, keys('return', 'x', '1')).panel.shown).toBeNull();
  expect(play(all.panel, keys('tab')).panel.shown).toBe('a-1');
  expect(play(panel(decision()), keys('down', 'down', 'return')).panel.shown).toBeNull();
});

test('a new question does not push itself before the one that is looked at', () => {
  const [first, second, third] = three() as [Decision, Decision, Decision];
  const looking = play(panel(first, second), keys('tab')).panel;
  expect(takeOpen(looking, [third, first, second], 0).shown).toBe('b-1');
});

test('when somebody else answers, what is being written does not become the answer to another question', () => {
  const [first, ...rest] = three() as [Decision, Decision, Decision];
  const writing = play(panel(first, ...rest), [...keys('return'), ...typed('stop a')]).panel;
  const gone = takeOpen(writing, rest, 0);
  expect([gone.shown, gone.writing, askable(gone).length]).toEqual([null, null, 2]);
  expect(answersOf(gone, [...typed('ll'), ...keys('return')])).toEqual([]);
  expect(takeOpen(gone, [...rest, decision({ id: 'd-1' })], 0).shown).toBe('d-1');
});

test('keys that were pressed before a question came up are not for it', () => {
  const fresh = takeOpen(emptyPanel, [decision({ recommendation: 'retry' })], 1_000);
  expect(press(fresh, key('return'), 1_000 + later - 1).action).toBeUndefined();
  expect(press(fresh, key('return'), 1_000 + later).action).toBeDefined();
});

test('an answer that is not taken brings its question back', () => {
  const sent = play(panel(decision({ recommendation: 'retry' })), keys('return')).panel;
  expect([sent.shown, askable(sent)]).toEqual([null, []]);
  expect(takeBack(sent, 'deploy-1', 0).shown).toBe('deploy-1');
  expect(takeOpen(sent, [], 0).sent.size).toBe(0);
});

const raise: DecisionOption = { id: 'raise', label: 'Raise the limit', consequence: 'It doubles.', reversible: true };

test.each([
  ['wallClock', '45m', { value: 2_700_000 }],
  ['costUsd', '5.5', { value: 5.5 }],
  ['costUsd', '', {}],
] as const)('a new limit for %s given as %j', (budget, words, value) => {
  const id = 'limit-1';
  const about = decision({ id, kind: 'budget', budget, options: [raise], recommendation: 'raise' });
  const answer = { decisionId: id, option: 'raise', ...value };
  expect(answersOf(panel(about), [...keys('return'), ...typed(words), ...keys('return')])).toEqual([{ answer }]);
});

test.each([
  ['wallClock', '5', 'Write it as 30m or 2h.'],
  ['costUsd', '30m', 'Write a number.'],
] as const)('a limit for %s given as %j is refused', (budget, words, problem) => {
  const about = decision({ kind: 'budget', budget, options: [raise], recommendation: 'raise' });
  const { panel: after, actions } = play(panel(about), [...keys('return'), ...typed(words), ...keys('return')]);
  expect([after.writing?.problem, actions]).toEqual([problem, []]);
});

test('by lines: a number or a name chooses, the next line is the words, nothing goes back', () => {
  const start = panel(decision());
  expect(takeLine(start, ' 1 ').action).toEqual({ answer: { decisionId: 'deploy-1', option: 'retry' } });
  expect(takeLine(start, 'Abort').action).toEqual({ answer: { decisionId: 'deploy-1', option: 'abort' } });
  expect(takeLine(start, '7').problem).toBe('Type a number from 1 to 4.');
  expect(takeLine(start, '').problem).toBe('Type a number from 1 to 4.');
  const writing = takeLine(start, '2').panel;
  expect(takeLine(writing, '').panel.writing).toBeNull();
  expect(takeLine(writing, 'use staging').action).toEqual({
    answer: { decisionId: 'deploy-1', option: 'fix', instruction: 'use staging' },
  });
  const aside = takeLine(start, '4').panel;
  expect([aside.shown, takeLine(aside, '').panel.shown]).toEqual([null, 'deploy-1']);
});

const anyPress: fc.Arbitrary<Press> = fc.oneof(
  fc.constantFrom(...keys('return', 'escape', 'tab', 'up', 'down', 'left', 'right', 'backspace', '1', '2', 'f', 'j')),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 2 }).map((text) => key('', { text })),
  fc.string({ unit: 'binary', maxLength: 20 }).map((pasted) => ({ pasted })),
);
const anyOpen = fc.subarray(three());
type Step = { press: Press } | { open: Decision[] } | { refuse: true };
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: anyPress.map((pressed) => ({ press: pressed })) },
  { weight: 1, arbitrary: anyOpen.map((open) => ({ open })) },
  { weight: 1, arbitrary: fc.constant({ refuse: true as const }) },
);

test('whatever is pressed and happens: an answer is for the question that was shown, one of its options, with its words', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 60 }), (steps) => {
      let at = panel(...three());
      let now = 10_000;
      for (const step of steps) {
        now += later;
        if ('open' in step) at = takeOpen(at, step.open, now);
        else if ('refuse' in step) at = takeBack(at, [...at.sent.keys()][0] ?? '', now);
        else {
          const before = shownDecision(at);
          const { panel: next, action } = press(at, step.press, now);
          if (typeof action === 'object') {
            const { decisionId, option, instruction = '' } = action.answer;
            expect(decisionId).toBe(before?.id);
            expect(before === undefined ? [] : listChoices(before)).toContain(option);
            if (before !== undefined && optionRule(before, option).requiredText !== undefined)
              expect(instruction.trim()).not.toBe('');
            expect(next.sent.get(decisionId)).toBe(option);
          }
          at = next;
        }
        // A question that is shown can be answered, and nothing is written to what is not shown.
        expect(at.shown === null || shownDecision(at) !== undefined).toBe(true);
        if (at.shown === null) expect(at.writing).toBeNull();
      }
    }),
  );
});
