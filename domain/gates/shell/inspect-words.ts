import { forEachChild, type SyntaxNode } from 'unbash';
import { limits } from '../../limits/domain-limits.ts';
import { evaluationProblem, type Values } from './words/evaluated.ts';
import type { Scope } from './words/scope.ts';

/**
 * Data becomes a command where bash calculates with it, expands it again or hands it on, in more ways than can be listed. So what would be a
 * command in it is read as one, with and without its backslashes.
 */
function readLiteral(text: string, scope: Scope): void {
  if (!/\$[({]|`/.test(text) || scope.depth > limits.gates.depth) return;
  const deeper = { ...scope, depth: scope.depth + 1, guess: true };
  for (const one of new Set([text, text.replaceAll('\\', '')]))
    scope.readText(`: <<${literalEnd}\n${one}\n${literalEnd}\n`, deeper);
}

const literalEnd = 'HEDDLE_LITERAL';

export const inspectChildren = (node: SyntaxNode, scope: Scope): void => {
  forEachChild(node, (child) => {
    inspect(child, scope);
  });
};

/** The texts that a value may hold are known when all texts are read: each of them may set it. */
export function lookLater(find: (values: Values) => string | undefined, { reading, later, all }: Scope): void {
  later.push(() => {
    const problem = find({ variables: all, strict: false });
    if (problem !== undefined) reading.problems.add(problem);
    else {
      const doubt = find({ variables: all, strict: true });
      if (doubt !== undefined) reading.doubts.add(doubt);
    }
  });
}

/** Looks into words for commands that run while the shell puts them together. */
export function inspect(node: SyntaxNode, scope: Scope): void {
  const { problems } = scope.reading;
  lookLater((values) => evaluationProblem(node, values), scope);
  switch (node.type) {
    case 'Script':
      scope.readScript(node, scope);
      return;
    case 'CommandExpansion':
    case 'ProcessSubstitution':
    case 'ArithmeticCommandExpansion':
      if (node.script === undefined) problems.add('It is not a complete command, so nobody can say what it does.');
      break;
    case 'HereDoc':
      if (node.closing === undefined) problems.add('The end of a text in it is missing (<<).');
      break;
    case 'Word':
      for (const { text } of scope.readWord(node)) readLiteral(text, scope);
      break;
    case 'DoubleQuoted':
    case 'LocaleString':
    case 'HereDocBody':
      // There, bash takes the inner quotes away and expands what was in them.
      if (/\$\{[^]*\$'/.test(node.text)) problems.add("Its quotes ($'...') mean different things to different shells.");
      break;
    case 'AnsiCQuoted':
      // A shell that does not know these quotes would see another command.
      if (node.text.includes("\\'")) problems.add("Its quotes ($'...') mean different things to different shells.");
      break;
    default:
  }
  inspectChildren(node, scope);
}
