import type { Document } from 'yaml';
import { CST, Lexer, LineCounter, parseDocument } from 'yaml';
import { positionIn, type Position } from './file-text.ts';
import type { HeddleError } from '../errors/heddle-error.ts';
import { planLimits } from './limits.ts';
import type { PlanText } from './plan-source.ts';
import { syntaxError } from './plan-source.ts';

export interface ParsedYaml {
  document: Document.Parsed;
  positionOf: (offset: number) => Position;
}

/** Parses YAML 1.2 (and so JSON) as a tree with positions. Throws the first syntax error only, because later ones mostly follow from it. */
export function parseYaml(source: PlanText): ParsedYaml {
  const lines = new LineCounter();
  const positionOf = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const refused = findRefusable(source.text);
  if (refused !== undefined) {
    throw syntaxError(source, positionIn(source.text, refused.offset), refused.message, refused.hint);
  }
  const document = withoutStacks(() => parseText(source, lines));
  const [first] = [...document.errors.slice(0, 1), ...document.warnings.slice(0, 1)];
  if (first !== undefined) throw explain(source, positionOf(first.pos[0]), first);
  return { document, positionOf };
}

function parseText(source: PlanText, lineCounter: LineCounter): Document.Parsed {
  try {
    return parseDocument(source.text, {
      lineCounter,
      prettyErrors: false,
      // Keys are compared in convert-yaml.ts, because the library needs quadratic time for it.
      uniqueKeys: false,
      stringKeys: true,
      resolveKnownTags: false,
      version: '1.2',
      schema: 'core',
      merge: false,
    });
  } catch (error) {
    // The parser reports syntax errors itself; a thrown error is a stack overflow.
    const { message, hint } = error instanceof RangeError ? tooDeep : unreadable;
    throw syntaxError(source, { line: 1, column: 1 }, message, hint);
  }
}

/** A file full of mistakes makes a million errors, and the stack of each costs more than all the parsing. */
function withoutStacks<T>(run: () => T): T {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return run();
  } finally {
    Error.stackTraceLimit = limit;
  }
}

interface Refused {
  offset: number;
  message: string;
  hint: string;
}

/** Finds text that would take the parser too long or too deep, from the tokens alone. */
function findRefusable(text: string): Refused | undefined {
  const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.exec(text);
  if (control !== null) {
    const code = (control[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return { offset: control.index, message: `The plan contains the control character U+${code}.`, hint: 'Remove it.' };
  }
  let offset = 0;
  let depth = 0;
  let tokens = 0;
  for (const token of new Lexer().lex(text)) {
    const type = CST.tokenType(token);
    if (type === 'flow-seq-start' || type === 'flow-map-start') depth += 1;
    if (type === 'flow-seq-end' || type === 'flow-map-end') depth -= 1;
    if (depth > planLimits.depth) return { offset, ...tooDeep };
    tokens += 1;
    if (tokens > planLimits.tokens) {
      return { offset, message: 'The plan has too many parts to be read.', hint: 'Split it into several plans.' };
    }
    if (!isMarker(token)) offset += token.length;
  }
  return undefined;
}

const unreadable = { message: 'The plan cannot be read as YAML or JSON.', hint: 'Check that this is a plan file.' };
const tooDeep = { message: 'The plan is nested too deeply.', hint: 'A plan needs at most six levels.' };

/** Markers of the lexer between tokens, which are not in the text. */
const isMarker = (token: string): boolean => token === CST.DOCUMENT || token === CST.FLOW_END || token === CST.SCALAR;

const plainMessages: Record<string, { message: string; hint: string }> = {
  MULTIPLE_DOCS: {
    message: 'The file contains more than one document; a plan is one.',
    hint: 'Remove the line `---` and what follows it.',
  },
  BLOCK_AS_IMPLICIT_KEY: {
    message: 'A value with `: ` in it should be in quotes.',
    hint: 'Put the whole value in quotes, or start a new line for each key.',
  },
  TAG_RESOLVE_FAILED: { message: 'A plan must not have tags (`!name`).', hint: 'Remove the tag.' },
  NON_STRING_KEY: { message: 'A key should be a string.', hint: 'Put a string before the `:`.' },
  TAB_AS_INDENT: { message: 'A tab cannot indent a line in YAML.', hint: 'Indent with spaces.' },
  RESOURCE_EXHAUSTION: tooDeep,
};

function explain(source: PlanText, position: Position, error: { code: string; message: string }): HeddleError {
  const plain = plainMessages[error.code];
  if (plain !== undefined) return syntaxError(source, position, plain.message, plain.hint);
  const reason = error.message.replace(/\.?\s*$/, '');
  return syntaxError(source, position, `This is not valid YAML or JSON: ${reason}.`, 'Correct the text at this place.');
}
