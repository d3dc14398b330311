import { ask, quoteWord, type GateFinding } from '../findings/finding.ts';
import { hasVerbs } from '../programs/verbs.ts';
import { readArguments, listOptionValues, type OptionSpec } from '../shell/words/options.ts';
import type { ProgramInput } from '../shell/words/command-reading.ts';
import { isCertain, type ShellWord } from '../shell/words/word.ts';
import { sqlDanger, sqliteCommandDanger } from '../sql/sql-danger.ts';

/** A letter, or long names that may be abbreviated. */
interface GivenAs {
  letter?: string;
  long?: string | readonly string[];
}

/** How a client is given SQL. */
interface Client extends OptionSpec {
  option?: GivenAs;
  /** Another option for it. */
  another?: GivenAs;
  /** Operands before those that are SQL; without it, none is. */
  operandsBefore?: number;
}

const postgres: Client = {
  values: 'cdfFhLopPRTUv',
  long: ['command', 'dbname', 'file', 'host', 'port', 'username', 'set', 'variable', 'output', 'log-file'],
  option: { letter: 'c', long: 'command' },
};
const mysql: Client = {
  values: 'eDhPuS',
  long: ['execute', 'database', 'host', 'port', 'user', 'socket', 'init-command'],
  option: { letter: 'e', long: ['execute', 'init-command'] },
};
const byE: Client = { values: 'efund', option: { letter: 'e' } };
const byExecute: Client = {
  long: ['execute', 'server', 'catalog', 'schema', 'database'],
  option: { long: 'execute' },
};
const lite: Client = { operandsBefore: 1 };

const clients: Readonly<Record<string, Client>> = {
  ...{
    psql: postgres,
    pgcli: postgres,
    usql: postgres,
    cockroach: { values: 'e', long: ['execute', 'url'], option: { letter: 'e', long: 'execute' } },
  },
  ...{ mysql, mariadb: mysql, mycli: mysql },
  ...{ sqlite: lite, sqlite3: lite, litecli: lite },
  duckdb: { ...lite, values: 'cs', option: { letter: 'c' } },
  'clickhouse-client': {
    values: 'q',
    long: ['query', 'host', 'user', 'password', 'database'],
    option: { letter: 'q', long: 'query' },
  },
  clickhouse: { values: 'q', long: ['query', 'host', 'user'], option: { letter: 'q', long: 'query' } },
  sqlcmd: { values: 'QqSUPdi', option: { letter: 'Q' }, another: { letter: 'q' } },
  cqlsh: { values: 'efku', option: { letter: 'e', long: 'execute' }, long: ['execute', 'file', 'keyspace'] },
  snowsql: { values: 'qf', option: { letter: 'q', long: 'query' }, long: ['query', 'filename'] },
  ...{ bq: { operandsBefore: 1 }, rqlite: { values: 'Hpsu', operandsBefore: 0 } },
  'mssql-cli': { values: 'QSUPdi', option: { letter: 'Q' } },
  ...{ beeline: byE, hive: byE, 'spark-sql': byE, 'impala-shell': { values: 'qif', option: { letter: 'q' } } },
  ...{ presto: byExecute, trino: byExecute },
  snow: { values: 'qf', long: ['query', 'filename'], option: { letter: 'q', long: 'query' } },
  ...{ sqlplus: {}, isql: {}, tsql: {}, db2: { operandsBefore: 0 } },
  // Behind verbs: `d1 execute NAME --command SQL`, `db shell NAME SQL`, `db execute SQL`, `pg:psql -c SQL`.
  ...{ wrangler: { long: ['command', 'file'], option: { long: 'command' } }, turso: { operandsBefore: 3 } },
  ...{ heroku: postgres, supabase: { operandsBefore: 2 }, prisma: {} },
};

/** SQL that stands in the command. What a client reads from a file is not looked at: that is a script like any other. */
export function databases(name: string, words: readonly ShellWord[], input: ProgramInput): GateFinding[] {
  const plain = otherDatabases(name, words, input);
  const client = Object.hasOwn(clients, name) ? clients[name] : undefined;
  if (client === undefined) return plain;
  const texts = textsFor(name, client, words);
  const isOpen = texts.some(({ kind }) => kind === 'open') || input.kind === 'words';
  const dangers = [...texts.map(({ text }) => text), ...(input.kind === 'text' ? [input.text] : [])].flatMap((text) => [
    sqlDanger(text, name),
    name.startsWith('sqlite') ? sqliteCommandDanger(text) : undefined,
  ]);
  return [
    ...dangers.flatMap((one) => (one === undefined ? [] : [ask(one.danger, one.why)])),
    ...(isOpen ? [ask('unclear', `The SQL that ${quoteWord(name)} gets is only known when it runs.`)] : []),
  ];
}

function textsFor(name: string, client: Client, words: readonly ShellWord[]): ShellWord[] {
  if (name.startsWith('sqlite')) return liteTexts(words);
  const given = readArguments(words, client);
  const byOption = [client.option, client.another].flatMap((option) =>
    option === undefined ? [] : listOptionValues(given, option),
  );
  const byOperand = client.operandsBefore === undefined ? [] : given.operands.slice(client.operandsBefore);
  return [...byOption, ...byOperand];
}

/** Its long options have one dash: `-cmd SQL`, `-separator X`. */
function liteTexts(words: readonly ShellWord[]): ShellWord[] {
  const texts: ShellWord[] = [];
  const operands: ShellWord[] = [];
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at];
    const next = words[at + 1];
    if (word === undefined) break;
    if (!word.text.startsWith('-') || !isCertain(word)) operands.push(word);
    else if (
      /^--?(?:cmd|init|separator|newline|nullvalue|mmap|vfs|lookaside|pagecache|maxsize|deserialize)$/.test(word.text)
    ) {
      if (word.text.endsWith('cmd') && next !== undefined) texts.push(next);
      at += 1;
    }
  }
  return [...texts, ...operands.slice(1)];
}

const flushes = (words: readonly ShellWord[], input: ProgramInput): boolean =>
  [...words.map(({ text }) => text), ...(input.kind === 'text' ? [input.text] : [])].some((text) =>
    /\bflush(?:all|db)\b/i.test(text),
  );

/** Programs that drop a database without SQL. */
function otherDatabases(name: string, words: readonly ShellWord[], input: ProgramInput): GateFinding[] {
  const drops =
    name === 'dropdb' ||
    name === 'dropuser' ||
    (/^(?:mysqladmin|mariadb-admin)$/.test(name) && hasVerbs(words, 'drop')) ||
    (name === 'cypher-shell' && words.some(({ text }) => /\bDETACH\s+DELETE\b|\bDROP\b/i.test(text))) ||
    (/^(?:redis|valkey|keydb|dragonfly)-cli$/.test(name) && flushes(words, input));
  return drops ? [ask('sql', `${quoteWord(name)} drops or empties a whole database.`)] : [];
}
