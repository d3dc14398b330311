import { clip, oneLine } from '../../../domain/text/text.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import type { ModelRequest } from '../ports/model.ts';

/** A provider's words share shorter runs with a request by chance: names of tools, of models. */
const sharedRun = 24;
/** A text of the request that is as short as this is a word like any other. */
const shortest = 8;

/** Services repeat what they were sent, keys and prompts included: the start of their words is kept where it is their own. */
export function redactRequest(message: string, request: ModelRequest, key: string | undefined): string {
  const line = oneLine(message);
  const keyless = key === undefined || key === '' ? line : line.replaceAll(key, '***');
  const start = clip(keyless, activityLimits.models.words);
  // On one line as the words are, and as JSON in JSON.
  const sent = listTexts(request).flatMap((text) => [oneLine(text), JSON.stringify(text)]);
  return sent.some((text) => repeats(start, text)) ? '(its message repeats the request)' : start;
}

/** Every run of the full length has one of half of it that starts at a multiple of half: those are looked for. */
function repeats(message: string, text: string): boolean {
  const trimmed = text.trim();
  if (trimmed.length < sharedRun) return trimmed.length >= shortest && message.includes(trimmed);
  const half = sharedRun / 2;
  for (let start = 0; start + half <= message.length; start += half) {
    if (!text.includes(message.slice(start, start + half))) continue;
    if (sharesAround(message, start, text)) return true;
  }
  return false;
}

function sharesAround(message: string, start: number, text: string): boolean {
  const half = sharedRun / 2;
  for (let from = Math.max(0, start - half); from <= start && from + sharedRun <= message.length; from += 1) {
    if (text.includes(message.slice(from, from + sharedRun))) return true;
  }
  return false;
}

function listTexts({ system, messages }: ModelRequest): string[] {
  return [system, ...messages.flatMap(textsOfMessage)];
}

function textsOfMessage(message: ModelRequest['messages'][number]): string[] {
  switch (message.from) {
    case 'user':
      return [message.text];
    case 'model':
      return message.parts.map((part) => (part.type === 'call' ? part.input : part.text));
    case 'tools':
      return message.results.map(({ text }) => text);
  }
}
