import type { Artifact } from '../../../domain/artifacts/artifact.ts';
import { formatBytes } from '../../../domain/text/bytes.ts';
import { pickLines } from '../../../domain/text/pick-lines.ts';
import { formatCount } from '../../../domain/text/text.ts';
import { readText, type ArtifactText } from '../../artifacts/read-text.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { failed, fitLines } from '../common/tool-result.ts';
import type { ToolContext, ToolOutcome } from '../common/tool.ts';
import { describeImage } from '../images/describe-image.ts';

/** The lines that a model asks for. */
export interface ArtifactRange {
  part?: string | undefined;
  find?: string | undefined;
  from: number;
  lines: number;
}

/** Shows lines of an artifact's text below a line about it. Raw bytes never enter a conversation. */
export async function showArtifact(
  artifact: Artifact,
  range: ArtifactRange,
  { heading, context }: { heading: (artifact: Artifact) => string; context: ToolContext },
): Promise<ToolOutcome> {
  const { artifacts, signal } = context;
  const read = await readText(artifact, { artifacts, part: range.part, signal });
  const head = heading(read.artifact);
  switch (read.kind) {
    case 'failed':
      return failed(`${head}\nIts text cannot be read: ${read.reason}.`);
    case 'image': {
      const bytes = await artifacts.bytes(artifact);
      const shown = describeImage(read.image, { name: head, bytes, size: bytes.length });
      return shown;
    }
    case 'text':
      return showText(read, head, range);
  }
}

function showText(
  { artifact, text, about }: ArtifactText & { kind: 'text' },
  head: string,
  range: ArtifactRange,
): ToolOutcome {
  const above = about === '' ? head : `${head}\n${about}`;
  const broken = breakLines(text);
  if (broken === '') return { ok: true, text: `${above}\nThere is no text in it.` };
  if (range.find !== undefined) return findText(broken, range.find, above);
  const { from } = range;
  const { lines, total } = pickLines(broken, range);
  if (from > total) return failed(`${above}\nIt has ${formatCount(total, 'line')}: there is no line ${from}.`);
  const { lines: shown } = fitLines(lines);
  const last = from - 1 + shown.length;
  const part = range.part === undefined ? '' : `, "part": ${JSON.stringify(range.part)}`;
  const next =
    last < total ? `; read on with read_artifact {"artifact": "${artifact.id}"${part}, "from": ${last + 1}}` : '';
  return { ok: true, text: `${above}\nlines ${from}-${last} of ${total}${next}\n${shown.join('\n')}` };
}

/** The lines that hold a text, whatever its case, with their numbers. */
function findText(text: string, phrase: string, head: string): ToolOutcome {
  const needle = phrase.toLowerCase();
  const { lines } = pickLines(text, { from: 1, lines: Infinity });
  const hits = lines.flatMap((line, at) => (line.toLowerCase().includes(needle) ? [`${at + 1}: ${line}`] : []));
  if (hits.length === 0) return { ok: true, text: `${head}\nNo line of it has this text.` };
  const { lines: shown } = fitLines(hits.slice(0, activityLimits.artifacts.found));
  const more = shown.length < hits.length ? `, the first ${shown.length} of them` : '';
  return { ok: true, text: `${head}\n${formatCount(hits.length, 'line')} with this text${more}:\n${shown.join('\n')}` };
}

const { lineLength } = activityLimits.artifacts;

/** At a space where there is one, and never between the halves of a character. */
const piece = new RegExp(`.{1,${lineLength}}(?= |$)|.{1,${lineLength}}`, 'gsu');

/** A line that is longer than shown lines are goes on in the next one, so that every part of a text can be reached. */
const breakLines = (text: string): string =>
  text
    .split('\n')
    .flatMap((line) => (line.length <= lineLength ? [line] : (line.match(piece) ?? [])))
    .join('\n');

/** An artifact in one line: `https://… (200, text/html, 12 kB), "Title", af_0123456789ab`. */
export function describeArtifact({ id, name, source, type, bytes, title, kind }: Artifact): string {
  const what = 'url' in source ? source.url : `${name} of ${source.tool}`;
  const status = 'url' in source && source.status !== undefined ? [String(source.status)] : [];
  const about = [...status, type === '' ? kind : type, formatBytes(bytes)].join(', ');
  return `${what} (${about})${title === undefined ? '' : `, "${title}"`}, ${id}`;
}
