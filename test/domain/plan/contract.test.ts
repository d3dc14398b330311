/* The example of the contract: it is accepted, and every value of it arrives in the task. */
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { limits } from '../../../domain/limits/domain-limits.ts';
import { completePlan } from '../../../domain/plan/complete-plan.ts';
import { accepted } from './plan-sample.ts';

const example = String.raw`
goal: Publish the release notes
project: website                 # memory is shared inside a project; default: folder name and a short hash of its path
workspace: .                     # default: the current folder
approval: off                    # default off (gates and escalations ask); auto | manual | threshold; or { mode: threshold, at: 0.7, onTimeout: wait }
planApproval: false
maxParallelSubtasks: 5
escalationPause: 5               # this many escalations pause the task
budget: { wallClock: 30m, costUsd: 2.50, modelCalls: 200, tokens: 400000 }
ladder:                          # default: the five rungs of behaviour.md
  - { tier: assigned }
  - { tier: assigned, feedback: true }
  - { tier: next, retry: { initialInterval: 1s, backoff: 2, maximumInterval: 1m, maximumAttempts: 6 } }   # Temporal's retry policy
  - { tier: highest, thinking: true, timeout: 40m, restore: false }
  - { person: true }
recovery: { timeout: { tries: 2 }, missing-sections: { tries: 3 } }   # overrides by failure type; also per subtask
executor: { kind: command, run: ["./agent.sh"], prompt: stdin }       # default of all subtasks
subtasks:
  - id: draft
    description: Write NOTES.md from the git log since the last tag
    dependsOn: []
    tier: 1
    executor: { kind: command, run: ["sh", "-c", "..."], timeout: 10m, env: [GH_TOKEN], onCrash: rerun }
    deliverables: [NOTES.md]
    verify: ["grep -q '^## ' NOTES.md"]
    verification: 1              # tier 1, 2 or 3
    criteria: ["every merged change is named"]
    requiredSections: ["Changes", "Upgrade"]
    rules: [{ pattern: "TODO", in: ["*.md"], must: absent, severity: hard }]
    diff: false                  # true: the output is a unified diff that must apply
    role: writer                 # names the recovery overrides and persona of a role in the config
    isolation: shared            # or worktree
    allowPartial: false
    maxAttempts: 8
    critical: false
    synthesis: false
`;

const minute = 60_000;
const retry = limits.transientRetry;

describe('the plan of the contract', () => {
  test('is accepted and completed', () => {
    expect(completePlan(accepted(parse(example)))).toEqual({
      goal: 'Publish the release notes',
      project: 'website',
      workspace: '.',
      shareWorkspace: false,
      approval: { mode: 'off', at: 0.8, onTimeout: 'wait' },
      planApproval: false,
      planning: { degraded: 'allow', tries: 3 },
      maxParallelSubtasks: 5,
      escalationPause: 5,
      budget: { wallClock: 30 * minute, costUsd: 2.5, modelCalls: 200, tokens: 400_000 },
      ladder: [
        { tier: 'assigned', feedback: false, thinking: false, person: false, retry },
        { tier: 'assigned', feedback: true, thinking: false, person: false, retry },
        {
          tier: 'next',
          feedback: false,
          thinking: false,
          person: false,
          retry: { initialInterval: 1_000, backoff: 2, maximumInterval: minute, maximumAttempts: 6 },
        },
        { tier: 'highest', feedback: false, thinking: true, person: false, retry, timeout: 40 * minute },
        { tier: 'highest', feedback: false, thinking: false, person: true, retry },
      ],
      subtasks: [
        {
          id: 'draft',
          description: 'Write NOTES.md from the git log since the last tag',
          dependsOn: [],
          tier: 1,
          executor: {
            kind: 'command',
            run: ['sh', '-c', '...'],
            prompt: 'stdin',
            timeout: 10 * minute,
            env: ['GH_TOKEN'],
            onCrash: 'rerun',
          },
          deliverables: ['NOTES.md'],
          verify: ["grep -q '^## ' NOTES.md"],
          criteria: ['every merged change is named'],
          requiredSections: ['Changes', 'Upgrade'],
          rules: [{ pattern: 'TODO', in: ['*.md'], must: 'absent', severity: 'hard' }],
          diff: false,
          contractCheck: 'warn',
          role: 'writer',
          allowPartial: false,
          maxAttempts: 8,
          critical: false,
          synthesis: false,
          recovery: { timeout: { tries: 2 }, 'missing-sections': { tries: 3 } },
        },
      ],
    });
  });

  test('may have any value that its comments name', () => {
    for (const approval of ['auto', 'manual', 'threshold', { mode: 'threshold', at: 0.7, onTimeout: 'wait' }]) {
      accepted({ ...Object(parse(example)), approval });
    }
    const executor = { kind: 'activity', name: 'myActivity', taskQueue: 'my-queue' };
    const subtasks = [{ id: 'draft', executor, recovery: { auth: { tries: 1 } } }];
    expect(completePlan(accepted({ ...Object(parse(example)), subtasks })).subtasks[0]).toMatchObject({
      executor: { ...executor, timeout: limits.commandTimeout },
      recovery: { timeout: { tries: 2 }, 'missing-sections': { tries: 3 }, auth: { tries: 1 } },
    });
  });
});
