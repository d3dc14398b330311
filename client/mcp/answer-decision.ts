import {
  acceptedContent,
  inputRequired,
  type CallToolResult,
  type InputRequiredResult,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { tryParseJson } from '../../domain/util/try-parse-json.ts';
import { card, type Card } from '../wire/decision.ts';
import { answered } from '../wire/outcomes.ts';
import type { Identity } from '../http/identity.ts';
import type { ApiAnswer, ApiRequest } from './call-api.ts';
import { pathOf } from './tool.ts';

/** The arguments: there is no option among them, so no model can answer for a person. */
export const answerInput = z.object({
  task: z.string().describe('The id of the task'),
  decision: z.string().describe('The id of the question'),
});

const answerKey = 'answer';

const personsAnswer = z.object({
  option: z.string(),
  instruction: z.string().optional(),
  value: z.string().optional(),
});

interface AnswerCall {
  args: z.output<typeof answerInput>;
  identity: Identity;
  ask: (request: ApiRequest) => Promise<ApiAnswer>;
  /** True where the client can put a form before its person. */
  canAsk: boolean;
  /** The forms as the client's person filled them in; undefined at the first call. */
  responses: Record<string, unknown> | undefined;
}

/**
 * Puts a question before the person who uses the client, and sends what the person chose. A gated call is never answered here: what is
 * dangerous is read where it is whole.
 */
export async function answerDecision(call: AnswerCall): Promise<CallToolResult | InputRequiredResult> {
  const { args, ask, canAsk, responses } = call;
  const path = `${pathOf('tasks', args.task)}/decisions/${encodeURIComponent(args.decision)}`;
  const question = card.parse((await ask({ method: 'GET', path })).json);
  if (question.action !== undefined)
    return refer(question, 'It asks whether one exact action may run. A person has to read that action in whole.');
  if (!canAsk) return refer(question, 'This client cannot ask its person.');
  if (responses?.[answerKey] === undefined)
    return inputRequired({ inputRequests: { [answerKey]: inputRequired.elicit(buildForm(question)) } });
  const answer = personsAnswer.safeParse(acceptedContent(responses, answerKey));
  if (!answer.success)
    return { isError: true, content: [{ type: 'text', text: 'The person did not answer. The question stays open.' }] };
  const sent = await ask({ method: 'POST', path, body: buildBody(answer.data) });
  const data = answered.parse(sent.json);
  return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data };
}

/** The address of the card; `heddle open` finds it too. */
function refer({ taskId, id, problem, links }: Card, why: string): CallToolResult {
  const text = [
    `${why} Nothing was answered.`,
    `The question: ${problem}`,
    `It is at ${links.console}, or by \`heddle open ${taskId} ${id}\`.`,
  ].join('\n');
  return { isError: true, content: [{ type: 'text', text }] };
}

function buildForm({ goal, problem, options, recommendation, tried }: Card) {
  const values = options.flatMap(({ id, needs }) =>
    needs !== undefined && 'value' in needs ? [`${id}: ${needs.value.say}, such as ${needs.value.example}`] : [],
  );
  const words = options.flatMap(({ id, needs }) =>
    needs !== undefined && 'words' in needs ? [`${id}: ${needs.words}`] : [],
  );
  const shown = [goal, problem, ...tried.map((line) => `Tried: ${line}`), `Recommended: ${recommendation}`];
  return {
    message: shown.join('\n'),
    requestedSchema: {
      type: 'object' as const,
      properties: {
        option: {
          type: 'string' as const,
          title: 'Answer',
          oneOf: options.map(({ id, label, consequence, reversible }) => ({
            const: id,
            title: `${label}: ${consequence}${reversible ? '' : ' (cannot be undone)'}`,
          })),
        },
        ...(words.length === 0 ? {} : { instruction: buildField('Instruction', words) }),
        ...(values.length === 0 ? {} : { value: buildField('Value', values) }),
      },
      required: ['option'],
    },
  };
}

const buildField = (title: string, lines: readonly string[]) => ({
  type: 'string' as const,
  title,
  description: lines.join('; '),
});

/** A value is text in a form; the API takes it as what it says. */
function buildBody({ option, instruction, value }: z.output<typeof personsAnswer>): Record<string, unknown> {
  const hasValue = value !== undefined && value !== '';
  return {
    option,
    ...(instruction === undefined || instruction === '' ? {} : { instruction }),
    ...(hasValue ? { value: tryParseJson(value) ?? value } : {}),
  };
}
