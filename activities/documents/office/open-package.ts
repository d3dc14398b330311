import { posix } from 'node:path';
import { bufferSource, readZipDirectory, type ByteSource, type ZipEntry } from '../../archives/read-zip.ts';
import { unpackEntry } from '../../archives/unpack-entry.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { decodeCharset } from '../common/decode-charset.ts';
import { attributeOf, readXml } from '../common/xml.ts';

export interface Relation {
  /** The last part of its address: `officeDocument`, `slide`, `notesSlide`. */
  type: string;
  /** The name of the entry that it leads to. */
  target: string;
}

/** A zip archive as office programs fill it: XML texts that refer to each other by relations. All of them share one bound of unpacked bytes. */
export class OfficePackage {
  readonly #source: ByteSource;
  readonly #entries: ReadonlyMap<string, ZipEntry>;
  #left: number = activityLimits.documents.unpacked;

  private constructor(source: ByteSource, entries: readonly ZipEntry[]) {
    this.#source = source;
    this.#entries = new Map(entries.map((entry) => [entry.name.toLowerCase(), entry]));
  }

  /** Undefined for an archive with more entries than any office document has. */
  static async open(bytes: Buffer): Promise<OfficePackage | undefined> {
    const source = bufferSource(bytes);
    const most = activityLimits.documents.entries;
    const { entries, total } = await readZipDirectory(source, most);
    return total > most ? undefined : new OfficePackage(source, entries);
  }

  /** An XML text by its name, or undefined when there is none. */
  async read(name: string): Promise<string | undefined> {
    const entry = this.#entries.get(name.toLowerCase());
    if (entry === undefined) return undefined;
    const bytes = await unpackEntry(this.#source, entry, this.#left);
    this.#left -= bytes.length;
    return decodeCharset(bytes);
  }

  /** The relations of an entry by their ids; those of the package itself for `''`. Links to the outside are left out. */
  async relations(name: string): Promise<Map<string, Relation>> {
    const folder = posix.dirname(name);
    const relations = new Map<string, Relation>();
    const xml = await this.read(posix.join(folder, '_rels', `${posix.basename(name)}.rels`));
    readXml(xml ?? '', {
      open: (element, attributes) => {
        const [id, target, type = ''] = ['Id', 'Target', 'Type'].map((key) => attributeOf(attributes, key));
        if (element !== 'Relationship' || id === undefined || target === undefined) return;
        if (attributeOf(attributes, 'TargetMode') === 'External') return;
        const entry = target.startsWith('/') ? target.slice(1) : posix.join(folder, target);
        relations.set(id, { type: type.slice(type.lastIndexOf('/') + 1), target: entry });
      },
    });
    return relations;
  }

  /** The entry that a relation of a type leads to. */
  async related(name: string, type: string): Promise<string | undefined> {
    return findRelated(await this.relations(name), type);
  }
}

/** The first target of a type. */
export function findRelated(relations: ReadonlyMap<string, Relation>, type: string): string | undefined {
  for (const relation of relations.values()) if (relation.type === type) return relation.target;
  return undefined;
}
