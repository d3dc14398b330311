import { answerDecision, type AnswerRequest } from '../../decide/answer-decision.ts';
import { answerFromHere } from '../../decide/answer-from-here.ts';
import type { Context } from '../shared/context.ts';
import { exits } from '../shared/exit-codes.ts';
import { withTask } from './find-task.ts';
import { usageError } from '../shared/usage-error.ts';
import { userName } from '../shared/user-name.ts';

export interface DecideOptions {
  instruction?: string;
  /** JSON. */
  value?: string;
  scope?: 'once' | 'signature';
  by?: string;
  signal?: boolean;
}

export interface DecideArguments {
  task: string;
  decision: string;
  option: string;
}

/** `heddle decide`: one answer, sent once. */
export function decideCommand(context: Context, target: DecideArguments, options: DecideOptions): Promise<number> {
  const answer = buildAnswer(target, options, context.ports.env);
  return withTask(context, target.task, async (handle, endpoint) => {
    const answered = answerFromHere(context.ports, endpoint, handle);
    const sent = await answerDecision(answered, answer, { signal: options.signal === true });
    const { taskId, decisionId, option, isConfirmed } = sent;
    if (context.output.json) context.output.data({ taskId, decisionId, option });
    else if (isConfirmed) context.output.print(`Answered ${decisionId} with ${option}.`);
    else
      context.output.print(
        `Sent the answer ${option} to ${decisionId}; \`heddle status ${taskId}\` shows whether it was accepted.`,
      );
    return exits.done;
  });
}

/** Reads the arguments as a message; a mistake in them is reported before anything is connected. */
export function buildAnswer(
  { decision, option }: DecideArguments,
  { instruction, value, scope, by }: DecideOptions,
  env: Readonly<Record<string, string | undefined>>,
): AnswerRequest {
  return {
    decisionId: decision,
    option,
    ...(instruction === undefined ? {} : { instruction }),
    ...(value === undefined ? {} : { value: parseValue(value) }),
    ...(scope === undefined ? {} : { scope }),
    by: by ?? userName(env),
  };
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw usageError(`The value is not JSON: ${error instanceof Error ? error.message : String(error)}`, {
      where: '--value',
      hint: 'Write a number as 5, a string as "\\"text\\"" (quoted for the shell), a list as [1, 2].',
    });
  }
}
