// A strict process from any starter: its phases are the plan, and its inputs reach commands by their environment alone.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { PlanInput } from '../../../client/index.ts';
import { useRig } from '../../support/rig.ts';

const rig = useRig();

const definition = {
  name: 'write-it',
  description: 'Write a file and check it',
  mode: 'strict',
  goal: 'Write {{inputs.text}} to {{inputs.file}}',
  inputs: {
    text: { description: 'What is written' },
    file: { type: 'path', description: 'Where', default: 'out.txt' },
    count: { type: 'integer', description: 'How often', default: 2, min: 1 },
  },
  phases: [
    {
      id: 'write',
      description: 'Write {{ inputs.text }}',
      executor: {
        kind: 'command',
        run: [
          'sh',
          '-c',
          'printf "%s %s" "$HEDDLE_INPUT_TEXT" "$HEDDLE_INPUT_COUNT" > "$HEDDLE_INPUT_FILE"; echo done',
        ],
      },
      deliverables: ['{{inputs.file}}'],
      verify: ['grep -qF "$HEDDLE_INPUT_TEXT" "$HEDDLE_INPUT_FILE"'],
    },
    { id: 'after', dependsOn: ['write'], executor: { kind: 'command', run: ['echo', 'ok'] }, critical: true },
  ],
};

const of = (given: PlanInput): PlanInput => given;

test('a bare client starts a process with its definition, and no value is a part of a command', async () => {
  const workspace = rig.workspace();
  const text = '$(touch hacked) `touch hacked` "; touch hacked; # {{inputs.count}}';
  const task = await rig.start(of({ process: { name: 'write-it', definition }, inputs: { text }, workspace }));
  await task.result();
  expect(readFileSync(join(workspace, 'out.txt'), 'utf8')).toBe(`${text} 2`);
  const status = await task.status();
  expect(status).toMatchObject({
    goal: `Write ${text} to out.txt`,
    process: { name: 'write-it', from: 'given', mode: 'strict' },
    subtasks: [
      { id: 'write', phase: 'write', verdict: 'pass' },
      { id: 'after', phase: 'after', critical: true },
    ],
  });
  expect(status.process).not.toHaveProperty('definition');
});
