import {
  artifactId,
  findSurplus,
  type Artifact,
  type ArtifactList,
  type ArtifactSource,
  type Removal,
} from '../../domain/artifacts/artifact.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import type { Store } from '../store/store.ts';
import { appendManifest, loadManifest } from './manifest-file.ts';

const { artifacts: limits, web } = activityLimits;

/** Something from outside that is to be kept. */
export interface NewArtifact {
  /** The path of a finished file, which is taken away, or the bytes themselves. */
  content: { file: string } | Uint8Array | string;
  kind: string;
  type: string;
  name: string;
  source: ArtifactSource;
}

export interface ArtifactsParts {
  /** The manifest of the task. */
  manifest: string;
  store: Pick<Store, 'put' | 'putFile' | 'get' | 'file'>;
  subtask: string;
  attempt: number;
  now?: () => number;
}

/** The artifacts of a task, as the tools of one attempt see them: all subtasks and all workers of the home share them. */
export class Artifacts {
  readonly #parts: ArtifactsParts;

  constructor(parts: ArtifactsParts) {
    this.#parts = parts;
  }

  list(): Promise<ArtifactList> {
    return loadManifest(this.#parts.manifest);
  }

  /** The artifact of this name, or what became of it. */
  async find(id: string): Promise<Artifact | Removal | undefined> {
    const { kept, removed } = await this.list();
    return kept.find((artifact) => artifact.id === id) ?? removed.get(id);
  }

  /** A page of this address that was fetched a moment ago: it is not fetched again, after a crash or because a model forgot it. */
  async findFresh(url: string): Promise<Artifact | undefined> {
    const { kept } = await this.list();
    const since = this.#now() - web.fresh;
    return kept.findLast(
      ({ source, at }) =>
        'url' in source &&
        (source.asked ?? source.url) === url &&
        Date.parse(at) > since &&
        Date.parse(at) <= this.#now(),
    );
  }

  /** Keeps bytes and writes them down. The oldest artifacts make room where the task has too many. */
  async keep({ content, ...about }: NewArtifact): Promise<Artifact> {
    const { manifest, store, subtask, attempt } = this.#parts;
    const ref =
      typeof content === 'object' && 'file' in content ? await store.putFile(content.file) : await store.put(content);
    const artifact: Artifact = {
      ...{ id: artifactId(ref.sha256, await this.list()), ref, ...about, bytes: ref.bytes },
      ...{ subtask, attempt, at: new Date(this.#now()).toISOString() },
    };
    await appendManifest(manifest, [artifact]);
    await this.#makeRoom();
    return artifact;
  }

  /** Writes down what was read of an artifact, so that it is read once. */
  async note(
    artifact: Artifact,
    read: Pick<Artifact, 'kind'> & Partial<Pick<Artifact, 'title' | 'about'>>,
    text?: string,
  ): Promise<Artifact> {
    const { manifest, store } = this.#parts;
    const noted = { ...artifact, ...read, ...(text === undefined ? {} : { text: await store.put(text) }) };
    await appendManifest(manifest, [noted]);
    return noted;
  }

  bytes({ ref }: Pick<Artifact, 'ref'>): Promise<Buffer> {
    return this.#parts.store.get(ref);
  }

  /** The path of its bytes, for readers on this machine. */
  file({ ref }: Pick<Artifact, 'ref'>): Promise<string> {
    return this.#parts.store.file(ref);
  }

  async #makeRoom(): Promise<void> {
    const surplus = findSurplus(await this.list(), limits);
    if (surplus.length === 0) return;
    await appendManifest(
      this.#parts.manifest,
      surplus.map(({ id, source }) => ({ gone: id, ...('url' in source ? { url: source.url } : {}) })),
    );
  }

  #now(): number {
    return (this.#parts.now ?? Date.now)();
  }
}
