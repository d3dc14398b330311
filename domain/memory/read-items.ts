import { HeddleError } from '../errors/heddle-error.ts';
import { isGateSignature } from '../gates/findings/standing-signature.ts';
import { limits } from '../limits/domain-limits.ts';
import type { Dated, RememberedSignature, StandingAnswer } from '../types/basic/memory.ts';
import { planLimits } from '../input/limits.ts';
import { clip } from '../text/text.ts';

/** A value of unknown origin. Only its own fields are read, never inherited ones. */
export type ItemFields = ReadonlyMap<string, unknown>;

export function invalid(message: string, hint?: string): HeddleError {
  return new HeddleError({ code: 'MESSAGE_INVALID', message, ...(hint === undefined ? {} : { hint }) });
}

export function readFields(value: unknown, what: string): ItemFields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid(`${what} takes one JSON object`);
  }
  return new Map<string, unknown>(Object.entries(value));
}

export function readList(fields: ItemFields, key: string): readonly unknown[] {
  const value = fields.get(key);
  if (!Array.isArray(value)) throw invalid(`${key} must be a list`);
  return value as readonly unknown[];
}

/** Longer texts are clipped, because the useful part is at the beginning. */
export function readItemText(fields: ItemFields, key: string, most: number): string {
  const value = fields.get(key);
  if (typeof value !== 'string') throw invalid(`${key} must be text`);
  return clip(value, most);
}

export function readOptionalText(fields: ItemFields, key: string, most: number): string | undefined {
  const value = fields.get(key);
  return value === undefined || value === null ? undefined : readItemText(fields, key, most);
}

export function readWhole(fields: ItemFields, key: string, least: number, most: number): number {
  const value = fields.get(key);
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) {
    throw invalid(`${key} must be a whole number from ${least} to ${most}`);
  }
  return value;
}

export const readRung = (fields: ItemFields, key: string): number => readWhole(fields, key, 1, planLimits.rungs);

/** A time in the future would outlast every later statement, so it is read as now. */
export function readTime(fields: ItemFields, now: number): number {
  const at = fields.get('at');
  if (typeof at !== 'number' || !Number.isFinite(at) || at < 0) throw invalid('at must be a time in milliseconds');
  return Math.min(at, now);
}

const isFailure = (signature: string): boolean => /^[a-z-]+-[0-9a-f]{8,64}$/.test(signature);

/** Reads the signature of a failure. */
export const readSignatureName = (fields: ItemFields): string =>
  readName(fields, isFailure, 'such as timeout-1a2b3c4d5e6f7a8b');

/** Reads a signature that can have a standing answer: a failure, or a gate. */
export const readAnswerName = (fields: ItemFields): string =>
  readName(
    fields,
    (signature) => isFailure(signature) || isGateSignature(signature),
    'such as timeout-1a2b3c4d5e6f7a8b or gate:program:npm install',
  );

function readName(fields: ItemFields, fits: (signature: string) => boolean, example: string): string {
  const signature = fields.get('signature');
  if (typeof signature === 'string' && signature.length <= limits.memory.signature && fits(signature)) return signature;
  throw invalid(`signature must be a text ${example}`, '`heddle memory PROJECT` lists them.');
}

export function readRemembered(value: unknown): RememberedSignature {
  const fields = readFields(value, 'a signature');
  return {
    signature: readSignatureName(fields),
    type: readItemText(fields, 'type', limits.memory.type),
    summary: readItemText(fields, 'summary', limits.summary),
    count: readWhole(fields, 'count', 0, limits.memory.count),
    fixedAtRung: fields.get('fixedAtRung') === null ? null : readRung(fields, 'fixedAtRung'),
    hint: readItemText(fields, 'hint', limits.memory.hint),
  };
}

export function readStanding(value: unknown): StandingAnswer {
  const fields = readFields(value, 'an answer');
  const instruction = readOptionalText(fields, 'instruction', limits.instruction);
  const by = readOptionalText(fields, 'by', limits.memory.by);
  const option = readItemText(fields, 'option', limits.memory.option);
  if (option.trim() === '') throw invalid('an answer needs an option');
  const signature = readAnswerName(fields);
  if (isGateSignature(signature) && option !== 'approve') throw invalid('an answer about a gate is `approve`');
  return {
    signature,
    option,
    ...(instruction === undefined ? {} : { instruction }),
    ...(by === undefined ? {} : { by }),
  };
}

/** Reads an item together with its time. */
export function readDated<T>(read: (value: unknown) => T, now: number): (value: unknown) => Dated<T> {
  return (value) => ({ ...read(value), at: readTime(readFields(value, 'an item'), now) });
}
