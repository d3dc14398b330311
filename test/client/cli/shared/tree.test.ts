// The live tree: what each row says, that it always fits, and that it is drawn again in place.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { colour, noColour } from '../../../../client/terminal/text/paint.ts';
import { renderTree, type TreeInput } from '../../../../client/terminal/render/render-tree.ts';
import { plainQuestion } from '../../../../client/terminal/render/plain-question.ts';
import { renderQuestion } from '../../../../client/terminal/render/render-question.ts';
import { Screen } from '../../../../client/terminal/follow/screen.ts';
import { displayWidth } from '../../../../client/terminal/text/terminal-text.ts';
import { treeOrder } from '../../../../client/terminal/render/tree-order.ts';
import type { SubtaskView } from '../../../../domain/views/task-status.ts';
import type { OptionId } from '../../../../domain/types/decision.ts';
import { emptyPanel, press, takeOpen } from '../../../../client/terminal/ask/question-panel.ts';
import { at, capture, decision, started, status, subtask } from './support.ts';

const input = (given: Partial<TreeInput> = {}): TreeInput => ({
  status: status(),
  activity: [],
  tiers: new Map(),
  recent: [],
  notice: [],
  trouble: undefined,
  link: null,
  panel: undefined,
  now: Date.parse(started) + 60_000,
  width: 100,
  height: 40,
  paint: noColour,
  ...given,
});

const row = (view: SubtaskView, given: Partial<TreeInput> = {}): string =>
  renderTree(input({ ...given, status: given.status ?? status({ subtasks: [view] }) }))[2] ?? '';

const states: [name: string, view: SubtaskView, line: string][] = [
  ['pending, first', subtask('a'), '  ◌ a  ready'],
  [
    'wait with its reason',
    subtask('a', { notBefore: at(65), reason: 'The disk is full.', attempts: 1, startedAt: at(1) }),
    '  ◌ a  Retrying in 5 s: the disk is full',
  ],
  ['backoff', subtask('a', { notBefore: at(65), attempts: 1, startedAt: at(1) }), '  ◌ a  again in 5 s'],
  ['running', subtask('a', { state: 'running', attempts: 1, startedAt: at(50) }), '  ● a  10 s'],
  ['second attempt', subtask('a', { state: 'running', attempts: 2, startedAt: at(50) }), '  ● a  attempt 2 · 10 s'],
  [
    'second attempt of a known number, with its cost',
    subtask('a', { state: 'running', attempts: 2, maxAttempts: 8, startedAt: at(50), costUsd: 0.0123, tokens: 12_300 }),
    '  ● a  attempt 2 of 8 · 10 s · $0.012, 12k tokens',
  ],
  [
    'tokens without a price',
    subtask('a', { state: 'completed', attempts: 1, verdict: 'pass', startedAt: at(1), endedAt: at(3), tokens: 1_840 }),
    '  ✓ a  2 s · 1.8k tokens',
  ],
  [
    'raised tier',
    subtask('a', { state: 'running', attempts: 3, tier: 2, startedAt: at(50) }),
    '  ● a  attempt 3, tier 2 · 10 s',
  ],
  [
    'waiting',
    subtask('a', { state: 'waiting', attempts: 4, waitingFor: 'a-1', startedAt: at(30) }),
    '  ? a  waits for your answer (a-1) · 4 attempts · 30 s',
  ],
  [
    'completed',
    subtask('a', { state: 'completed', attempts: 1, verdict: 'pass', startedAt: at(1), endedAt: at(3) }),
    '  ✓ a  2 s',
  ],
  [
    'partial',
    subtask('a', { state: 'completed', attempts: 2, verdict: 'partial-verified', startedAt: at(1), endedAt: at(3) }),
    '  ✓ a  partial-verified · 2 attempts · 2 s',
  ],
  [
    'unchecked',
    subtask('a', { state: 'completed', attempts: 1, verdict: 'unchecked', startedAt: at(1), endedAt: at(3) }),
    '  ○ a  unchecked · 2 s',
  ],
  [
    'unchecked and partial',
    subtask('a', { state: 'completed', verdict: 'unchecked', partial: true, startedAt: at(1), endedAt: at(3) }),
    '  ○ a  unchecked, only in part · 2 s',
  ],
  [
    'failed',
    subtask('a', { state: 'failed', attempts: 1, reason: 'no rung is left' }),
    '  ✗ a  failed: no rung is left',
  ],
  ['blocked', subtask('a', { state: 'blocked', reason: 'it needs b' }), '  ✗ a  blocked: it needs b'],
  ['a synthesis that is free to start', subtask('a', { synthesis: true }), '  ◌ a  ready'],
  ['skipped', subtask('a', { state: 'skipped', reason: 'ana chose so' }), '  – a  skipped: ana chose so'],
];

