import { parse } from 'unbash';
import { limits } from '../../limits/domain-limits.ts';
import { utf8Length } from '../../text/text.ts';
import { wordReader } from './words/read-word.ts';
import type { Resolve, Scope } from './words/scope.ts';
import { noInput, type CommandReading } from './words/command-reading.ts';
import { startCall } from './start-call.ts';
import { integerProblem } from './words/evaluated.ts';
import { addVariables, findVariables, newVariables } from './words/variables.ts';
import { walkFunctions, walkScript } from './walk-script.ts';
import { openWord, plainWord } from './words/word.ts';

interface Start {
  /** Absolute, where the command runs. */
  folder: string;
  resolve: Resolve;
}

/** Reads a command of a shell: every program that it may start, in every branch, substitution and text. */
export function readShell(text: string, start: Start): CommandReading {
  const scope = openScope(start);
  scope.readText(text, scope);
  return finish(scope);
}

/** Reads a program with its arguments, which no shell touches before it starts. */
export function readProgram(words: readonly string[], start: Start): CommandReading {
  const scope = openScope(start);
  if (words.some((word) => /[\u0000]/.test(word))) scope.reading.problems.add(unreadable);
  else startCall({ words: words.map(plainWord), network: false }, scope);
  return finish(scope);
}

/** Adds the problems that depend on every text that was read. */
function finish({ reading, later, all: variables }: Scope): CommandReading {
  for (const look of later) look();
  const problem = integerProblem({ variables, strict: false });
  const doubt = integerProblem({ variables, strict: true });
  if (problem !== undefined) reading.problems.add(problem);
  if (doubt !== undefined) reading.doubts.add(doubt);
  for (const name of variables.indirect) reading.settings.push({ name, words: [openWord] });
  return reading;
}

const unreadable = 'It has characters that no command needs.';

function openScope({ folder, resolve }: Start): Scope {
  const budget = { left: limits.gates.commandBytes * limits.gates.readings };
  return {
    reading: {
      calls: [],
      files: [],
      settings: [],
      functions: new Set(),
      folders: new Set([folder]),
      problems: new Set(),
      doubts: new Set(),
    },
    variables: newVariables(),
    readWord: wordReader(newVariables()),
    all: newVariables(),
    later: [],
    folders: [folder],
    input: noInput,
    within: [],
    depth: 0,
    inLoop: false,
    inFunction: false,
    guess: false,
    sharesInput: false,
    resolve,
    readText: (text, scope) => {
      if (scope.guess) readInto(text, withoutProblems(scope), budget);
      else readInto(text, scope, budget);
    },
    readScript: walkScript,
  };
}

/** A guess that cannot be read is no command. */
const withoutProblems = (scope: Scope): Scope => ({
  ...scope,
  reading: {
    ...scope.reading,
    problems: new Set(),
    doubts: new Set(),
    files: [],
    settings: [],
    functions: new Set(),
    folders: new Set(),
  },
});

/** How many brackets are open at most, whatever they mean: at least as many as the parser will find. */
function countNesting(text: string): number {
  let [open, most] = [0, 0];
  for (const [bracket] of text.matchAll(/[()[\]{}]/g)) {
    open = Math.max(0, open + ('([{'.includes(bracket) ? 1 : -1));
    most = Math.max(most, open);
  }
  return most;
}

function readInto(text: string, scope: Scope, budget: { left: number }): void {
  const { problems } = scope.reading;
  const bytes = utf8Length(text);
  budget.left -= bytes;
  if (bytes > limits.gates.commandBytes || budget.left < 0) problems.add('It is too long to be read.');
  // Tabs and line ends are all that a command needs; others mean different things to different readers.
  else if (/[\u0000-\u0008\u000b-\u001f\u007f]/.test(text)) problems.add(unreadable);
  else if (countNesting(text) > limits.gates.nesting)
    problems.add('It has too many brackets inside of brackets to be read.');
  else {
    const script = parse(text);
    const variables = findVariables(script);
    if (!scope.guess) addVariables(scope.all, variables);
    const inside = { ...scope, variables, readWord: wordReader(variables) };
    walkScript(script, inside);
    walkFunctions(script, inside);
  }
}
