import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import { parseYaml } from '../../../domain/input/parse-yaml.ts';
import { convertYaml } from '../../../domain/input/convert-yaml.ts';

/** Bodies are small, but for those with a plan. */
export const bodyBytes = { small: 16 * 1024, plan: 1024 * 1024 } as const;

type BodyForm = 'json' | 'yaml';

/** Refuses a body that is not typed as JSON or YAML: a form of another page cannot type it so. */
export function checkBodyType(type: string | null): BodyForm {
  const media = (type ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (media === 'application/json') return 'json';
  if (media === 'application/yaml' || media === 'application/x-yaml' || media === 'text/yaml') return 'yaml';
  throw new HeddleError({
    code: 'BODY_TYPE',
    message: 'The body is neither JSON nor YAML',
    where: 'Content-Type',
    hint: 'Send `Content-Type: application/json`.',
  });
}

/** Reads a body as a value; none at all is an empty object. Stops at the limit, whatever length was announced. */
export async function readBody(request: Request, most: number): Promise<unknown> {
  const { body, headers } = request;
  const type = headers.get('content-type');
  if (body === null) return {};
  if (type !== null) checkBodyType(type);
  if (Number(headers.get('content-length') ?? 0) > most) throw tooLarge(most);
  const parts: Uint8Array[] = [];
  let size = 0;
  const chunks: AsyncIterable<Uint8Array> = body;
  for await (const part of chunks) {
    size += part.length;
    if (size > most) throw tooLarge(most);
    parts.push(part);
  }
  // Some clients announce a body that then is empty.
  if (size === 0) return {};
  return parse(decode(Buffer.concat(parts)), checkBodyType(type));
}

const tooLarge = (most: number): HeddleError =>
  new HeddleError({ code: 'BODY_TOO_LARGE', message: `The body is larger than ${most / 1024} kB` });

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw malformed('it is not UTF-8');
  }
}

function parse(text: string, form: BodyForm): unknown {
  if (form === 'yaml') {
    const source = { name: 'the body', text };
    return convertYaml(source, parseYaml(source)).value;
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw malformed(error instanceof Error ? error.message : String(error));
  }
}

const malformed = (why: string): HeddleError =>
  new HeddleError({ code: 'BODY_MALFORMED', message: `The body cannot be read: ${why}`, where: 'the body' });
