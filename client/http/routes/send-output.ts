import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import { damagedText, type AttemptOutput } from '../../logs/attempt-output.ts';
import { Refusal } from '../request/send-problem.ts';

interface OutputAbout {
  request: Request;
  /** The media type of the text. */
  type: string;
  /** The host that has what is not here. */
  host: () => Promise<string | null>;
}

/** Sends what an attempt printed or said, or the part of it that `Range` asks for. */
export async function sendOutput(output: AttemptOutput, { request, type, host }: OutputAbout): Promise<Response> {
  if (output === 'nothing') return new Response(null, { status: 204 });
  if (output === 'damaged') throw new HeddleError({ code: 'STORE_DAMAGED', message: damagedText });
  if (output === 'elsewhere') throw elsewhere(await host());
  const headers = { 'content-type': type, 'accept-ranges': 'bytes', 'content-security-policy': 'sandbox' };
  const range = request.headers.get('range');
  if (range === null) return new Response(ReadableStream.from(output.bytes), { headers });
  const whole = await collect(output.bytes);
  const { from, to } = readRange(range, whole.length);
  return new Response(whole.subarray(from, to + 1), {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${from}-${to}/${whole.length}` },
  });
}

const elsewhere = (host: string | null): Refusal =>
  new Refusal(
    new HeddleError({
      code: 'OUTPUT_ELSEWHERE',
      message: host === null ? 'The output is not on this machine' : `The output is in the store of host ${host}`,
      hint: 'Ask the API of the home that its worker has.',
    }),
    { facts: { host } },
  );

async function collect(bytes: AsyncIterable<Uint8Array>): Promise<Buffer<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  return Buffer.concat(parts);
}

/** One part alone: `bytes=5-9`, `bytes=5-`, `bytes=-5`. */
function readRange(range: string, length: number): { from: number; to: number } {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
  const from = first === '' ? Math.max(0, length - Number(last)) : Number(first);
  const to = first === '' || last === '' ? length - 1 : Math.min(Number(last), length - 1);
  if ((first !== '' || last !== '') && from <= to && from < length) return { from, to };
  throw new Refusal(
    new HeddleError({
      code: 'RANGE_INVALID',
      message: `The output has ${length} bytes, and ${range} is none of its parts`,
      where: 'Range',
    }),
    { headers: { 'content-range': `bytes */${length}` } },
  );
}
