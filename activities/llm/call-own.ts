import * as z from 'zod';

import { untilAborted } from '../system/until-aborted.ts';
import { explainConnection } from './provider/explain-connection.ts';
import { explainRefusal } from './provider/explain-model-error.ts';
import { ModelError, type ModelReply, type ProviderCall } from './ports/model.ts';
import { modelError, type KeyedRequest } from './provider/model-trouble.ts';

const note = z.record(z.string(), z.unknown()).exactOptional();
const count = z.int().nonnegative();

const replySchema: z.ZodType<Omit<ModelReply, 'took'>> = z.object({
  parts: z.array(
    z.discriminatedUnion('type', [
      z.object({ type: z.literal('text'), text: z.string(), note }),
      z.object({ type: z.literal('thinking'), text: z.string(), note }),
      z.object({ type: z.literal('call'), id: z.string(), tool: z.string(), input: z.string(), note }),
    ]),
  ),
  finish: z.enum(['stop', 'calls', 'length', 'refusal', 'other']),
  usage: z.object({ input: count, output: count, cached: count, reasoning: count }),
  estimated: z.literal(true).exactOptional(),
  costUsd: z.number().nonnegative().exactOptional(),
});

/** A provider of the user's own: what it returns is looked at, what it throws is explained as any other provider's error. */
export async function callOwn(own: ProviderCall, subject: KeyedRequest): Promise<Omit<ModelReply, 'took'>> {
  const returned: unknown = await untilAborted(start(own, subject), subject.request.signal).catch((error: unknown) => {
    throw explainOwn(error, subject);
  });
  const reply = replySchema.safeParse(returned);
  if (reply.success) return reply.data;
  const [issue] = reply.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? 'the reply' : issue.path.join('.');
  throw modelError('format-invalid', subject, {
    names: ['reply-invalid'],
    providerText: `${where}: ${issue?.message ?? ''}`,
  });
}

/** A provider that throws at once is a rejection too. */
const start = async (own: ProviderCall, { request }: KeyedRequest): Promise<unknown> => own(request);

function explainOwn(error: unknown, subject: KeyedRequest): ModelError {
  if (error instanceof ModelError) return error;
  const status = readStatus(error);
  const message = error instanceof Error ? error.message : String(error);
  if (status === undefined) {
    const connectionError = explainConnection(error, subject);
    if (connectionError.failure.type === 'environment') return connectionError;
  }
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  const body = JSON.stringify({ error: { message, ...(typeof code === 'string' ? { code } : {}) } });
  // Without a status its words decide, as for a request that was refused.
  return explainRefusal({ status: status ?? 400, headers: new Headers(), body }, subject);
}

function readStatus(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const status = 'status' in error ? error.status : 'statusCode' in error ? error.statusCode : undefined;
  return typeof status === 'number' && status >= 300 && status <= 599 ? status : undefined;
}
