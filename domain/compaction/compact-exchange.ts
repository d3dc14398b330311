import type { Answer, CompactedUpTo, Remark } from '../conversation/entry.ts';
import type { Exchange } from '../conversation/exchange.ts';
import type { Message, ReplyPart, ToolAnswer } from '../conversation/message.ts';
import { shortenArguments, shortenNarrative, shortenOutput } from './shorten.ts';

/** The ways in which an exchange gets shorter, in the order in which they are used. */
export const stages = ['arguments', 'outputs', 'narrative'] as const;
export type Stage = (typeof stages)[number];

/** Which of them hold for one exchange. */
export type Depth = Readonly<Record<Stage, boolean>>;

export const computeDepth = ({ n }: Pick<Exchange, 'n'>, upTo: Pick<CompactedUpTo, Stage>): Depth => ({
  arguments: n <= upTo.arguments,
  outputs: n <= upTo.outputs,
  narrative: n <= upTo.narrative,
});

/** What the loop says by itself, and would say again. All else that is no answer is a person's. */
const ofLoop: ReadonlySet<Remark['kind']> = new Set(['format', 'report', 'repeats', 'todos']);

export const isOfLoop = ({ kind }: Remark): boolean => ofLoop.has(kind);

/** Its todos are what the model means to do: they are told in full, or not at all with the turn. */
const keepsArguments = (tool: string): boolean => tool === 'todo';

const compactedForms = new WeakMap<Exchange, Map<string, readonly Message[]>>();

/**
 * An exchange as it is sent: what the model said, then what it was answered. The same exchange at the same depth is the same object, so
 * that nobody measures it twice.
 */
export function compactExchange(exchange: Exchange, depth: Depth, readable: boolean): readonly Message[] {
  const forms = compactedForms.get(exchange) ?? new Map<string, readonly Message[]>();
  compactedForms.set(exchange, forms);
  const key = `${depth.arguments}${depth.outputs}${depth.narrative}${readable}`;
  const form = forms.get(key) ?? buildMessages(exchange, depth, readable);
  forms.set(key, form);
  return form;
}

function buildMessages(exchange: Exchange, depth: Depth, readable: boolean): Message[] {
  const { n, answers } = exchange;
  const results = answers.map((answer) => toolAnswer(answer, depth.outputs, readable));
  const remarks = exchange.remarks.filter((remark) => !(depth.narrative && n > 0 && isOfLoop(remark)));
  const remarkText = remarks.map(({ text }) => text).join('\n\n');
  return [
    ...(n === 0 ? [] : [{ from: 'model' as const, parts: compactParts(exchange, depth, readable) }]),
    ...(results.length === 0 ? [] : [{ from: 'tools' as const, results }]),
    ...(remarkText === '' ? [] : [{ from: 'user' as const, text: remarkText }]),
  ];
}

function toolAnswer(
  { call, id, tool, text, isError, person, image }: Answer,
  isShort: boolean,
  readable: boolean,
): ToolAnswer {
  const original = { reference: { of: 'output' as const, call }, readable };
  if (!isShort) return { id, tool, text, isError, ...(image === undefined ? {} : { image }) };
  const short = shortenOutput(text, person?.length ?? 0, original);
  return { id, tool, text: image === undefined ? short : `${short} ${notShown}`, isError };
}

const notShown = '(The image is no longer shown; read it again to see it.)';

/**
 * A reply that is not sent as the model gave it has lost its thinking and the provider's notes with it: they are signed for the whole, and a
 * part of them alone is refused.
 */
function compactParts({ n, parts, calls }: Exchange, depth: Depth, readable: boolean): ReplyPart[] {
  let at = -1;
  const compacted = parts.flatMap((part): ReplyPart[] => {
    switch (part.type) {
      case 'thinking':
        return depth.narrative ? [] : [part];
      case 'text': {
        const original = { reference: { of: 'narrative' as const, turn: n }, readable };
        const text = depth.narrative ? shortenNarrative(part.text, original) : part.text;
        return [text === part.text ? part : { ...part, text }];
      }
      case 'call': {
        at += 1;
        const original = { reference: { of: 'arguments' as const, call: calls[at]?.callId ?? '' }, readable };
        const input =
          depth.arguments && !keepsArguments(part.tool) ? shortenArguments(part.input, original) : part.input;
        return [input === part.input ? part : { ...part, input }];
      }
    }
  });
  const isUnchanged = compacted.length === parts.length && compacted.every((part, index) => part === parts[index]);
  return isUnchanged ? compacted : compacted.flatMap(withoutNote);
}

function withoutNote(part: ReplyPart): ReplyPart[] {
  switch (part.type) {
    case 'thinking':
      return [];
    case 'text':
      return [{ type: 'text', text: part.text }];
    case 'call':
      return [{ type: 'call', id: part.id, tool: part.tool, input: part.input }];
  }
}
