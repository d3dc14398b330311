import type { Usage } from '../../../domain/types/agent.ts';

/** A reply before it is put into the form of an API. */
export interface WireReply {
  id: string;
  model: string;
  text: string;
  /** `input` as a model writes it: a text that should be JSON. */
  calls: readonly { id: string; tool: string; input: string }[];
  usage: Usage;
}

/** How one API writes replies and errors, as its real service does. */
export interface Wire {
  /** The end of the path that requests use. */
  ending: string;
  /** The content type of a streamed reply. */
  contentType: string;
  /** Returns true if a request asks for a stream. */
  streams: (body: Readonly<Record<string, unknown>>) => boolean;
  /** The refusal of the images in a request, in the words of the real service; undefined when it takes them. */
  checkImages: (body: Readonly<Record<string, unknown>>) => string | undefined;
  whole: (reply: WireReply) => object;
  /** A streamed reply in the pieces in which it is sent. */
  pieces: (reply: WireReply) => string[];
  error: (status: number, message: string, code?: string) => object;
}

/** Seconds: a scripted reply has no time of its own. */
export const created = 1_700_000_000;

export const sse = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;

export const namedSse = (event: { type: string }): string => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

/** Models send a few tokens at a time; a cut may then fall anywhere. */
const deltaLength = 12;

export function splitDeltas(text: string): string[] {
  return Array.from({ length: Math.ceil(text.length / deltaLength) }, (_, index) =>
    text.slice(index * deltaLength, (index + 1) * deltaLength),
  );
}

export const asksForStream = ({ stream }: Readonly<Record<string, unknown>>): boolean => stream === true;
