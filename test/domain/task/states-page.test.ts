// docs/architecture/states.md is made from the table of transitions: `npx vitest run test/domain/task/states-page.test.ts -u` writes it again.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { transitions } from '../../../domain/task/phase-transitions.ts';
import { statusOf, type Phase, type PhaseName } from '../../../domain/task/subtask-phase.ts';
import { hasEnded } from '../../../domain/types/subtask.ts';

const page = join(import.meta.dirname, '..', '..', '..', 'docs', 'architecture', 'states.md');

const passed = { verdict: 'pass', result: { status: 'success', ref: { sha256: '', bytes: 0 } } } as const;

/** One of each phase, and a sentence about it. */
const phases: { [Name in PhaseName]: [Phase & { name: Name }, string] } = {
  waiting: [{ name: 'waiting' }, 'A dependency has not ended well yet.'],
  ready: [{ name: 'ready' }, 'It starts as soon as a slot, and a share of the budget, is free.'],
  delayed: [{ name: 'delayed', notBefore: 0 }, 'The next attempt starts after a backoff.'],
  running: [{ name: 'running' }, 'An execution, a verification or a judge works on its attempt. It holds a slot.'],
  suspended: [
    {
      name: 'suspended',
      notBefore: null,
      suspension: { why: 'wait', resumeFrom: { phase: 'execute', checkpoint: null } },
    },
    'Its attempt is open, and no execution of it runs. It holds no slot.',
  ],
  passed: [{ name: 'passed', passed }, 'Its attempt passed. The next event completes it or asks for approval.'],
  unresolved: [{ name: 'unresolved' }, 'Its attempt ended without a result. The next event asks a person or ends it.'],
  parked: [{ name: 'parked' }, 'It owes evidence, and its last try waits until all others are done.'],
  asked: [{ name: 'asked', decision: 'a-1', kept: null }, 'A question about it is open.'],
  answered: [{ name: 'answered', kept: null }, 'Its question is answered. The effect follows, or a new plan.'],
  completed: [{ name: 'completed', passed, endedAt: 0 }, 'It has a result.'],
  failed: [{ name: 'failed', reason: '', endedAt: 0 }, 'It has no result, and nobody tries again.'],
  skipped: [{ name: 'skipped', reason: '', endedAt: 0 }, 'The task continues without it.'],
  blocked: [{ name: 'blocked', reason: '', endedAt: 0 }, 'A subtask that it needs has failed.'],
};

const names = Object.keys(transitions) as PhaseName[];

/** Arrows of the diagram; events between the same two phases share one. */
function drawArrows(): string[] {
  return names.flatMap((from) => {
    const labels = new Map<PhaseName, string[]>();
    for (const [event, followers] of Object.entries(transitions[from]))
      for (const to of followers) labels.set(to, [...(labels.get(to) ?? []), event]);
    return [...labels].map(([to, events]) => `    ${from} --> ${to}: ${events.join(', ')}`);
  });
}

function formatTable(rows: string[][]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = rows.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`);
  return lines.toSpliced(1, 0, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`);
}

function formatPage(): string {
  const isEnd = (name: PhaseName): boolean => hasEnded(statusOf({ phase: phases[name][0] }));
  return [
    '# States of a subtask',
    '',
    'A subtask is in one phase at a time. Events move it; every other move is refused. The table is',
    '`domain/task/phase-transitions.ts`, and a test makes this page from it.',
    '',
    '```mermaid',
    'stateDiagram-v2',
    '    [*] --> waiting',
    ...drawArrows(),
    ...names.filter(isEnd).map((name) => `    ${name} --> [*]`),
    '```',
    '',
    '`status` of the contract is derived from the phase:',
    '',
    ...formatTable([
      ['Phase', 'Status', 'Meaning'],
      ...names.map((name) => [`\`${name}\``, `\`${statusOf({ phase: phases[name][0] })}\``, phases[name][1]]),
    ]),
    '',
  ].join('\n');
}

test('the page on states shows the table of transitions', async () => {
  await expect(formatPage()).toMatchFileSnapshot(page);
});

test('every phase but an end leads on, and no end does', () => {
  for (const name of names)
    expect([name, Object.keys(transitions[name]).length === 0]).toEqual([
      name,
      hasEnded(statusOf({ phase: phases[name][0] })),
    ]);
});
