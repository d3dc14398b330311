import { defaultPayloadConverter, RawValue, rawValueTypeInfo, type SignalDefinition } from '@temporalio/common';
import { defineSignal } from '@temporalio/workflow';
import { HeddleError } from '../domain/heddle-error.ts';
import { limits } from '../domain/limits.ts';

/**
 * A signal whose payload is decoded by its handler. The SDK decodes before it calls one: a payload that it cannot decode (the
 * Web UI offers `json/protobuf`) would fail every workflow task to come. Senders use the name, not this definition.
 */
export function defineRawSignal(name: string): SignalDefinition<unknown[]> {
  const inputTypes = Array.from({ length: limits.signalArguments }, () => rawValueTypeInfo);
  return defineSignal<unknown[]>(name, { typeInfo: { inputTypes } });
}

/** What the signal carried. Throws a HeddleError, and nothing else, when it cannot be decoded. */
export function decodeSignal(argument: unknown): unknown {
  if (!(argument instanceof RawValue)) return argument;
  try {
    return defaultPayloadConverter.fromPayload<unknown>(argument.payload);
  } catch {
    throw new HeddleError({ code: 'MESSAGE_INVALID', message: 'the payload is not JSON', hint: 'Send json/plain.' });
  }
}
