// Open questions while a task is followed: what becomes of them, by whoever's answer, and the keys of a real stream.
import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Keyboard } from '../../../../client/terminal/ask/keyboard.ts';
import type { Press } from '../../../../client/terminal/ask/key.ts';
import { takeLine } from '../../../../client/terminal/ask/read-line.ts';
import { OpenQuestions } from '../../../../client/terminal/follow/open-questions.ts';
import { plainQuestion } from '../../../../client/terminal/render/plain-question.ts';
import { buildOptions } from '../../../../domain/decisions/options/decision-kinds.ts';
import type { ErrorCode } from '../../../../domain/errors/error-codes.ts';
import { HeddleError } from '../../../../domain/errors/heddle-error.ts';
import type { DecisionAnswer, Decision } from '../../../../domain/types/decision.ts';
import type { EventOfTask } from '../../../../workflows/task/messages.ts';
import { at, capture, decision, status } from './support.ts';

function questions(send: (answer: DecisionAnswer) => Promise<unknown> = () => Promise.resolve()) {
  const messages: string[] = [];
  const sent: DecisionAnswer[] = [];
  let [changes, bells] = [0, 0];
  const open = new OpenQuestions({
    send: (answer) => {
      sent.push(answer);
      return send(answer);
    },
    onChange: () => (changes += 1),
    onMessage: (what) => messages.push(typeof what === 'string' ? what : what.code),
    onNew: () => (bells += 1),
  });
  const show = (lastEventId: number, ...decisions: Decision[]): void => open.status(status({ decisions, lastEventId }));
  return { open, messages, sent, show, counts: () => ({ changes, bells }) };
}

const answered = (id: number, decisionId: string): EventOfTask => ({
  id,
  time: at(id),
  taskId: 't1',
  type: 'decision.answered',
  text: `ben answered ${decisionId}: skip.`,
  decisionId,
  option: 'skip',
  by: 'ben',
  source: 'person',
});

const steered = (id: number): EventOfTask => ({
  id,
  time: at(id),
  taskId: 't1',
  type: 'task.steered',
  text: 'New instruction: x',
  instruction: 'x',
});

test('what an agent asks is answered by its number, or in words of a person', () => {
  const asked = decision({
    kind: 'question',
    problem: 'deploy asks: Which colour?',
    recommendation: 'answer',
    tried: [],
    options: buildOptions('question', {
      subtask: 'deploy',
      asks: { kind: 'question', call: '1.0', question: 'Which colour?', options: ['red', 'blue'] },
    }),
  });
  const { open, sent, show } = questions();
  show(1, asked);
  expect(plainQuestion(open.panel)).toEqual([
    '',
    'Question: deploy-1, question, about deploy',
    'deploy asks: Which colour?',
    '1. red: deploy continues with this answer.',
    '2. blue: deploy continues with this answer.',
    '3. Answer in my own words [recommended]: deploy continues with what you say.',
    '4. Do not answer: deploy continues without an answer and works with what it knows.',
    '5. Decide later: The question stays open; everything else keeps running.',
    'Type a number and press Enter.',
  ]);
  open.take((panel) => takeLine(panel, '2'));
  show(2, { ...asked, id: 'deploy-2' });
  open.take((panel) => takeLine(panel, '3'));
  expect(plainQuestion(open.panel)).toEqual(['deploy-2, answer: What is your answer? One line, then Enter.']);
  open.take((panel) => takeLine(panel, 'green'));
  expect(sent).toEqual([
    { decisionId: 'deploy-1', option: 'option-2' },
    { decisionId: 'deploy-2', option: 'answer', instruction: 'green' },
  ]);
});

test('an answer from elsewhere closes the question and says who gave it, once, whichever comes first', () => {
  const byEvent = questions();
  byEvent.show(1, decision());
  expect(byEvent.open.panel.shown).toBe('deploy-1');
  byEvent.open.event(answered(2, 'deploy-1'));
  expect(byEvent.open.panel.shown).toBeNull();
  // A look that was made before the answer does not open it again.
  byEvent.show(1, decision());
  expect(byEvent.open.panel.open).toEqual([]);
  byEvent.show(2);
  expect(byEvent.messages).toEqual(['ben answered deploy-1: skip.']);

  const byStatus = questions();
  byStatus.show(1, decision());
  byStatus.show(2);
  expect([byStatus.open.panel.shown, byStatus.messages]).toEqual([null, []]);
  byStatus.open.event(answered(2, 'deploy-1'));
  expect(byStatus.messages).toEqual(['ben answered deploy-1: skip.']);
});

