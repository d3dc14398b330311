import { listDialects, tokenizeSql, type SqlToken } from './tokenize-sql.ts';

/** An effect of SQL that cannot be taken back, or that runs something else than SQL. */
export interface SqlDanger {
  danger: 'sql' | 'code';
  why: string;
}

/** Texts that hold SQL in quotes, one in the other. */
const mostNested = 3;

/** The worst that a text does in any database that a client may hand it to. */
export function sqlDanger(text: string, client: string, nested = 0): SqlDanger | undefined {
  const readings = listDialects(client).map((dialect) => splitStatements(tokenizeSql(text, dialect)));
  const dangers = readings.flatMap((statements) => statements.flatMap(findDangers));
  const inside = nested < mostNested ? new Set(readings.flatMap((statements) => statements.flatMap(textsThatRun))) : [];
  const deeper = [...inside].flatMap((one) => sqlDanger(one, client, nested + 1) ?? []);
  const all = [...dangers, ...deeper];
  return all.find(({ danger }) => danger === 'sql') ?? all[0];
}

function splitStatements(tokens: readonly SqlToken[]): SqlToken[][] {
  const statements: SqlToken[][] = [[]];
  for (const token of tokens) {
    if (token.kind === 'mark' && token.text === ';') statements.push([]);
    else statements.at(-1)?.push(token);
  }
  return statements;
}

/** The tokens of each level of brackets: a filter counts only for what is on its own level. */
function splitLevels(statement: readonly SqlToken[]): SqlToken[][] {
  const done: SqlToken[][] = [];
  const open: SqlToken[][] = [[]];
  for (const token of statement) {
    if (token.kind === 'mark' && token.text === '(') open.push([]);
    else if (token.kind === 'mark' && token.text === ')' && open.length > 1) done.push(open.pop() ?? []);
    else open.at(-1)?.push(token);
  }
  return [...done, ...open];
}

const findDangers = (statement: readonly SqlToken[]): SqlDanger[] => [
  ...splitLevels(statement).flatMap(findDangersOfLevel),
  ...(runsPrograms(statement) ? [{ danger: 'code' as const, why: 'The SQL starts programs or writes files.' }] : []),
];

const objects =
  /^(?:TABLE|DATABASE|SCHEMA|VIEW|INDEX|SEQUENCE|USER|ROLE|FUNCTION|PROCEDURE|TRIGGER|TYPE|EXTENSION|COLUMN|CONSTRAINT|MATERIALIZED|OWNED|DOMAIN|POLICY|PARTITION|TABLESPACE|KEYSPACE|SERVER|TEMPORARY|FOREIGN|AGGREGATE|EVENT)$/;
/** Before these words, DELETE and UPDATE only name what a trigger, a key or a lock is about. */
const naming = /^(?:ON|BEFORE|AFTER|OR|OF|FOR|DO|KEY|NO|INSTEAD)$/;

function findDangersOfLevel(level: readonly SqlToken[]): SqlDanger[] {
  const first = level.find(({ kind }) => kind === 'word')?.text ?? '';
  if (first === 'GRANT' || first === 'REVOKE') return [];
  const dangers: SqlDanger[] = [];
  const note = (why: string): unknown => dangers.push({ danger: 'sql', why });
  for (const [at, token] of level.entries()) {
    if (token.kind !== 'word') continue;
    const before = level[at - 1];
    const next = level[at + 1];
    const isFirst = before === undefined;
    if (token.text === 'DROP' && (isFirst || first === 'ALTER' || objects.test(next?.text ?? '')))
      note('The SQL drops something from the database.');
    if (token.text === 'TRUNCATE' && next !== undefined && (isFirst || next.text === 'TABLE'))
      note('The SQL empties a whole table.');
    if (before !== undefined && naming.test(before.text)) continue;
    if (token.text === 'DELETE' && next !== undefined && next.kind !== 'mark' && !isFiltered(level, at))
      note('The SQL deletes without a filter.');
    if (token.text === 'UPDATE' && hasWord(level, 'SET', at) && !isFiltered(level, at))
      note('The SQL changes every row of a table.');
  }
  return dangers;
}

const hasWord = (level: readonly SqlToken[], text: string, from: number): boolean =>
  level.some((token, at) => at > from && token.kind === 'word' && token.text === text);

/** `WHERE 1=1` filters nothing. */
function isFiltered(level: readonly SqlToken[], from: number): boolean {
  const at = level.findIndex((token, index) => index > from && token.kind === 'word' && token.text === 'WHERE');
  if (at === -1) return false;
  const condition = level
    .slice(at + 1)
    .map(({ text }) => text)
    .join('');
  return !/^(?:(\w+)={1,2}\1|1|TRUE)?$/i.test(condition);
}

const words = (statement: readonly SqlToken[]): string[] =>
  statement.flatMap(({ kind, text }) => (kind === 'word' ? [text] : []));

/** Functions and clauses by which a database reaches out of itself, and commands of its client. */
function runsPrograms(statement: readonly SqlToken[]): boolean {
  const keywords = words(statement);
  if (keywords.some((text) => /^(?:XP_CMDSHELL|LOAD_EXTENSION|WRITEFILE|OUTFILE|DUMPFILE|LO_EXPORT)$/.test(text)))
    return true;
  if (keywords[0] === 'COPY' && keywords.includes('PROGRAM')) return true;
  if (/^(?:SYSTEM|PAGER|SOURCE|TEE)$/.test(keywords[0] ?? '')) return true;
  return statement.some(({ kind, text }, at) => {
    if (kind !== 'mark' || text !== '\\') return false;
    return (
      !/^(?:D\w*|L|X|T|A|H|Q|C|G|TIMING|PSET|CONNECT|CONNINFO|ECHO|QECHO|ENCODING|SET|UNSET)$/.test(
        statement[at + 1]?.text ?? '',
      ) || statement.some((token) => token.text === '|')
    );
  });
}

/** Texts in quotes that a statement runs as SQL. */
function textsThatRun(statement: readonly SqlToken[]): string[] {
  const runs = words(statement).some((text) =>
    /^(?:EXECUTE|EXEC|PREPARE|DO|FUNCTION|PROCEDURE|SP_EXECUTESQL)$/.test(text),
  );
  return runs ? statement.filter(({ kind }) => kind === 'text').map(({ text }) => text) : [];
}

/** Lines that the client of SQLite takes for itself: those that are known to only show something are fine. */
const shown =
  /^\.(?:tables|schema|headers?|mode|dump|databases|index(?:es)?|indices|width|quit|exit|help|show|timer|stats|explain|nullvalue|separator|echo|bail|changes|eqp|fullschema|print)\b/;

export function sqliteCommandDanger(text: string): SqlDanger | undefined {
  const runs = text.split('\n').some((line) => line.trimStart().startsWith('.') && !shown.test(line.trimStart()));
  return runs ? { danger: 'code', why: 'A command of sqlite3 in it starts programs or reaches files.' } : undefined;
}