test.each(states)('a subtask that is %s', (_name, view, line) => {
  expect(row(view, { tiers: new Map([['a', 1]]) })).toBe(line);
});

test('the tier is named only when it is above the one the plan gave', () => {
  const view = subtask('a', { state: 'running', attempts: 1, tier: 2, startedAt: at(60) });
  expect(row(view, { tiers: new Map([['a', 2]]) })).toBe('  ● a  0 s');
  expect(row(view, { tiers: new Map([['a', 1]]) })).toBe('  ● a  tier 2 · 0 s');
});

test('the head is the goal and the sentence; the foot is the questions, what happened last, trouble and the link', () => {
  const lines = renderTree(
    input({
      status: status({
        state: 'paused',
        summary: 'Paused: lunch',
        decisions: ['a-1', 'b-1', 'c-1', 'd-1', 'e-1'].map((id) => decision({ id })),
        subtasks: [subtask('a')],
      }),
      recent: ['one.', 'two.', 'three.', 'four.'],
      trouble: 'no worker is responding',
      link: 'http://ui/t1',
    }),
  );
  expect(lines).toEqual([
    '⏸ Publish the notes  paused · 1 min',
    '  Paused: lunch',
    '  ◌ a  paused',
    '? a-1  heddle decide t1 a-1 OPTION',
    '? b-1  heddle decide t1 b-1 OPTION',
    '? c-1  heddle decide t1 c-1 OPTION',
    '? and 2 more: heddle inbox',
    '⏸ heddle resume t1',
    'two.',
    'three.',
    'four.',
    '… no worker is responding',
    'http://ui/t1',
  ]);
});

test('each subtask stands below the deepest of its dependencies, whatever the order of the plan', () => {
  const plan = [
    subtask('publish', { dependsOn: ['draft', 'check'] }),
    subtask('draft'),
    subtask('check', { dependsOn: ['draft'] }),
    subtask('other'),
  ];
  expect(treeOrder(plan).map(({ subtask: { id }, depth }) => `${depth} ${id}`)).toEqual([
    '0 draft',
    '1 check',
    '2 publish',
    '0 other',
  ]);
});

test('a chain is not indented for ever', () => {
  const chain = Array.from({ length: 20 }, (_, i) => subtask(`s${i}`, { dependsOn: i === 0 ? [] : [`s${i - 1}`] }));
  const lines = renderTree(input({ status: status({ subtasks: chain }) }));
  expect(lines.at(-1)).toBe(`${' '.repeat(14)}◌ s19  after s18`);
});

test('what a running attempt prints stands below it, harmless and in one line', () => {
  const subtasks = [subtask('a', { state: 'running', attempts: 1, startedAt: at(59) })];
  const activity = [{ subtask: 'a', attempt: 1, line: 'compiling\u001b[2J \u001b[31mfoo\u001b[0m\r\n' }];
  expect(renderTree(input({ status: status({ subtasks }), activity })).slice(2)).toEqual([
    '  ● a  1 s',
    '    │ compiling foo',
  ]);
  expect(renderTree(input({ status: status({ subtasks }), activity, height: 3 }))).toHaveLength(3);
});

test('a synthesis says that it waits for all others, and for how many', () => {
  const others = (['completed', 'failed', 'running', 'pending'] as const).map((state) => subtask(state, { state }));
  const view = subtask('sum', { synthesis: true, dependsOn: ['running'] });
  const lines = renderTree(input({ status: status({ subtasks: [...others, view] }) }));
  expect(lines).toContain('    ◌ sum  waits for all others (2 to go)');
});

