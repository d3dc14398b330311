/**
 * Names the original of a shortened text for a model: `ref:12` is the reply of turn 12, `ref:12.1` the result of its first call,
 * `ref:12.1/arguments` the arguments of that call. References hold inside one conversation.
 */
export type Reference =
  | { of: 'narrative'; turn: number }
  | { of: 'output'; call: string }
  | { of: 'arguments'; call: string };

const form = /^ref:(\d{1,6})(?:\.(\d{1,4})(\/arguments)?)?$/;

export function parseReference(path: string): Reference | undefined {
  const [, turn, index, ofArguments] = form.exec(path) ?? [];
  if (turn === undefined) return undefined;
  if (index === undefined) return { of: 'narrative', turn: Number(turn) };
  return { of: ofArguments === undefined ? 'output' : 'arguments', call: `${Number(turn)}.${Number(index)}` };
}

/** Recognises a path that is meant as a reference, also when it is malformed. */
export const looksLikeReference = (path: string): boolean => path.startsWith('ref:');

export function writeReference(reference: Reference): string {
  switch (reference.of) {
    case 'narrative':
      return `ref:${reference.turn}`;
    case 'output':
      return `ref:${reference.call}`;
    case 'arguments':
      return `ref:${reference.call}/arguments`;
  }
}
