import { ApiError } from './api-error.ts';

const base = '/api/v1';

/** Longest wait for an answer that is no stream: a message to a task may wait for its worker. */
const longestMs = 60_000;

interface CallOptions {
  body?: unknown;
  accept?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Receives each refusal for want of a session; the session sets it. */
let onSignedOut: (() => void) | undefined;

export function whenSignedOut(run: () => void): void {
  onSignedOut = run;
}

/** Sends a request; a refusal is thrown as an {@link ApiError}. */
export async function send(method: Method, path: string, options: CallOptions = {}): Promise<Response> {
  const { body, accept = 'application/json', headers = {}, signal } = options;
  const limit = AbortSignal.timeout(longestMs);
  const response = await fetch(`${base}${path}`, {
    method,
    headers: { accept, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw new ApiError(0, {
      code: 'NO_ANSWER',
      message: 'Heddle does not answer.',
      hint: '`heddle open` wakes it; what you see may be old.',
    });
  });
  if (response.ok) return response;
  const refusal = await readRefusal(response);
  if (refusal.status === 401 && path !== '/session') onSignedOut?.();
  throw refusal;
}

async function readRefusal(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '');
  try {
    const parsed = JSON.parse(text) as { error: ApiError['body'] };
    return new ApiError(response.status, parsed.error);
  } catch {
    return new ApiError(response.status, { code: `HTTP_${response.status}`, message: text || response.statusText });
  }
}

/** The value of a JSON answer. Its type is the contract of the route; server and page are of one version. */
async function readJson<Answer>(response: Response): Promise<Answer> {
  return (await response.json()) as Answer;
}

export const get = async <Answer>(path: string, signal?: AbortSignal): Promise<Answer> =>
  readJson<Answer>(await send('GET', path, signal === undefined ? {} : { signal }));

export const post = async <Answer>(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer> =>
  readJson<Answer>(await send('POST', path, { body, ...(headers === undefined ? {} : { headers }) }));

/** The text of an answer; empty where there is none. */
export async function getText(path: string, accept: string): Promise<string> {
  const response = await send('GET', path, { accept });
  return response.status === 204 ? '' : response.text();
}

/** The parts of a path, each encoded. */
export const at = (...parts: (string | number)[]): string =>
  parts.map((part) => `/${encodeURIComponent(String(part))}`).join('');

/** A query; values that are empty are not sent. */
export function withQuery(path: string, query: Record<string, string | number | boolean | null | undefined>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  if (given.length === 0) return path;
  return `${path}?${new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString()}`;
}