test('a plan that does not fit shows what waits, failed, runs and ended last, and counts the rest', () => {
  const ended = (i: number) => ({ state: 'completed', startedAt: at(i), endedAt: at(i + 1) }) as const;
  const subtasks = [
    ...Array.from({ length: 50 }, (_, i) => subtask(`done${i}`, ended(i))),
    subtask('runs', { state: 'running', startedAt: at(0), attempts: 1 }),
    subtask('broke', { state: 'failed', reason: 'x' }),
    subtask('asks', { state: 'waiting', waitingFor: 'asks-1' }),
    ...Array.from({ length: 40 }, (_, i) => subtask(`later${i}`, { dependsOn: ['runs'] })),
  ];
  const lines = renderTree(input({ status: status({ subtasks }), height: 10 }));
  expect(lines.slice(2)).toEqual([
    '  ? asks  waits for your answer (asks-1)',
    '  ✗ broke  failed: x',
    '  ● runs  1 min',
    '  ✓ done49  1 s',
    '  ✓ done48  1 s',
    '  ✓ done47  1 s',
    '  ✓ done46  1 s',
    '  … and 46 completed, 40 pending',
  ]);
  const activity = [{ subtask: 'runs', attempt: 1, line: 'compiling' }];
  expect(renderTree(input({ status: status({ subtasks }), activity, height: 10 })).slice(2)).toEqual([
    '  ? asks  waits for your answer (asks-1)',
    '  ✗ broke  failed: x',
    '  ● runs  1 min',
    '    │ compiling',
    '  ✓ done49  1 s',
    '  ✓ done48  1 s',
    '  ✓ done47  1 s',
    '  … and 47 completed, 40 pending',
  ]);
  const few = status({ subtasks: subtasks.slice(51) });
  expect(renderTree(input({ status: few, height: 6 })).slice(2)).toEqual([
    '  ? asks  waits for your answer (asks-1)',
    '  ✗ broke  failed: x',
    '  ◌ later0  after runs',
    '  … and 39 pending',
  ]);
});

test('a completed task with an unchecked result has no check mark, and unchecked rows are counted as such', () => {
  const rows = (verdict: string) =>
    Array.from({ length: 20 }, (_, i) => subtask(`${verdict}${i}`, { state: 'completed', verdict, endedAt: at(i) }));
  const render = (subtasks: SubtaskView[]): string[] =>
    renderTree(input({ status: status({ state: 'completed', subtasks }), height: 10 }));
  const lines = render([...rows('pass'), ...rows('unchecked')]);
  expect(lines[0]).toMatch(/^○ /);
  expect(lines.at(-1)).toMatch(/^ {2}… and \d+ completed, \d+ unchecked$/);
  expect(render(rows('pass'))[0]).toMatch(/^✓ /);
});

test('of 500 subtasks those that fail by the dozen do not hide what runs, waits and ended last', () => {
  const many = (state: SubtaskView['state'], count: number) =>
    Array.from({ length: count }, (_, i) => subtask(`${state}${i}`, { state, startedAt: at(i % 50), endedAt: at(50) }));
  const subtasks = [...many('failed', 100), ...many('completed', 300), ...many('running', 5), ...many('waiting', 95)];
  const lines = renderTree(input({ status: status({ subtasks }), recent: ['one.', 'two.'], height: 23 }));
  expect(lines).toHaveLength(23);
  const shown = (symbol: string): number => lines.filter((line) => line.startsWith(`  ${symbol} `)).length;
  expect(['?', '✗', '●', '✓'].map(shown)).toEqual([5, 5, 4, 4]);
  expect(lines.slice(-3)).toEqual(['  … and 95 failed, 296 completed, 1 running, 90 waiting', 'one.', 'two.']);
});

test('in a narrow terminal the goal is cut, not what has become of it', () => {
  const goal = 'Publish the release notes of 発行 everywhere';
  expect(renderTree(input({ status: status({ goal }), width: 40 }))[0]).toBe(
    '● Publish the release …  running · 1 min',
  );
});

test('a question names the files that failed attempts left changed, on a screen and in plain lines', () => {
  const files = [{ path: 'NOTES.md', state: 'modified' as const, lines: 12 }];
  const panel = takeOpen(emptyPanel, [decision({ files })], 0);
  const sentence = 'Left changed by failed attempts: NOTES.md (modified, 12 lines).';
  expect(renderTree(input({ status: status({ subtasks: [subtask('deploy')] }), panel }))).toContain(`  ${sentence}`);
  expect(plainQuestion(panel)).toContain(sentence);
});

