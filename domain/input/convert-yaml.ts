import type { Alias, Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { isAlias, isMap, isNode, isScalar, isSeq } from 'yaml';
import type { HeddleError, Problem } from '../errors/heddle-error.ts';
import { planLimits } from './limits.ts';
import { planError, quote } from './problem.ts';
import type { ParsedYaml } from './parse-yaml.ts';
import type { Position } from './file-text.ts';
import type { PlanSource } from './plan-source.ts';
import { syntaxError, syntaxProblem } from './plan-source.ts';

/** Offsets of a key and of its value; list entries have only the second. */
export interface NodeLocation {
  key: number;
  value: number;
}

/** Where the entries of each map and list stand in the text. */
export type NodeLocations = WeakMap<object, Map<string | number, NodeLocation>>;

export interface Converted {
  value: unknown;
  spots: NodeLocations;
  start: number;
}

/** A converted node: its value and how much text it stands for when every alias is written out. */
interface Part {
  value: unknown;
  weight: number;
}

/**
 * The tree as a JSON value. An alias gives the very value of its anchor, so a bomb of aliases costs nothing here; it is found
 * by its weight. Keys are set as own properties, whatever they are called.
 */
export function convertYaml(source: PlanSource, yaml: ParsedYaml): Converted {
  const converter = new Converter(source, yaml.positionOf);
  const { contents } = yaml.document;
  const start = contents === null ? 0 : offsetOf(contents);
  const { value } = converter.convert(contents, start, 0);
  if (converter.duplicates.length > 0) throw planError(converter.duplicates, source.name);
  return { value, spots: converter.spots, start };
}

const offsetOf = (node: Node): number => node.range?.[0] ?? 0;

class Converter {
  readonly spots: NodeLocations = new WeakMap();
  readonly duplicates: Problem[] = [];
  readonly #anchors = new Map<string, Part | undefined>();
  readonly #source: PlanSource;
  readonly #positionOf: (offset: number) => Position;

  constructor(source: PlanSource, positionOf: (offset: number) => Position) {
    this.#source = source;
    this.#positionOf = positionOf;
  }

  convert(node: unknown, offset: number, depth: number): Part {
    if (depth > planLimits.depth)
      throw this.#refuse(offset, 'The plan is nested too deeply.', 'A plan needs six levels at most.');
    if (isAlias(node)) return this.#resolve(node);
    const anchor = isScalar(node) || isMap(node) || isSeq(node) ? node.anchor : undefined;
    // Known but without a value until it is complete: an alias inside finds itself.
    if (anchor !== undefined) this.#anchors.set(anchor, undefined);
    const part = this.#convertContent(node, depth);
    if (anchor !== undefined) this.#anchors.set(anchor, part);
    return part;
  }

  #convertContent(node: unknown, depth: number): Part {
    if (isMap(node)) return this.#convertMap(node, depth);
    if (isSeq(node)) return this.#convertSeq(node, depth);
    if (isScalar(node)) return convertScalar(node);
    return { value: null, weight: 1 };
  }

  #convertSeq(node: YAMLSeq, depth: number): Part {
    const value: unknown[] = [];
    const spots = new Map<string | number, NodeLocation>();
    let weight = 1;
    for (const [index, item] of node.items.entries()) {
      const offset = isNode(item) ? offsetOf(item) : offsetOf(node);
      const part = this.convert(item, offset, depth + 1);
      value.push(part.value);
      spots.set(index, { key: offset, value: offset });
      weight = this.#add(weight, part.weight, offset);
    }
    this.spots.set(value, spots);
    return { value, weight };
  }

  #convertMap(node: YAMLMap, depth: number): Part {
    const value: Record<string, unknown> = {};
    const spots = new Map<string | number, NodeLocation>();
    let weight = 1;
    for (const { key: keyNode, value: item } of node.items satisfies Pair[]) {
      const key = this.#convertKey(keyNode);
      const at = isNode(keyNode) ? offsetOf(keyNode) : offsetOf(node);
      const offset = isNode(item) ? offsetOf(item) : at;
      const first = spots.get(key);
      if (first !== undefined) this.#addDuplicate(key, at, first.key);
      const part = this.convert(item, offset, depth + 1);
      Object.defineProperty(value, key, { value: part.value, enumerable: true, configurable: true, writable: true });
      spots.set(key, { key: at, value: offset });
      weight = this.#add(weight, part.weight + key.length, offset);
    }
    this.spots.set(value, spots);
    return { value, weight };
  }

  /** The parser lets only scalars through. */
  #convertKey(node: unknown): string {
    if (!isScalar(node)) return '';
    const part = convertScalar(node);
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, part);
    return String(part.value);
  }

  #resolve(alias: Alias): Part {
    const offset = offsetOf(alias);
    const part = this.#anchors.get(alias.source);
    if (part !== undefined) return part;
    const name = quote(alias.source);
    if (this.#anchors.has(alias.source)) {
      throw this.#refuse(offset, `The anchor ${name} contains itself.`, 'Write the value out instead of the alias.');
    }
    const hint = `Put ${quote(`*${alias.source}`)} in quotes if it is a string.`;
    throw this.#refuse(offset, `There is no anchor ${name} before this alias.`, hint);
  }

  #add(weight: number, more: number, offset: number): number {
    const sum = weight + more;
    // Written out, a text has at most two units of weight for each character.
    if (sum > 2 * planLimits.maxPlanBytes) {
      throw this.#refuse(offset, 'The aliases of this plan expand to too much text.', 'Write the values out.');
    }
    return sum;
  }

  #addDuplicate(key: string, at: number, first: number): void {
    if (this.duplicates.length >= planLimits.problems) return;
    const { line } = this.#positionOf(first);
    const message = `The key ${quote(key)} is given twice; the first is in line ${line}.`;
    this.duplicates.push(syntaxProblem(this.#source, this.#positionOf(at), message, 'Remove one of the two.'));
  }

  #refuse(offset: number, message: string, hint: string): HeddleError {
    return syntaxError(this.#source, this.#positionOf(offset), message, hint);
  }
}

function convertScalar(node: Scalar): Part {
  const { value } = node;
  const weight = typeof value === 'string' ? value.length + 1 : 1;
  return { value: value ?? null, weight };
}
