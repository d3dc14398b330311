import type { LoggedResult, CompactedUpTo, Remark } from '../conversation/entry.ts';
import type { Exchange } from '../conversation/exchange.ts';
import type { Message, ReplyPart, ToolResult } from '../conversation/message.ts';
import { shortenArguments, shortenNarrative, shortenOutput } from './shorten.ts';

/** The ways to shorten an exchange, in the order in which they are used. */
export const stages = ['arguments', 'outputs', 'narrative'] as const;
export type Stage = (typeof stages)[number];

/** The stages that apply to one exchange. */
export type Depth = Readonly<Record<Stage, boolean>>;

export const computeDepth = ({ n }: Pick<Exchange, 'n'>, upTo: Pick<CompactedUpTo, Stage>): Depth => ({
  arguments: n <= upTo.arguments,
  outputs: n <= upTo.outputs,
  narrative: n <= upTo.narrative,
});

/** Remarks that the agent loop generates itself and can repeat. All other remarks come from a person. */
const ofLoop: ReadonlySet<Remark['kind']> = new Set(['format', 'report', 'repeats', 'todos']);

export const isOfLoop = ({ kind }: Remark): boolean => ofLoop.has(kind);

/** Todos are the model's own plan, so they are kept in full until their turn is merged. */
const keepsArguments = (tool: string): boolean => tool === 'todo';

const compactedForms = new WeakMap<Exchange, Map<string, readonly Message[]>>();

/**
 * Builds the messages of an exchange: the reply, then the results. The same exchange at the same depth returns the same object, so that
 * its size is measured once.
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
  { call, id, tool, text, isError, person, image }: LoggedResult,
  isShort: boolean,
  readable: boolean,
): ToolResult {
  const original = { reference: { of: 'output' as const, call }, readable };
  if (!isShort) return { id, tool, text, isError, ...(image === undefined ? {} : { image }) };
  const short = shortenOutput(text, person?.length ?? 0, original);
  return { id, tool, text: image === undefined ? short : `${short} ${notShown}`, isError };
}

const notShown = '(The image is no longer shown; read it again to see it.)';

/**
 * A shortened reply loses its thinking and the provider's notes, because they are signed for the whole reply: providers refuse them with
 * a part of it.
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
