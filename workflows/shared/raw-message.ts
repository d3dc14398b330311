import {
  defaultPayloadConverter,
  RawValue,
  rawValueTypeInfo,
  type QueryDefinition,
  type SignalDefinition,
} from '@temporalio/common';
import { defineQuery, defineSignal, setHandler } from '@temporalio/workflow';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { limits } from '../../domain/limits/domain-limits.ts';

/**
 * A signal whose payload is decoded by its handler. The SDK decodes before it calls one: a payload that it cannot decode (the
 * Web UI offers `json/protobuf`) would fail every workflow task to come. Senders use the name, not this definition.
 */
export function defineRawSignal(name: string): SignalDefinition<unknown[]> {
  return defineSignal<unknown[]>(name, raw);
}

/**
 * A query whose argument is decoded by its handler, for the same reason: an argument that the SDK cannot decode takes the task out of its worker,
 * and whatever is on its way to the task with it.
 */
export function serveQuery<Answer, Question>(
  { name }: QueryDefinition<Answer, [Question?]>,
  answer: (question: Question | undefined) => Answer,
  description: string,
): void {
  const handler = (...[argument]: unknown[]): Answer => answer(decodeRaw(argument) as Question | undefined);
  setHandler(defineQuery<Answer, unknown[]>(name, raw), handler, { description });
}

const raw = { typeInfo: { inputTypes: Array.from({ length: limits.signalArguments }, () => rawValueTypeInfo) } };

/** Decodes the payload of a message. Throws a HeddleError, and nothing else, when it cannot be decoded. */
export function decodeRaw(argument: unknown): unknown {
  if (!(argument instanceof RawValue)) return argument;
  try {
    return defaultPayloadConverter.fromPayload<unknown>(argument.payload);
  } catch {
    throw new HeddleError({ code: 'MESSAGE_INVALID', message: 'the payload is not JSON', hint: 'Send json/plain.' });
  }
}
