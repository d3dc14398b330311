import * as z from 'zod';

/* Lines of the manifest of a task's artifacts. Later versions read lines of earlier ones: add fields, never change them. */

const ref = z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), bytes: z.number().min(0) });

const source = z.union([
  /** A page: the address that was asked for, and the one that it led to. */
  z.object({ url: z.string(), asked: z.string().exactOptional(), status: z.number().exactOptional() }),
  /** The result of a tool of a server. */
  z.object({ call: z.string(), tool: z.string() }),
]);

/** Bytes from outside that a task keeps by reference: a page of the web, or a result of a tool. */
const artifactSchema = z.object({
  id: z.string(),
  ref,
  /** Its kind, as far as it was read: `HTML page`, `PDF document`. */
  kind: z.string(),
  /** The MIME type that its source gave it. */
  type: z.string(),
  name: z.string(),
  bytes: z.number(),
  title: z.string().exactOptional(),
  /** Its text, once that was read. */
  text: ref.exactOptional(),
  /** The sentence about its parts, such as `12 pages`, and about what is not in its text. */
  about: z.string().exactOptional(),
  source,
  subtask: z.string(),
  attempt: z.number(),
  at: z.string(),
});

/** An artifact that made room for others: nothing keeps its bytes any more. */
const removalSchema = z.object({ gone: z.string(), url: z.string().exactOptional() });

const lineSchema = z.union([artifactSchema, removalSchema]);

export type Artifact = z.infer<typeof artifactSchema>;
export type Removal = z.infer<typeof removalSchema>;
export type ArtifactSource = Artifact['source'];

/** The artifacts of a task, from the lines of its manifest. */
export interface ArtifactList {
  /** The oldest first; of several lines of one, the last. */
  kept: readonly Artifact[];
  removed: ReadonlyMap<string, Removal>;
}

/** Reads a manifest. A line that a crash cut off is no line: what it would have said was told to nobody. */
export function readManifest(text: string): ArtifactList {
  const kept = new Map<string, Artifact>();
  const removed = new Map<string, Removal>();
  for (const line of text.split('\n')) {
    const entry = readLine(line);
    if (entry === undefined) continue;
    if ('gone' in entry) {
      kept.delete(entry.gone);
      removed.set(entry.gone, entry);
    } else {
      // Kept once more, it is the newest again.
      if (kept.get(entry.id)?.at !== entry.at) kept.delete(entry.id);
      kept.set(entry.id, entry);
      removed.delete(entry.id);
    }
  }
  return { kept: [...kept.values()], removed };
}

function readLine(line: string): Artifact | Removal | undefined {
  if (line === '') return undefined;
  try {
    return lineSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

const shortest = 12;

/** The name of an artifact: the beginning of its hash, longer where another one has the same. */
export function artifactId(sha256: string, { kept }: ArtifactList): string {
  for (let length = shortest; length < sha256.length; length += 1) {
    const id = `af_${sha256.slice(0, length)}`;
    const other = kept.find((artifact) => artifact.id === id);
    if (other === undefined || other.ref.sha256 === sha256) return id;
  }
  return `af_${sha256}`;
}

/** The oldest artifacts that must go so that the rest fits; the newest one always stays. */
export function findSurplus({ kept }: ArtifactList, most: { count: number; bytes: number }): Artifact[] {
  const sizeOf = ({ bytes, text }: Artifact): number => bytes + (text?.bytes ?? 0);
  let count = kept.length;
  let bytes = kept.reduce((sum, artifact) => sum + sizeOf(artifact), 0);
  return kept.slice(0, -1).filter((artifact) => {
    if (count <= most.count && bytes <= most.bytes) return false;
    count -= 1;
    bytes -= sizeOf(artifact);
    return true;
  });
}
