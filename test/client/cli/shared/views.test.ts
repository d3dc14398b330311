// The output of a task for people and programs: lines, NDJSON, status, questions, summary, errors, links.
import { setImmediate } from 'node:timers/promises';
import type { Problem } from '../../../../domain/errors/heddle-error.ts';
import { expect, test } from 'vitest';
import { buildAnswer } from '../../../../client/cli/commands/answer-commands.ts';
import { JsonView } from '../../../../client/terminal/follow/json-view.ts';
import { LineView } from '../../../../client/terminal/follow/line-view.ts';
import { PlainView } from '../../../../client/terminal/follow/plain-view.ts';
import { Output } from '../../../../client/cli/shared/output.ts';
import { noColour } from '../../../../client/terminal/text/paint.ts';
import { renderDecision } from '../../../../client/terminal/render/render-decision.ts';
import { renderStatus } from '../../../../client/terminal/render/render-status.ts';
import { findUncovered, formatUncovered } from '../../../../client/workspace/uncovered.ts';
import { renderSummary } from '../../../../client/terminal/render/render-summary.ts';
import { errorLines } from '../../../../client/cli/shared/show-error.ts';
import { taskLink, waitingLink } from '../../../../client/links/web-links.ts';
import { buildReport } from '../../../../domain/report/report.ts';
import type { ShownEvent } from '../../../../domain/types/events.ts';
import type { EventOfTask } from '../../../../workflows/task/messages.ts';
import { at, decision, record, started, status, subtask, testPorts } from './support.ts';

const event = (given: ShownEvent): EventOfTask => ({
  id: 1,
  time: '2026-11-16T10:00:00.123Z',
  taskId: 't1',
  ...given,
});

test('an event is a line of time, subtask and sentence', () => {
  const { ports, stdout } = testPorts();
  const view = new LineView(new Output(ports, { json: false }), { questions: true });
  view.event(event({ type: 'task.started', text: 'Started: x' }));
  view.event(event({ type: 'subtask.started', subtask: 'draft', text: 'draft starts.\u001b[2J' }));
  expect(stdout()).toBe('2026-11-16T10:00:00Z  -  Started: x\n2026-11-16T10:00:00Z  draft  draft starts.\n');
});

test('a subtask that goes well is two lines, its start and its end; the rest is told where something went wrong', () => {
  const { ports, stdout } = testPorts();
  const view = new LineView(new Output(ports, { json: false }), { questions: true });
  const begun = {
    type: 'attempt.started',
    subtask: 'a',
    rung: 1,
    tier: 1,
    thinking: false,
    strategy: 'first',
  } as const;
  const failure = { type: 'tool-failed', category: 'quality', signature: 's' } as const;
  const shownEvents: ShownEvent[] = [
    { type: 'subtask.started', subtask: 'a', text: 'starts' },
    { ...begun, attempt: 1, text: 'attempt 1' },
    { type: 'verdict', subtask: 'a', attempt: 1, outcome: 'fail', text: 'found' },
    { type: 'attempt.failed', subtask: 'a', attempt: 1, failure, text: 'found; again' },
    { ...begun, attempt: 2, text: 'attempt 2' },
    { type: 'verdict', subtask: 'a', attempt: 2, outcome: 'pass-with-warnings', text: 'warned' },
    { type: 'verdict', subtask: 'a', attempt: 2, outcome: 'pass', text: 'checked' },
    { type: 'attempt.passed', subtask: 'a', attempt: 2, text: 'passed' },
    { type: 'subtask.completed', subtask: 'a', verdict: 'pass', text: 'completed' },
  ];
  for (const one of shownEvents) view.event(event(one));
  const texts = stdout().trimEnd().split('\n');
  expect(texts.map((line) => line.split('  ')[2])).toEqual([
    'starts',
    'found; again',
    'attempt 2',
    'warned',
    'completed',
  ]);
});

test.each([
  [{}, true, 80, true],
  [{ NO_COLOR: '1' }, true, 80, false],
  [{ HEDDLE_PLAIN: '1' }, false, Infinity, false],
  [{ HEDDLE_PLAIN: '0' }, true, 80, true],
  [{ TERM: 'dumb' }, false, Infinity, false],
])('a terminal with %j: live %s, %s columns, colours %s', (env, live, width, colours) => {
  const { ports } = testPorts({ env }, { isTTY: true, columns: 80 });
  const output = new Output(ports, { json: false });
  expect([output.live, output.width, output.paint('red', 'x') !== 'x']).toEqual([live, width, colours]);
});

