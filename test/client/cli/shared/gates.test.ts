// The screen of a gated action: exactly what would run, also in a narrow terminal, and how to change it.
import { expect, test } from 'vitest';
import { emptyPanel, press, takeOpen, type QuestionPanel } from '../../../../client/terminal/ask/question-panel.ts';
import { answerWith, askedFor, checkText } from '../../../../client/terminal/ask/panel-text.ts';
import { plainQuestion } from '../../../../client/terminal/render/plain-question.ts';
import { renderDecision } from '../../../../client/terminal/render/render-decision.ts';
import { renderQuestion } from '../../../../client/terminal/render/render-question.ts';
import { noColour } from '../../../../client/terminal/text/paint.ts';
import { displayWidth } from '../../../../client/terminal/text/terminal-text.ts';
import { gateApproval } from '../../../../domain/decisions/ask-gate.ts';
import type { GateAsk } from '../../../../domain/types/agent.ts';
import type { GateApproval } from '../../../../domain/types/decision.ts';
import { agentExecutor, stateOf, subtask, t0 } from '../../../domain/support-task.ts';

function gate(given: Partial<GateAsk> = {}): GateApproval {
  const asks: GateAsk = {
    ...{ kind: 'gate', call: '1.1', tool: 'shell', arguments: { command: "rm -fr 'my build'" } },
    ...{ why: 'It deletes a folder with all that is in it.', hash: 'h', danger: 'delete', signature: null },
    ...given,
  };
  return gateApproval(stateOf([subtask('a', { executor: agentExecutor })]), 'a', asks, t0);
}

const panelOf = (decision: GateApproval): QuestionPanel => ({ ...takeOpen(emptyPanel, [decision], 0), readyAt: 0 });

const textOf = (pieces: ReturnType<typeof renderQuestion>): string[] =>
  pieces.map((line) => line.map((piece) => (typeof piece === 'string' ? piece : piece[1])).join(''));

test('a question in full, with the action in lines of its own and the command that changes it', () => {
  expect(renderDecision('t1', gate(), noColour)).toEqual([
    '? a-1 (approval, a)',
    '  a needs your approval. It deletes a folder with all that is in it.',
    "    rm -fr 'my build'",
    '  approve  Let it run: a does exactly this, once, and continues. [cannot be undone]',
    '  edit     Run it with other arguments: Runs it once with the arguments that you give as the value. a is told what you changed, and continues. [cannot be undone]',
    '  reject   Do not run it: a is told that you rejected it, with your reason, and continues without it. [recommended]',
    '  Answer: heddle decide t1 a-1 OPTION',
    `  With other arguments: heddle decide t1 a-1 edit --value '{"command":"rm -fr '\\''my build'\\''"}'`,
  ]);
});

test('nothing in it hides: what cannot be seen is shown by its number, and spaces stay', () => {
  const decision = gate({ arguments: { command: 'ls  \u001b[2K\u202egnp.x\trm -fr /\u200b' } });
  const [, , action] = renderDecision('t1', decision, noColour);
  expect(action).toBe('    ls  \\u{1b}[2K\\u{202e}gnp.x\\u{9}rm -fr /\\u{200b}');
  const lines = renderDecision('t1', decision, noColour).join('\n');
  expect(lines).not.toMatch(/[\u001b\u202e\u200b]/u);
});

test('arguments of another tool are shown as JSON', () => {
  const lines = renderDecision(
    't1',
    gate({ tool: 'write_file', arguments: { path: '.env', content: 'A=1\n' } }),
    noColour,
  );
  expect(lines.slice(2, 6)).toEqual([
    '    write_file {',
    '      "path": ".env",',
    '      "content": "A=1\\n"',
    '    }',
  ]);
});

test.each([40, 60, 100])('fits %i columns, and says when there is more than fits', (width) => {
  const command = Array.from({ length: 30 }, (_, n) => `rm -fr build-${n} # with all that is in it`).join('\n');
  const panel = panelOf(gate({ arguments: { command } }));
  const lines = textOf(renderQuestion(panel, { width, height: 24, spare: 24, now: 0 }));
  expect(lines.length).toBeLessThanOrEqual(24);
  for (const line of lines.slice(0, -1)) expect(displayWidth(line)).toBeLessThanOrEqual(width);
  expect(lines.join('\n')).toContain('rm -fr build-0');
  expect(lines.join('\n')).toMatch(/… \d+ more lines: heddle inbox/);
  const short = textOf(renderQuestion(panelOf(gate()), { width, height: 24, spare: 24, now: 0 }));
  expect(short.join('\n')).toContain("rm -fr 'my build'");
});

test('a question that is read once has the action too', () => {
  expect(plainQuestion(panelOf(gate()))).toContain("  rm -fr 'my build'");
});

test.each<[string, unknown]>([
  ['not JSON', undefined],
  ['[1]', undefined],
  ['"text"', undefined],
  ['{"command":"ls"}', { command: 'ls' }],
])('new arguments that are written: %s', (form, value) => {
  const decision = gate();
  expect(askedFor(decision, 'edit')).toContain('JSON object');
  expect(askedFor(decision, 'approve')).toBeUndefined();
  expect(checkText(decision, 'edit', form) === undefined).toBe(value !== undefined);
  if (value !== undefined)
    expect(answerWith(decision, 'edit', form)).toEqual({ decisionId: 'a-1', option: 'edit', value });
});

test('Enter at once rejects what can never be allowed for good: it asks for the reason first', () => {
  const key = { name: 'return', text: '', ctrl: false, meta: false, shift: false };
  const { panel, action } = press(panelOf(gate()), key, 1_000_000);
  expect([panel.writing?.option, action]).toEqual(['reject', undefined]);
});
