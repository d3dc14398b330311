// Every prompt word for word, and the number of tokens that our own text costs in every call.
import { formatMaterial } from '../../../domain/lessons/extraction-request.ts';
import { estimateTokenCount } from 'tokenx';
import { describe, expect, test } from 'vitest';
import { outputForm, systemPrompt } from '../../../activities/prompts/system-prompt.ts';
import type { Exchange } from '../../../domain/conversation/exchange.ts';
import { agent } from '../../../domain/executors/agent.ts';
import { summaryRequest } from '../../../domain/compaction/summary-prompt.ts';
import { judgeRequest, judgeValues, repairRequest } from '../../../domain/judges/judge-prompt.ts';
import { diagnosisRequest } from '../../../domain/planner/diagnosis.ts';
import { rewordingRequest } from '../../../domain/planner/rewording-reply.ts';
import { plannerFeedback, plannerRequest, plannerValues } from '../../../domain/planner/planner-prompt.ts';
import { replannerRequest, replannerValues } from '../../../domain/planner/replanner-prompt.ts';
import { agentState } from '../../../domain/prompts/agent-prompt.ts';
import { buildPrompt } from '../../../domain/prompts/prompt.ts';
import { promptNames, type PromptChanges, type PromptName } from '../../../domain/types/basic/prompt-sections.ts';
import { conversationOf, reads } from '../../domain/compaction/support.ts';
import { subtask } from '../execute/program/support-subtask.ts';

/** A goal that looks like a part of our own files: it stays as it is. */
const goal = 'Describe {{tools}} in NOTES.md';
const notes = subtask('notes', {
  description: 'Write NOTES.md',
  deliverables: ['NOTES.md'],
  criteria: ['every tool is named'],
  executor: agent.complete({ kind: 'agent' }, { timeout: 1_000 }),
});
const brief = { counts: { running: 1 }, subtasks: [{ id: 'notes', status: 'running' as const }] };
const exchanges: readonly Exchange[] = conversationOf([reads('a.md', 'text')]).exchanges;

/** The messages after each system prompt, for a fixed task. */
const messages: Readonly<Record<PromptName, readonly string[]>> = {
  planner: [
    plannerRequest({ goal, files: ['src/a.ts'], isCut: false, comments: ['fewer subtasks'] }, 1_000),
    plannerFeedback(['subtasks[0].id: It is missing.']),
  ],
  replanner: [
    replannerRequest(
      {
        ...{ goal, files: ['src/a.ts'], isCut: false, before: [notes] },
        have: {
          ...{
            version: 1,
            reason: 'notes failed 3 times',
            pages: [],
            exhausted: ['notes'],
            steering: ['Be brief'],
            left: 2,
          },
          subtasks: [{ id: 'notes', status: 'waiting', attempts: 3, reason: 'the check fails' }],
        },
      },
      1_000,
    ),
  ],
  diagnosis: [diagnosisRequest(notes, [])],
  escalation: [rewordingRequest(notes, { failures: [], problem: 'notes ended with an error.' })],
  executor: [
    [
      buildPrompt({
        goal,
        subtask: notes,
        attempt: 1,
        context: { guidance: [], steering: ['Be brief'], retry: null },
        dependencies: [],
      }),
      agentState({ subtaskId: 'notes', attempt: 1, brief, readRoots: ['/data'] }),
    ].join('\n\n'),
  ],
  judge: [
    judgeRequest(
      {
        goal,
        subtask: notes,
        verdict: {
          outcome: 'pass',
          issues: [],
          commands: [{ command: 'test -s NOTES.md', name: 'notes are written', exit: 0, summary: '' }],
          files: [],
        },
        diff: '+ {{lens}}',
        excerpts: [{ path: 'NOTES.md', text: '# Notes' }],
        output: '',
      },
      1_000,
    ),
    repairRequest('It is fine.', outputForm('judge', judgeValues('overall'))),
  ],
  extractor: [
    formatMaterial(
      notes,
      {
        ...{ subtask: 'notes', attempt: 2, passed: true, failures: [], recalled: [] },
        ...{ notes: 'Added the headings.', files: ['NOTES.md'], corrections: ['Keep <it> short'] },
      },
      [{ id: 'l-0123456789', text: 'Give each change a heading.' }],
    ),
  ],
  compactor: [summaryRequest({ first: 'Write NOTES.md', modelSummary: undefined, exchanges, most: 1_000 })],
};

const systems: Readonly<Record<PromptName, (changes?: PromptChanges) => string>> = {
  planner: (changes) => systemPrompt('planner', plannerValues, changes),
  replanner: (changes) => systemPrompt('replanner', replannerValues, changes),
  diagnosis: (changes) => systemPrompt('diagnosis', {}, changes),
  escalation: (changes) => systemPrompt('escalation', {}, changes),
  executor: (changes) => systemPrompt('executor', {}, changes),
  judge: (changes) => systemPrompt('judge', judgeValues('overall'), changes),
  extractor: (changes) => systemPrompt('extractor', {}, changes),
  compactor: (changes) => systemPrompt('compactor', {}, changes),
};

/** A little above what they cost: more is a decision. */
const mostTokens: Readonly<Record<PromptName, number>> = {
  planner: 440,
  replanner: 560,
  diagnosis: 165,
  escalation: 165,
  executor: 185,
  judge: 265,
  extractor: 225,
  compactor: 155,
};

describe('the prompt', () => {
  test.each(promptNames)('%s reads as in its golden file', async (name) => {
    const text = [systems[name](), ...messages[name]].join('\n\n--------\n\n');
    await expect(`${text}\n`).toMatchFileSnapshot(`golden/${name}.txt`);
  });

  test.each(promptNames)('%s costs no more tokens before its task than it may', (name) => {
    const most = mostTokens[name];
    const tokens = estimateTokenCount(systems[name]());
    expect(tokens).toBeLessThan(most);
    // A bound far above says nothing.
    expect(tokens).toBeGreaterThan(most * 0.9);
  });
});

test('what a user changes reads as in its golden file', async () => {
  const changes: PromptChanges = {
    judge: {
      role: { replace: 'You are the reviewer of a bank.' },
      constraints: '- Names are written as in the style guide, {{lens}} or not.',
      output: 'Write `feedback` in German.',
    },
  };
  await expect(`${systems.judge(changes)}\n`).toMatchFileSnapshot('golden/judge-changed.txt');
  expect(systems.planner(changes)).toBe(systems.planner());
  expect(outputForm('judge', judgeValues('overall'), changes)).toMatch(/in German\.$/);
});

test('judges that vote look from different sides', () => {
  const prompts = (['correctness', 'completeness', 'evidence'] as const).map((lens) =>
    systemPrompt('judge', judgeValues(lens), { judge: { role: { replace: 'You are strict.' } } }),
  );
  expect(new Set(prompts).size).toBe(3);
});