test('a question brings its choices and the command that answers it, unless the command ends with them', async () => {
  const opened = event({ type: 'decision.opened', text: 'deploy failed', subtask: 'deploy', decision: decision() });
  const shown = testPorts();
  const view = new LineView(new Output(shown.ports, { json: false }), { questions: true });
  view.event(opened);
  await setImmediate();
  expect(shown.stdout()).toContain('Answer: heddle decide t1 deploy-1 OPTION');
  const ends = testPorts();
  new LineView(new Output(ends.ports, { json: false }), { questions: false }).event(opened);
  expect(ends.stdout().split('\n')).toHaveLength(2);
});

test('the choices of a question that was answered long ago are not offered to somebody who looks later', async () => {
  const { ports, stdout } = testPorts();
  const view = new LineView(new Output(ports, { json: false }), { questions: true });
  const opened = (id: string): void =>
    view.event(event({ type: 'decision.opened', text: 'deploy failed.', decision: decision({ id }) }));
  opened('deploy-1');
  const answer = { decisionId: 'deploy-1', option: 'retry', by: 'ana', source: 'person' } as const;
  view.event(event({ type: 'decision.answered', text: 'ana answered deploy-1: retry.', ...answer }));
  opened('deploy-2');
  await view.close();
  expect(stdout()).not.toContain('heddle decide t1 deploy-1');
  expect(stdout()).toContain('heddle decide t1 deploy-2');
});

test('a question that comes up while one looks brings its choices, however soon it is answered', () => {
  const { ports, stdout } = testPorts();
  const view = new LineView(new Output(ports, { json: false }), { questions: true });
  const opened = event({ type: 'decision.opened', text: 'deploy failed.', decision: decision() });
  view.event({ ...opened, time: new Date(Date.now() + 1_000).toISOString() });
  const answer = { decisionId: 'deploy-1', option: 'retry', by: 'ana', source: 'person' } as const;
  view.event(event({ type: 'decision.answered', text: 'ana answered deploy-1: retry.', ...answer }));
  expect(stdout()).toContain('heddle decide t1 deploy-1');
});

test('plain lines tell what led to a question before they ask it, whichever comes first', async () => {
  const { ports, stdout } = testPorts();
  const handle = { decide: () => Promise.reject(new Error('not here')) };
  const view = new PlainView({ ports, output: new Output(ports, { json: false }) }, handle, 1);
  view.status(status({ decisions: [decision()], lastEventId: 3 }));
  view.event({ ...event({ type: 'subtask.started', subtask: 'deploy', text: 'deploy starts.' }), id: 2 });
  expect(stdout()).not.toContain('Question');
  view.event({ ...event({ type: 'decision.opened', text: 'deploy failed.', decision: decision() }), id: 3 });
  expect(stdout()).toMatch(/deploy failed\.\n\nQuestion: deploy-1/);
  await view.close();
});

test('plain lines ask at once where nothing is left to tell', async () => {
  const { ports, stdout } = testPorts();
  const handle = { decide: () => Promise.reject(new Error('not here')) };
  const view = new PlainView({ ports, output: new Output(ports, { json: false }) }, handle, 3);
  view.status(status({ decisions: [decision()], lastEventId: 3 }));
  expect(stdout()).toContain('Question: deploy-1');
  await view.close();
});

test('trouble is told once, on stderr', () => {
  const { ports, stdout, stderr } = testPorts();
  const view = new LineView(new Output(ports, { json: false }), { questions: true });
  for (const what of [undefined, 'no worker is responding', 'no worker is responding', undefined]) view.trouble(what);
  expect([stdout(), stderr()]).toEqual(['', '… no worker is responding; still trying\n']);
});

