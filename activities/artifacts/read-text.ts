import type { Artifact } from '../../domain/artifacts/artifact.ts';
import type { ImageSize } from '../../domain/conversation/image.ts';
import { formatCount } from '../../domain/text/text.ts';
import { extract } from '../documents/extract.ts';
import type { Extraction } from '../documents/common/extraction.ts';
import type { Artifacts } from './artifacts.ts';

/** The content of an artifact: its text, or an image, or why there is neither. */
export type ArtifactText =
  | { kind: 'text'; artifact: Artifact; text: string; about: string }
  | { kind: 'image'; artifact: Artifact; image: ImageSize }
  | { kind: 'failed'; artifact: Artifact; reason: string };

/** Reads the text of an artifact, once, or that of one part. */
export async function readText(
  artifact: Artifact,
  { artifacts, part, signal }: { artifacts: Artifacts; part?: string | undefined; signal: AbortSignal },
): Promise<ArtifactText> {
  if (part === undefined && artifact.text !== undefined) {
    const text = (await artifacts.bytes({ ref: artifact.text })).toString();
    return { kind: 'text', artifact, text, about: artifact.about ?? '' };
  }
  const { name, type, source } = artifact;
  const base = 'url' in source ? { base: source.url } : {};
  const job = { source: await artifacts.file(artifact), name, type, part, ...base };
  const read = await extract(job, signal);
  if (read.end === 'failed') return { kind: 'failed', artifact, reason: read.reason };
  const { label, text, title = '', image } = read;
  const about = describeParts(read);
  const facts = { kind: label, ...(title === '' ? {} : { title }), ...(about === '' ? {} : { about }) };
  const noted =
    part === undefined ? await artifacts.note(artifact, facts, image === undefined ? text : undefined) : artifact;
  return image === undefined
    ? { kind: 'text', artifact: noted, text, about }
    : { kind: 'image', artifact: noted, image };
}

/** How many parts it has, and what is not in the text: `12 pages. There is no text on page 3.` */
function describeParts({ count, unit, notes }: Extraction): string {
  const parts = unit === undefined || count === undefined ? [] : [`${formatCount(count, unit).replace(/ys$/, 'ies')}.`];
  return [...parts, ...notes].join(' ');
}
