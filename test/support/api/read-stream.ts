/** One frame of a stream of server-sent events, as a browser would hand it on. */
export interface SseFrame {
  id: number | undefined;
  /** `message` where the frame has no name. */
  event: string;
  data: unknown;
}

export interface StreamRequest {
  /** A role and, behind a dash, any name. */
  as?: string;
  /** A token of a real server. */
  token?: string;
  /** As a browser sends it when it connects again. */
  lastEventId?: number;
  signal?: AbortSignal;
}

/** Thrown where the answer is no stream. */
export class NoStream extends Error {
  readonly status: number;
  readonly body: string;

  constructor(status: number, body: string) {
    super(`${status} ${body}`);
    this.status = status;
    this.body = body;
  }
}

/** The frames of a stream of the API, to its end; comments and `retry` are left out. */
export async function* readStream(
  origin: string,
  path: string,
  { as = 'viewer', token = `hdl_${as}`, lastEventId, signal }: StreamRequest = {},
): AsyncGenerator<SseFrame, void, undefined> {
  const answer = await fetch(`${origin}/api/v1${path}`, {
    headers: {
      accept: 'text/event-stream',
      authorization: `Bearer ${token}`,
      ...(lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) }),
    },
    ...(signal === undefined ? {} : { signal }),
  });
  if (answer.status !== 200 || answer.body === null) throw new NoStream(answer.status, await answer.text());
  let text = '';
  for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    for (let at = text.indexOf('\n\n'); at >= 0; at = text.indexOf('\n\n')) {
      const frame = parseFrame(text.slice(0, at));
      text = text.slice(at + 2);
      if (frame !== undefined) yield frame;
    }
  }
}

function parseFrame(block: string): SseFrame | undefined {
  const fields = new Map(
    block.split('\n').map((line) => {
      const at = line.indexOf(': ');
      return [line.slice(0, at), line.slice(at + 2)] as const;
    }),
  );
  const data = fields.get('data');
  if (data === undefined) return undefined;
  const id = fields.get('id');
  return {
    id: id === undefined ? undefined : Number(id),
    event: fields.get('event') ?? 'message',
    data: JSON.parse(data),
  };
}

/** All frames of a stream that ends by itself. */
export async function collectFrames(...request: Parameters<typeof readStream>): Promise<SseFrame[]> {
  const frames: SseFrame[] = [];
  for await (const frame of readStream(...request)) frames.push(frame);
  return frames;
}

/** The numbers of the events among frames. */
export const numbersOf = (frames: readonly SseFrame[]): number[] => frames.flatMap(({ id }) => id ?? []);
