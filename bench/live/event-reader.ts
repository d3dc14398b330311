import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ReaderOptions {
  origin: string;
  /** The path of a task's stream below `/api/v1`. */
  path: string;
  token: string;
  /** Milliseconds after which the connection is cut, again and again; it is never cut where this is absent. */
  cutEvery?: number;
}

export interface ReadEvents {
  /** The number of the last event. */
  last: number;
  /** Every event came once, in its order. */
  isGapless: boolean;
  connections: number;
  /** How long after it happened each event came, in milliseconds; those that happened before the reader are left out. */
  lags: number[];
  /** When each event came, by its number. */
  arrivals: number[];
}

/** Reads the stream of a task to its end as a browser does, by numbers over cuts, and keeps nothing but figures. */
export async function readEvents({ origin, path, token, cutEvery }: ReaderOptions): Promise<ReadEvents> {
  const read: ReadEvents = { last: 0, isGapless: true, connections: 0, lags: [], arrivals: [] };
  const begun = Date.now();
  for (let isOver = false; !isOver;) {
    read.connections += 1;
    const response = await connect(`${origin}/api/v1${path}`, { token, last: read.last });
    if (response.statusCode === 204) return read;
    if (response.statusCode === 429) {
      response.destroy();
      await sleep(200);
      continue;
    }
    if (response.statusCode !== 200) throw new Error(`the stream was refused: ${response.statusCode}`);
    const timer = cutEvery === undefined ? undefined : setTimeout(() => response.destroy(), cutEvery);
    isOver = await takeFrames(response, read, begun);
    clearTimeout(timer);
  }
  return read;
}

function connect(url: string, { token, last }: { token: string; last: number }): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${token}`, ...(last === 0 ? {} : { 'last-event-id': String(last) }) };
  return new Promise((resolve, reject) => get(url, { headers, agent: false }, resolve).on('error', reject));
}

/** True where the stream told its end; false where it was cut. */
async function takeFrames(response: IncomingMessage, read: ReadEvents, begun: number): Promise<boolean> {
  let text = '';
  let isOver = false;
  response.setEncoding('utf8');
  try {
    for await (const chunk of response) {
      const blocks = `${text}${String(chunk)}`.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        if (block.startsWith('event: end')) isOver = true;
        if (block.startsWith('id: ')) takeEvent(block, read, begun);
      }
    }
  } catch (error) {
    if (!response.destroyed) throw error;
  }
  return isOver;
}

function takeEvent(block: string, read: ReadEvents, begun: number): void {
  const id = Number(block.slice('id: '.length, block.indexOf('\n')));
  if (id !== read.last + 1) read.isGapless = false;
  read.last = id;
  const time = /"time":"([^"]+)"/.exec(block)?.[1] ?? '';
  const [at, now] = [Date.parse(time), Date.now()];
  read.arrivals[id] = now;
  if (at >= begun) read.lags.push(now - at);
}
