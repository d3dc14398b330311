import type { Alias, Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { isAlias, isMap, isNode, isScalar, isSeq } from 'yaml';
import type { HeddleError, Problem } from '../errors/heddle-error.ts';
import { planLimits } from './limits.ts';
import { planError, quoteName } from './problem.ts';
import type { ParsedYaml } from './parse-yaml.ts';
import type { Position } from './file-text.ts';
import type { PlanText } from './plan-source.ts';
import { syntaxError, syntaxProblem } from './plan-source.ts';

/** Offsets of a key and of its value; list entries have only the second. */
export interface NodeLocation {
  key: number;
  value: number;
}

/** The locations of the entries of each map and list. */
export type NodeLocations = WeakMap<object, Map<string | number, NodeLocation>>;

export interface Converted {
  value: unknown;
  locations: NodeLocations;
  start: number;
}

/** A converted node: its value, and the length of its text with every alias expanded. */
interface ConvertedNode {
  value: unknown;
  weight: number;
}

/**
 * Converts the tree to a JSON value. An alias shares the value of its anchor, so a bomb of aliases costs nothing here and is recognised by
 * its weight. Keys are set as own properties, whatever their name.
 */
export function convertYaml(source: PlanText, yaml: ParsedYaml): Converted {
  const converter = new Converter(source, yaml.positionOf);
  const { contents } = yaml.document;
  const start = contents === null ? 0 : startOffset(contents);
  const { value } = converter.convert(contents, start, 0);
  if (converter.duplicates.length > 0) throw planError(converter.duplicates, source.name);
  return { value, locations: converter.locations, start };
}

const startOffset = (node: Node): number => node.range?.[0] ?? 0;

class Converter {
  readonly locations: NodeLocations = new WeakMap();
  readonly duplicates: Problem[] = [];
  readonly #anchors = new Map<string, ConvertedNode | undefined>();
  readonly #source: PlanText;
  readonly #positionOf: (offset: number) => Position;

  constructor(source: PlanText, positionOf: (offset: number) => Position) {
    this.#source = source;
    this.#positionOf = positionOf;
  }

  convert(node: unknown, offset: number, depth: number): ConvertedNode {
    if (depth > planLimits.depth)
      throw this.#refuse(offset, 'The plan is nested too deeply.', 'A plan needs at most six levels.');
    if (isAlias(node)) return this.#resolve(node);
    const anchor = isScalar(node) || isMap(node) || isSeq(node) ? node.anchor : undefined;
    // An anchor has no value until it is complete, so that an alias inside it is recognised.
    if (anchor !== undefined) this.#anchors.set(anchor, undefined);
    const part = this.#convertContent(node, depth);
    if (anchor !== undefined) this.#anchors.set(anchor, part);
    return part;
  }

  #convertContent(node: unknown, depth: number): ConvertedNode {
    if (isMap(node)) return this.#convertMap(node, depth);
    if (isSeq(node)) return this.#convertSeq(node, depth);
    if (isScalar(node)) return convertScalar(node);
    return { value: null, weight: 1 };
  }

  #convertSeq(node: YAMLSeq, depth: number): ConvertedNode {
    const value: unknown[] = [];
    const locations = new Map<string | number, NodeLocation>();
    let weight = 1;
    for (const [index, item] of node.items.entries()) {
      const offset = isNode(item) ? startOffset(item) : startOffset(node);
      const part = this.convert(item, offset, depth + 1);
      value.push(part.value);
      locations.set(index, { key: offset, value: offset });
      weight = this.#add(weight, part.weight, offset);
    }
    this.locations.set(value, locations);
    return { value, weight };
  }

  #convertMap(node: YAMLMap, depth: number): ConvertedNode {
    const value: Record<string, unknown> = {};
    const locations = new Map<string | number, NodeLocation>();
    let weight = 1;
    for (const { key: keyNode, value: item } of node.items satisfies Pair[]) {
      const key = this.#convertKey(keyNode);
      const at = isNode(keyNode) ? startOffset(keyNode) : startOffset(node);
      const offset = isNode(item) ? startOffset(item) : at;
      const first = locations.get(key);
      if (first !== undefined) this.#addDuplicate(key, at, first.key);
      const part = this.convert(item, offset, depth + 1);
      Object.defineProperty(value, key, { value: part.value, enumerable: true, configurable: true, writable: true });
      locations.set(key, { key: at, value: offset });
      weight = this.#add(weight, part.weight + key.length, offset);
    }
    this.locations.set(value, locations);
    return { value, weight };
  }

  /** The parser accepts only scalars as keys. */
  #convertKey(node: unknown): string {
    if (!isScalar(node)) return '';
    const part = convertScalar(node);
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, part);
    return String(part.value);
  }

  #resolve(alias: Alias): ConvertedNode {
    const offset = startOffset(alias);
    const part = this.#anchors.get(alias.source);
    if (part !== undefined) return part;
    const name = quoteName(alias.source);
    if (this.#anchors.has(alias.source)) {
      throw this.#refuse(offset, `The anchor ${name} contains itself.`, 'Write the value out instead of the alias.');
    }
    const hint = `Put ${quoteName(`*${alias.source}`)} in quotes if it is a string.`;
    throw this.#refuse(offset, `There is no anchor ${name} before this alias.`, hint);
  }

  #add(weight: number, more: number, offset: number): number {
    const sum = weight + more;
    // With aliases expanded, a text has at most two units of weight for each character.
    if (sum > 2 * planLimits.maxPlanBytes) {
      throw this.#refuse(offset, 'The aliases of this plan expand to too much text.', 'Write the values out.');
    }
    return sum;
  }

  #addDuplicate(key: string, at: number, first: number): void {
    if (this.duplicates.length >= planLimits.problems) return;
    const { line } = this.#positionOf(first);
    const message = `The key ${quoteName(key)} is given twice; the first is in line ${line}.`;
    this.duplicates.push(syntaxProblem(this.#source, this.#positionOf(at), message, 'Remove one of the two.'));
  }

  #refuse(offset: number, message: string, hint: string): HeddleError {
    return syntaxError(this.#source, this.#positionOf(offset), message, hint);
  }
}

function convertScalar(node: Scalar): ConvertedNode {
  const { value } = node;
  const weight = typeof value === 'string' ? value.length + 1 : 1;
  return { value: value ?? null, weight };
}