test('NDJSON has the events as they are, and what attempts print only when it changes, without a number', () => {
  const { ports, stdout } = testPorts();
  const view = new JsonView(new Output(ports, { json: true }), 't1');
  const verdict = event({ type: 'verdict', text: 'ok', subtask: 'a', attempt: 1, outcome: 'pass' });
  view.event(verdict);
  const beat = (line: string): void => view.activity([{ subtask: 'a', attempt: 1, line }]);
  for (const line of ['', 'one', 'one', 'two']) beat(line);
  view.missing({ from: 1, to: 9 }, 'h2');
  const lines = stdout()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines[0]).toEqual(verdict);
  expect(lines.slice(1, 3)).toMatchObject([
    { type: 'activity', taskId: 't1', subtask: 'a', attempt: 1, text: 'one' },
    { type: 'activity', text: 'two' },
  ]);
  expect(lines[3]).toMatchObject({
    type: 'archived',
    from: 1,
    to: 9,
    host: 'h2',
    text: expect.stringContaining('9 older') as string,
  });
  expect(lines.slice(1).every((line) => !('id' in line))).toBe(true);
});

test('a question in full', () => {
  expect(renderDecision('t1', decision({ deadline: at(60), onTimeout: 'skip' }), noColour)).toEqual([
    '? deploy-1 (escalation, deploy)',
    '  deploy ended with an error.',
    '  - Attempt 1, tier 1, failed in 2 s: no route',
    '  What was printed: heddle logs t1 deploy',
    '  retry  Try again: Runs deploy again.',
    '  fix    Try again with my instruction: Runs it with your words. [recommended]',
    '  abort  Stop the task: Nothing more is started. [cannot be undone]',
    `  Until ${at(60)}, then: skip`,
    '  Answer: heddle decide t1 deploy-1 OPTION',
  ]);
});

test('a status begins with its sentence and ends with what is asked', () => {
  const view = status({
    state: 'waiting',
    summary: 'Waiting for your answer about deploy',
    subtasks: [
      subtask('draft', { state: 'completed', attempts: 2, rung: 2, verdict: 'pass', startedAt: at(0), endedAt: at(4) }),
      subtask('deploy', {
        state: 'waiting',
        attempts: 1,
        waitingFor: 'deploy-1',
        startedAt: at(4),
        dependsOn: ['draft'],
      }),
    ],
    decisions: [decision()],
    budget: {
      costUsd: { used: 0.125, limit: 2.5 },
      wallClock: { used: 60_000, limit: 1_800_000 },
      tokens: { used: 5, limit: null },
    },
  });
  const lines = renderStatus(view, { link: 'http://ui/t1', now: Date.parse(at(10)), width: 120, paint: noColour });
  expect(lines.slice(0, 14)).toEqual([
    '? Waiting for your answer about deploy',
    '',
    'Task       t1 (waiting)',
    'Goal       Publish the notes',
    'Project    website',
    'Workspace  /w',
    'Host       h1',
    `Started    ${started}`,
    'Budget     cost: 0.13 USD of 2.50 USD',
    '           time: 1 min of 30 min',
    'Web UI     http://ui/t1',
    '',
    '   SUBTASK  STATE      ATTEMPTS  TIER  RUNG',
    '✓  draft    completed  2         1     2     4 s',
  ]);
  expect(lines[14]).toBe('?  deploy   waiting    1         1     1     waits for your answer (deploy-1) · 6 s');
  expect(lines.at(-1)).toBe('  Answer: heddle decide t1 deploy-1 OPTION');
});

test('the summary says what it came to, what was left out, and where to look', () => {
  const view = status({
    state: 'failed',
    summary: 'deploy failed',
    endedAt: at(65),
    subtasks: [
      subtask('draft', { state: 'completed' }),
      subtask('deploy', { state: 'failed' }),
      subtask('lint', { state: 'skipped', reason: 'ana chose to continue without it' }),
      subtask('style', { state: 'skipped', reason: null }),
    ],
  });
  const records = [
    record({ outcome: 'failed', type: 'tool-failed', signature: 's' }),
    record({ attempt: 2, rung: 2, reruns: 1 }),
    record({ subtask: 'deploy', outcome: 'failed', type: 'timeout', signature: 'u' }),
  ];
  const events = [event({ type: 'decision.opened', text: '', decision: decision() })];
  const lines = renderSummary(buildReport(view, records, events), {
    status: view,
    link: 'http://ui/t1',
    paint: noColour,
  });
  expect(lines).toEqual([
    '',
    '✗ Failed in 1 min 5 s: deploy failed',
    '  Subtasks  1 of 4 completed, 1 failed or blocked, 2 skipped',
    '  Attempts  3, 1 subtask recovered after a failure, 1 question to a person, 1 rerun after a crash',
    '  Skipped   lint: ana chose to continue without it',
    '            style',
    '  Files     /w',
    '  Output    heddle logs t1',
    '  Report    heddle report t1',
    '  Web UI    http://ui/t1',
  ]);
});