test('a low terminal shows what is asked before rows of the plan, since Enter answers it', () => {
  const subtasks = ['a', 'b', 'c', 'd', 'deploy'].map((id) => subtask(id));
  const panel = takeOpen(emptyPanel, [decision()], 0);
  const at = (height: number): string[] =>
    renderTree(input({ status: status({ subtasks }), panel, width: 60, height }));
  expect(at(3).slice(2)).toEqual(['❯ 2 Try again with my instruction [recommended]: Runs it wi…']);
  expect(at(7).slice(2)).toEqual([
    '  … 5 pending',
    '? deploy-1 (escalation, deploy)',
    '  deploy ended with an error.',
    '  1 Try again: Runs deploy again.',
    '❯ 2 Try again with my instruction [recommended]: Runs it wi…',
  ]);
});

test('a question with what each answer does stands below the plan, which keeps rows of its own', () => {
  const subtasks = Array.from({ length: 30 }, (_, i) => subtask(`s${i}`, { state: i === 0 ? 'running' : 'pending' }));
  const panel = takeOpen(emptyPanel, [decision(), decision({ id: 'deploy-2' })], 0);
  const lines = renderTree(input({ status: status({ subtasks }), panel, width: 60, height: 16 }));
  expect(lines).toEqual([
    '● Publish the notes  running · 1 min',
    '  Running draft',
    '  ● s0',
    '  ◌ s1  ready',
    '  ◌ s2  ready',
    '  ◌ s3  ready',
    '  … and 26 pending',
    '? question 1 of 2: deploy-1 (escalation, deploy)',
    '  deploy ended with an error.',
    '  - Attempt 1, tier 1, failed in 2 s: no route',
    '  1 Try again: Runs deploy again.',
    '❯ 2 Try again with my instruction [recommended]: Runs it',
    '    with your words.',
    '  3 Stop the task [cannot be undone]: Nothing more is start…',
    '  4 Decide later: The question stays open; everything else …',
    '  ↑↓ or 1-9: choose  Enter: answer  Tab: next  Esc: later',
  ]);
});

test('a question keeps the reason of the last failure at 80 columns and 24 lines: its choices are shortened first', () => {
  const subtasks = Array.from({ length: 30 }, (_, i) => subtask(`s${i}`, { state: i === 0 ? 'running' : 'pending' }));
  const one = (id: OptionId) => ({
    id,
    label: `Choose ${id}`,
    consequence: 'many words '.repeat(30),
    reversible: true,
  });
  const options = (['retry', 'fix', 'provide-credentials', 'skip', 'skip-branch', 'replan', 'abort'] as const).map(one);
  const panel = takeOpen(emptyPanel, [decision({ options, problem: 'deploy was refused. '.repeat(6) })], 0);
  const lines = renderTree(input({ status: status({ subtasks }), panel, width: 80, height: 24 }));
  expect(lines).toContain('  - Attempt 1, tier 1, failed in 2 s: no route');
  expect(lines.filter((line) => line.includes('deploy was refused.'))).toHaveLength(2);
  expect(lines.filter((line) => /^. \d Choose /.test(line))).toHaveLength(7);
});

test('half a link is not shown', () => {
  const long = `http://ui/${'x'.repeat(100)}`;
  expect(renderTree(input({ link: long, width: 60 })).join('\n')).not.toContain('http');
});

const anyState = fc.constantFrom<SubtaskView['state']>(
  'pending',
  'running',
  'waiting',
  'completed',
  'failed',
  'blocked',
);
const anyPlan = fc.array(fc.record({ state: anyState, text: fc.string({ unit: 'grapheme', maxLength: 200 }) }), {
  maxLength: 60,
});

const pressed = (name: string) => ({ name, text: '', ctrl: false, meta: false, shift: false });

/** A panel in each of its states, with any text in it. */
function panelWith(text: string, asks: 'choices' | 'words' | 'aside' | 'sent') {
  const options = decision().options.map((option) => ({ ...option, label: text, consequence: text }));
  const given = { problem: text, tried: [text, text], options, deadline: at(90) };
  const fresh = takeOpen(emptyPanel, [decision(given), decision({ ...given, id: 'deploy-2' })], 0);
  const keys = { choices: [], words: ['return'], aside: ['escape', 'escape'], sent: ['up', 'return'] }[asks];
  const after = keys.reduce((panel, name) => press(panel, pressed(name), 10_000).panel, fresh);
  return asks === 'words' ? press(after, { pasted: text }, 10_000).panel : after;
}

