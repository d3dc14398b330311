import { limits } from '../limits/domain-limits.ts';
import { formatDuration } from '../text/duration.ts';
import { clip, oneLine, formatCount } from '../text/text.ts';
import type { Answer, LogEntry, LogEntryOf, Heard } from './entry.ts';
import { listToolCalls, textOf, type ToolCall } from './turn.ts';

/* Lines that people read of a conversation while it goes on: one for each model call, tool call and narration. */

const lineLength = limits.summary;

/** A reply, and what was said to the model before it. */
export function describeTurn(turn: LogEntryOf<'turn'>, model: string): string[] {
  const { n, usage, took, finish } = turn;
  const how = finish === 'length' ? ', cut off at its limit' : finish === 'refusal' ? ', refused' : '';
  const text = oneLine(textOf(turn.parts));
  return [
    ...describeRemarks(turn.heard),
    `[${n}] ${model}: ${usage.input} tokens in, ${usage.output} out, ${formatDuration(took)}${how}`,
    ...(text === '' ? [] : [`    ${clip(text, lineLength)}`]),
  ];
}

const describeRemarks = ({ remarks }: Heard): string[] =>
  remarks
    .filter(({ kind }) => kind !== 'todos')
    .map(({ kind, text }) => `    ${kind === 'steering' ? 'steered' : 'reminded'}: ${clip(oneLine(text), lineLength)}`);

/** A call and its answer. What it narrates and notes is for people to begin with. */
export function describeAnswer(answer: Pick<Answer, 'text' | 'isError' | 'kind'>, { tool, input }: ToolCall): string {
  const narration = saidIn(tool, input);
  if (narration !== undefined && !answer.isError)
    return `    ${tool === 'note' ? 'note: ' : ''}${clip(narration, lineLength)}`;
  const what = clip(oneLine(input), lineLength / 2);
  const result = answer.isError || tool === 'ask_user' ? clip(oneLine(answer.text), lineLength) : 'ok';
  return `    ${tool} ${what}: ${answer.isError ? 'error: ' : ''}${result}`;
}

type Permit = Pick<LogEntryOf<'permit'>, 'by' | 'who' | 'signature'>;

/** Why a call runs that a gate asks about. */
export const describePermit = (permit: Permit): string => `    ${formatPermit(permit)}`;

export function formatPermit({ by, who = 'a person', signature = '' }: Permit): string {
  switch (by) {
    case 'approve':
      return `Approved by ${oneLine(who)}`;
    case 'edit':
      return `Arguments changed and approved by ${oneLine(who)}`;
    case 'rule':
      return `Allowed by a standing rule: ${signature}`;
  }
}

/** That the conversation is sent shorter from here on. */
export const describeCompaction = (fold: LogEntryOf<'fold'>): string => `    ${formatFold(fold)}`;

export function formatFold({ upTo, tokens, why, by }: LogEntryOf<'fold'>): string {
  const turns = Math.max(upTo.arguments, upTo.outputs, upTo.narrative, upTo.merged);
  const refused = why === 'overflow' ? 'the model refused the request as too large: ' : '';
  const merged =
    upTo.merged === 0 ? '' : `, the first ${upTo.merged} to a summary${by === undefined ? '' : ` by ${by.model}`}`;
  return `${refused}folded ${formatCount(turns, 'turn')}, ${tokens.before} tokens to ${tokens.after}${merged}`;
}

function saidIn(tool: string, input: string): string | undefined {
  if (tool !== 'narrate' && tool !== 'note') return undefined;
  try {
    const value: unknown = JSON.parse(input);
    const text: unknown = typeof value === 'object' && value !== null && 'text' in value ? value.text : undefined;
    return typeof text === 'string' ? oneLine(text) : undefined;
  } catch {
    return undefined;
  }
}

/** The whole conversation as its lines stood, or would have stood, while it went on. */
export function describeLog(entries: readonly LogEntry[]): string[] {
  let calls: ToolCall[] = [];
  let model = '';
  const answered = (answer: Answer): string[] => {
    const call = calls.find(({ callId }) => callId === answer.call);
    return call === undefined ? [] : [describeAnswer(answer, call)];
  };
  return entries.flatMap((entry) => {
    switch (entry.k) {
      case 'frame':
        model = entry.model.name;
        return [];
      case 'turn': {
        const before = entry.heard.answers.flatMap(answered);
        calls = listToolCalls(entry.n, entry.parts, entry.finish);
        return [...before, ...describeTurn(entry, model)];
      }
      case 'permit':
        return [describePermit(entry)];
      case 'result':
        return answered(entry);
      case 'failed':
        return [`    no ${entry.compactor === undefined ? 'reply' : `summary by ${entry.compactor}`}: ${entry.type}`];
      case 'fold':
        return [describeCompaction(entry)];
      case 'stop':
        return [`    (${entry.why})`];
      case 'segment':
      case 'call':
      case 'claim':
        return [];
    }
  });
}
