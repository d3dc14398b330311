import type { DependencyResult } from '../types/attempt.ts';
import type { ComposedCall } from '../types/compose-call.ts';
import { fitsBytes, utf8Length } from '../text/text.ts';

/** Room for the texts of one call, in bytes of UTF-8. */
export interface CallRoom {
  prompt: number;
  /** Bytes of the inputs as JSON. */
  inputs: number;
}

/** Parts that are dropped when the results of many dependencies are too large together: parts that can be read elsewhere come first. */
const droppedParts: { name: string; without: (result: DependencyResult) => DependencyResult }[] = [
  { name: 'the previews of outputs', without: (result) => ({ ...result, preview: '' }) },
  { name: 'notes', without: (result) => ({ ...result, notes: '' }) },
  { name: 'hashes of files', without: withoutFiles },
  { name: 'names of deliverables', without: (result) => ({ ...result, deliverables: [] }) },
];

function withoutFiles(result: DependencyResult): DependencyResult {
  const rest = { ...result };
  delete rest.files;
  return rest;
}

/** Bounds a call. The end of the prompt says what was omitted. */
export function boundCall(prompt: string, results: readonly DependencyResult[], room: CallRoom): ComposedCall {
  let inputs = [...results];
  const dropped: string[] = [];
  for (const { name, without } of droppedParts) {
    if (measureJson(inputs) <= room.inputs) break;
    inputs = inputs.map(without);
    dropped.push(name);
  }
  const total = inputs.length;
  while (measureJson(inputs) > room.inputs) inputs = inputs.slice(0, Math.floor(inputs.length / 2));
  const notes = [
    ...(dropped.length === 0 ? [] : [`The inputs were too large for one message and lack ${dropped.join(', ')}.`]),
    ...(inputs.length === total ? [] : [`They hold only ${inputs.length} of ${total} results.`]),
  ].join(' ');
  const clipped = clipBytes(prompt, notes, room.prompt);
  return { prompt: clipped, inputs, bytes: measureJson(clipped) + measureJson(inputs) };
}

const measureJson = (value: unknown): number => utf8Length(JSON.stringify(value));

function clipBytes(prompt: string, notes: string, most: number): string {
  const whole = notes === '' ? prompt : `${prompt}\n\n${notes}`;
  if (fitsBytes(whole, most)) return whole;
  const tail = ['', notes, 'This text was too long for one message: its end is missing.']
    .filter((part, index) => index === 0 || part !== '')
    .join('\n\n');
  return `${cutToBytes(prompt, most - utf8Length(tail))}${tail}`;
}

/** Keeps as many whole characters as fit. */
function cutToBytes(text: string, most: number): string {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += utf8Length(character);
    if (bytes > most) break;
    end += character.length;
  }
  return text.slice(0, end);
}