test('no line is longer than the terminal is wide, and there are never more lines than it has', () => {
  fc.assert(
    fc.property(
      anyPlan,
      fc.integer({ min: 1, max: 120 }),
      fc.integer({ min: 1, max: 50 }),
      fc.boolean(),
      fc.constantFrom('none', 'choices', 'words', 'aside', 'sent'),
      (plan, width, height, painted, asks) => {
        const subtasks = plan.map(({ state, text }, i) =>
          subtask(`s${i}`, {
            state,
            reason: text,
            attempts: 2,
            startedAt: at(0),
            dependsOn: i > 2 ? [`s${i - 2}`] : [],
          }),
        );
        const text = plan[0]?.text ?? '';
        const activity = subtasks.map(({ id }) => ({ subtask: id, attempt: 1, line: text }));
        const view = status({ subtasks, goal: text, summary: text, decisions: plan.length > 5 ? [decision()] : [] });
        const paint = painted ? colour : noColour;
        const panel = asks === 'none' ? undefined : panelWith(text, asks);
        const space = { width, height, spare: height - 5, now: 0 };
        if (panel !== undefined) expect(renderQuestion(panel, space).length).toBeLessThanOrEqual(height);
        const lines = renderTree(
          input({ status: view, activity, recent: [text, text], notice: [text], panel, width, height, paint }),
        );
        expect(lines.length).toBeLessThanOrEqual(height);
        for (const line of lines) {
          expect(displayWidth(line)).toBeLessThanOrEqual(width);
          expect(line).not.toContain('\n');
        }
      },
    ),
  );
});

test('a drawing goes over the one before, in one piece, and gives the cursor back', () => {
  const stream = capture({ isTTY: true, columns: 10, rows: 20 });
  const screen = new Screen(stream);
  screen.draw(['one', 'two']);
  const first = stream.text();
  expect(first).toContain('\u001b[Kone\n\u001b[Ktwo\n\u001b[J\u001b[?7h');
  screen.draw(['one', 'two']);
  expect(stream.text()).toBe(first);
  screen.draw(['three']);
  const second = stream.text().slice(first.length);
  expect(second).toContain('\u001b[?7l\r\u001b[2A\u001b[Kthree\n\u001b[J\u001b[?7h');
  expect(second.startsWith('\u001b[?2026h\u001b[?25l')).toBe(true);
  expect(second.endsWith('\u001b[?2026l')).toBe(true);
  screen.leave();
  expect(stream.text().endsWith('\u001b[?25h')).toBe(true);
});

test('in a terminal that became narrower, the lines that it broke are counted', () => {
  const stream = capture({ isTTY: true, columns: 20, rows: 20 });
  const screen = new Screen(stream);
  screen.draw(['a line of 17 chars', 'short']);
  stream.columns = 10;
  screen.draw(['x']);
  expect(stream.text()).toContain('\u001b[3A\u001b[Kx');
});

test('what a lower terminal pushed out is drawn over when a higher one brings it back', () => {
  const stream = capture({ isTTY: true, columns: 20, rows: 11 });
  const screen = new Screen(stream);
  screen.draw(['1', '2', '3', '4', '5', '6']);
  stream.rows = 5;
  screen.redraw(['a', 'b']);
  expect(stream.text()).toContain('\u001b[4A\u001b[Ka');
  stream.rows = 11;
  screen.redraw(['c']);
  expect(stream.text()).toContain('\u001b[4A\u001b[Kc');
});

test('a terminal that says 0 for its size is drawn on as one of 80 by 24', () => {
  const { width, height } = new Screen(capture({ isTTY: true, columns: 0, rows: 0 }));
  expect([width, height]).toEqual([80, 23]);
});

test('the request to the model that plans has a line, and its wait counts down', () => {
  const line = 'Asking opus for the plan, try 2 of 3: The reply is empty.';
  const planning = status({ state: 'planning', summary: 'Preparing the plan', subtasks: [] });
  const lines = renderTree(input({ status: planning, activity: [{ subtask: null, attempt: 1, line }] }));
  expect(lines.slice(1)).toEqual(['  Preparing the plan', `  │ ${line}`]);
  const plannerRetry = { at: at(335), reason: 'The provider a cannot be reached.', nth: 5, most: 5 };
  const waiting = renderTree(input({ status: { ...planning, plannerRetry } }));
  expect(waiting[1]).toBe('  Retrying in 4 min 35 s (wait 5 of 5): the provider a cannot be reached');
});