test('the summary says what undo does not cover', () => {
  const view = status({ state: 'completed', endedAt: at(65), subtasks: [subtask('draft', { state: 'completed' })] });
  const uncovered = formatUncovered({ outside: [{ path: 'node_modules', why: 'generated' }], gaps: [] });
  const about = { status: view, link: null, paint: noColour, ...(uncovered && { uncovered }) };
  expect(renderSummary(buildReport(view, [], []), about)).toContain('  Undo      does not cover node_modules');
  expect(formatUncovered({ outside: [], gaps: [] })).toBe(undefined);
});

test('what undo covers is unknown where the snapshots cannot be read, and not asked while a task runs', async () => {
  const subtasks = [subtask('draft', { state: 'completed', attempts: 1 })];
  const files = { diffTask: () => Promise.reject(new Error('the folder is gone')) };
  const uncovered = await findUncovered(files, status({ endedAt: at(65), subtasks }));
  expect(formatUncovered(uncovered)).toBe('it is not known what it covers: the folder is gone');
  expect(await findUncovered(files, status({ subtasks }))).toBe(undefined);
});

test('an error is a line each for what, where and what to do; what is not known is left out', () => {
  expect(errorLines({ code: 'NO_WORKER', message: 'It\nbroke' }, noColour)).toEqual(['error: It broke (NO_WORKER)']);
  const several: Problem = { code: 'PLAN_INVALID', message: 'Two problems.', where: 'p.yaml', hint: 'Correct them.' };
  const problems: Problem[] = [
    { code: 'PLAN_CYCLE', message: 'One', where: 'p.yaml:1:2', hint: 'Do this.' },
    { code: 'PLAN_EMPTY', message: 'Two' },
  ];
  expect(errorLines({ ...several, problems }, noColour)).toEqual([
    'error: Two problems. (PLAN_INVALID)',
    '  where: p.yaml',
    '  - One (PLAN_CYCLE)',
    '    where: p.yaml:1:2',
    '    hint: Do this.',
    '  - Two (PLAN_EMPTY)',
    '  hint: Correct them.',
  ]);
});

test('links have no run id and no slash at the end, and are null without a Web UI', () => {
  const place = { webUi: 'http://ui:8233/', namespace: 'my space' };
  expect(taskLink(place, 'a.b')).toBe('http://ui:8233/namespaces/my%20space/workflows/task-a.b');
  expect(waitingLink(place)).toMatch(
    /^http:\/\/ui:8233\/namespaces\/my%20space\/workflows\?query=%60HeddleWaitingOn%60/,
  );
  expect([taskLink({ ...place, webUi: null }, 'x'), waitingLink({ ...place, webUi: null })]).toEqual([null, null]);
});

const target = { task: 't', decision: 'deploy-1', option: 'fix' };

test('an answer holds what was given and nothing else, and who gave it', () => {
  expect(buildAnswer(target, { by: 'ana' }, {})).toEqual({ decisionId: 'deploy-1', option: 'fix', by: 'ana' });
  const all = { instruction: 'use staging', value: '{"limit": [1, null]}', scope: 'signature', by: 'ana' } as const;
  expect(buildAnswer(target, all, {})).toEqual({
    decisionId: 'deploy-1',
    option: 'fix',
    instruction: 'use staging',
    value: { limit: [1, null] },
    scope: 'signature',
    by: 'ana',
  });
  expect(buildAnswer(target, {}, {}).by).toMatch(/\S/);
  expect(buildAnswer(target, { value: 'null' }, {})).toHaveProperty('value', null);
});

test.each(['{', 'text', ''])('the value %j is refused as no JSON', (value) => {
  expect(() => buildAnswer(target, { value }, {})).toThrow(/The value is not JSON/);
});
