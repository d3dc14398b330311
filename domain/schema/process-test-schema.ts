import * as z from 'zod';
import { scriptSchema } from '../llm/script-schema.ts';
import { failureTypes } from '../types/basic/failure-types.ts';
import { buildEnum, list, map, name, text, wholeNumber, workspacePath } from '../input/values.ts';

/* A test of a process: what is there, what the models reply, and what has to come of it. */

const fileMap = (expected: string) => z.record(workspacePath, z.string({ error: 'a string' }), { error: expected });

const counts = (expected: string) => z.record(text(), wholeNumber(0), { error: expected }).exactOptional();

const texts = list(z.string({ error: 'a string' }), 'a list of strings').exactOptional();

export const gitStepSchema = map(
  {
    message: text('the message of a commit'),
    files: fileMap('a map of paths and texts').exactOptional(),
    tag: text('the name of a tag').exactOptional(),
  },
  'a map with `message` and `files`',
);

export const fileExpectationSchema = map(
  { contains: texts, lacks: texts, matches: texts },
  'a map with `contains`, `lacks` or `matches`, or `absent`',
);

export const expectationSchema = map(
  {
    state: buildEnum(['completed', 'failed', 'cancelled']).exactOptional(),
    code: text('an error code').exactOptional(),
    attempts: counts('a map of subtasks and numbers of attempts'),
    verdicts: z.record(text(), text(), { error: 'a map of subtasks and verdicts' }).exactOptional(),
    failures: z
      .partialRecord(z.enum(failureTypes), wholeNumber(0), { error: 'a map of failure types and numbers' })
      .exactOptional(),
    phases: z
      .record(text(), list(text(), 'a list of ids of subtasks'), { error: 'a map of phases and subtasks' })
      .exactOptional(),
    files: z
      .record(
        workspacePath,
        z.union([z.literal('absent'), fileExpectationSchema], {
          error: 'a map with `contains`, `lacks` or `matches`, or `absent`',
        }),
        {
          error: 'a map of paths and what is in them',
        },
      )
      .exactOptional(),
    remediations: wholeNumber(0).exactOptional(),
    modelCalls: wholeNumber(0).exactOptional(),
  },
  'a map of what is expected',
);

export const scriptedAnswerSchema = map(
  {
    kind: buildEnum(['approval', 'escalation', 'question', 'plan', 'budget']),
    option: text('the option that is chosen'),
    instruction: text().exactOptional(),
  },
  'a map with `kind` and `option`',
);

const inputValue = z.union([z.string(), z.number(), z.boolean()], { error: 'a string, a number, `true` or `false`' });

export const processTestSchema = map(
  {
    name: name('the name of the test'),
    goal: text().exactOptional(),
    inputs: z.record(z.string(), inputValue, { error: 'a map of inputs and values' }).exactOptional(),
    files: fileMap('a map of paths and texts').exactOptional(),
    git: list(gitStepSchema, 'a list of commits').exactOptional(),
    web: z
      .record(z.string(), z.string({ error: 'a string' }), { error: 'a map of addresses and texts' })
      .exactOptional(),
    script: scriptSchema.exactOptional(),
    answers: list(scriptedAnswerSchema, 'a list of answers').exactOptional(),
    expect: expectationSchema,
  },
  'a map with `name`, `script` and `expect`',
);