test('a question that goes without an answer is reported as no longer open, after the events that tell why', () => {
  const { open, messages, show } = questions();
  show(1, decision());
  show(3);
  open.event(steered(2));
  expect(messages).toEqual([]);
  open.event(steered(3));
  expect(messages).toEqual(['deploy-1 is no longer open.']);
});

test('answers to questions that were never on this screen are told as other events are', () => {
  const { open, messages } = questions();
  open.event(answered(1, 'deploy-1'));
  expect(messages).toEqual([]);
});

test('the bell rings once for a question, not at every look', () => {
  const { show, counts } = questions();
  show(1, decision());
  show(2, decision());
  show(3, decision(), decision({ id: 'b-1' }));
  expect(counts().bells).toBe(2);
});

const refusals: [code: ErrorCode, again: boolean][] = [
  ['NO_WORKER', true],
  ['MESSAGE_INVALID', true],
  ['DECISION_ALREADY_ANSWERED', false],
  ['TASK_ENDED', false],
];

test.each(refusals)('an answer that is refused as %s is reported; asked again: %s', async (code, again) => {
  const refused = questions(() => Promise.reject(new HeddleError({ code, message: 'no' })));
  refused.show(1, decision());
  refused.open.take((panel) => takeLine(panel, 'retry'));
  expect([refused.sent, refused.open.panel.shown]).toEqual([[{ decisionId: 'deploy-1', option: 'retry' }], null]);
  await refused.open.close();
  expect(refused.messages).toEqual([code]);
  expect(refused.open.panel.shown).toBe(again ? 'deploy-1' : null);
  expect(refused.counts().changes).toBe(1);
});

test('closing waits for an answer that is on its way', async () => {
  const arrived = Promise.withResolvers<unknown>();
  const { open, show } = questions(() => arrived.promise);
  show(1, decision());
  open.take((panel) => takeLine(panel, 'retry'));
  let closed = false;
  const closing = open.close().then(() => (closed = true));
  await turn();
  expect(closed).toBe(false);
  arrived.resolve(undefined);
  await closing;
});

test('in plain lines a question is read from top to bottom, with what every answer does', () => {
  const { open, show } = questions();
  show(1, decision({ deadline: at(60), onTimeout: 'skip' }), decision({ id: 'b-1' }));
  expect(plainQuestion(open.panel)).toEqual([
    '',
    'Question 1 of 2: deploy-1, escalation, about deploy',
    'deploy ended with an error.',
    'Tried: Attempt 1, tier 1, failed in 2 s: no route',
    '1. Try again: Runs deploy again.',
    '2. Try again with my instruction [recommended]: Runs it with your words.',
    '3. Stop the task [cannot be undone]: Nothing more is started.',
    '4. Decide later: The question stays open; everything else keeps running.',
    `Until ${at(60)}, then: skip`,
    'Type a number and press Enter.',
  ]);
  open.take((panel) => takeLine(panel, 'fix'));
  expect(plainQuestion(open.panel)).toEqual(['deploy-1, fix: What should be done differently? One line, then Enter.']);
  for (const line of ['', 'later', 'later']) open.take((panel) => takeLine(panel, line));
  expect(plainQuestion(open.panel)).toEqual(['2 open questions. Press Enter to answer.']);
});

async function keysOf(...chunks: string[]): Promise<Press[]> {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const pressed: Press[] = [];
  const keyboard = new Keyboard({ input, output: capture() }, (press) => pressed.push(press));
  keyboard.hold();
  for (const chunk of chunks) {
    input.write(chunk);
    await turn();
  }
  keyboard.release();
  return pressed;
}

test('keys come one by one, a paste in one piece, also when it arrives in two', async () => {
  const named = (await keysOf('\u001b[B', 'j漢\r', '\u0003')).map((press) =>
    'pasted' in press ? press : [press.name, press.text, press.ctrl],
  );
  expect(named).toEqual([
    ['down', '\u001b[B', false],
    ['j', 'j', false],
    [undefined, '漢', false],
    ['return', '\r', false],
    ['c', '\u0003', true],
  ]);
  expect(await keysOf('\u001b[200~one\rt', 'wo 漢\u001b[201~', 'x')).toMatchObject([
    { pasted: 'one\rtwo 漢' },
    { name: 'x' },
  ]);
});

test('the terminal is taken and given back as it was', () => {
  const modes: boolean[] = [];
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (raw: boolean) => modes.push(raw) });
  const output = capture();
  const keyboard = new Keyboard({ input, output }, () => undefined);
  keyboard.hold();
  keyboard.hold();
  keyboard.release();
  keyboard.release();
  expect(modes).toEqual([true, false]);
  expect(output.text()).toBe('\u001b[?2004h\u001b[?2004l');
  expect([input.listenerCount('keypress'), input.isPaused()]).toEqual([0, true]);
});
