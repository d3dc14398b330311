import { formatBytes } from '../../domain/text/bytes.ts';
import { clip, formatCount, oneLine } from '../../domain/text/text.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import { fitLines } from '../tools/common/tool-result.ts';
import type { ToolOutcome } from '../tools/common/tool.ts';
import { describeImage } from '../tools/images/describe-image.ts';
import { readHeader } from '../documents/read-header.ts';

const { keptBytes } = activityLimits.tools;
const { linkText } = activityLimits.servers;

/** One part of a result, as the model is told of it. */
type Part = { text: string } | { image: Buffer } | { left: string };

/**
 * The result of a call for the model: texts as they are, the first image shown, links as text. A part that cannot be shown is named with
 * what it is and how large; nothing of a server's answer is taken on trust.
 */
export function toOutcome(result: Record<string, unknown>): ToolOutcome {
  const content: unknown[] = Array.isArray(result['content']) ? result['content'] : [];
  const parts = content.map(readPart);
  const texts = parts.flatMap((part) => ('text' in part ? [part.text] : []));
  const { structuredContent } = result;
  if (texts.length === 0 && structuredContent !== undefined) texts.push(JSON.stringify(structuredContent, null, 2));
  const images = parts.flatMap((part) => ('image' in part ? [part.image] : []));
  const shown = images[0] === undefined ? undefined : showImage(images[0]);
  const left = [
    ...parts.flatMap((part) => ('left' in part ? [part.left] : [])),
    ...images.slice(1).map((bytes) => `another image, ${formatBytes(bytes.length)}`),
  ];
  const { text, whole } = fitText(texts.join('\n'));
  const lines = [text, shown?.text ?? '', left.length === 0 ? '' : `(Not shown: ${left.join('; ')}.)`];
  return {
    ok: result['isError'] !== true,
    text: lines.filter((line) => line !== '').join('\n') || 'It returned nothing.',
    ...(whole === undefined ? {} : { whole }),
    ...(shown?.image === undefined ? {} : { image: shown.image }),
  };
}

const getKey = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;

function readPart(part: unknown): Part {
  const [text, data, type] = [getKey(part, 'text'), getKey(part, 'data'), getKey(part, 'type')];
  switch (type) {
    case 'text':
      return typeof text === 'string' ? { text } : { left: 'a text that is no string' };
    case 'image':
      return typeof data === 'string' ? { image: Buffer.from(data, 'base64') } : { left: 'an image without data' };
    case 'audio':
      return { left: typeof data === 'string' ? `audio, ${formatBytes(base64Bytes(data))}` : 'audio without data' };
    case 'resource_link':
      return { text: formatLink(getKey(part, 'uri'), getKey(part, 'name')) };
    case 'resource':
      return readResource(getKey(part, 'resource'));
    default:
      return { left: `a part of the type ${clip(oneLine(String(type)), linkText)}` };
  }
}

function readResource(resource: unknown): Part {
  const [text, blob] = [getKey(resource, 'text'), getKey(resource, 'blob')];
  const link = formatLink(getKey(resource, 'uri'), undefined);
  if (typeof text === 'string') return { text: `${link}\n${text}` };
  return { left: typeof blob === 'string' ? `${link}, ${formatBytes(base64Bytes(blob))}` : link };
}

function formatLink(uri: unknown, name: unknown): string {
  const address = typeof uri === 'string' ? clip(oneLine(uri), linkText) : 'a resource';
  return typeof name === 'string' ? `${clip(oneLine(name), linkText)}: ${address}` : address;
}

const base64Bytes = (text: string): number => Math.floor((text.length * 3) / 4);

function showImage(bytes: Buffer): Pick<ToolOutcome, 'text' | 'image'> {
  const header = readHeader(bytes);
  if (header === undefined) return { text: `(Not shown: an image of an unknown type, ${formatBytes(bytes.length)}.)` };
  return describeImage(header, { name: 'An image', bytes, size: bytes.length });
}

/** The whole is kept up to its limit, and it is said what is missing. */
function fitText(text: string): { text: string; whole?: string } {
  const bytes = Buffer.byteLength(text);
  const isCut = bytes > keptBytes;
  const kept = isCut
    ? Buffer.from(text)
        .subarray(0, keptBytes)
        .toString()
        .replace(/\uFFFD$/, '')
    : text;
  const all = kept.split('\n');
  const { lines, left } = fitLines(all);
  const notes = [
    ...(left === 0 ? [] : [`(${formatCount(left, 'line')} not shown)`]),
    ...(isCut ? [`(The result had ${formatBytes(bytes)}; only the first ${formatBytes(keptBytes)} were kept.)`] : []),
  ];
  const shown = [...lines, ...notes].join('\n');
  const isWhole = notes.length === 0 && lines.every((line, at) => line === all[at]);
  return isWhole ? { text: shown } : { text: shown, whole: [kept, ...notes.slice(left === 0 ? 0 : 1)].join('\n') };
}
