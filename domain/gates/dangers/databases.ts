import { ask, quote, type Finding } from '../findings/finding.ts';
import { hasVerbs } from '../programs/verbs.ts';
import { readArguments, valuesOf, type OptionSpec } from '../shell/words/options.ts';
import type { Input } from '../shell/words/command-reading.ts';
import { isCertain, type Word } from '../shell/words/word.ts';
import { sqlDanger, sqliteCommandDanger } from '../sql/sql-danger.ts';

/** How a client is given SQL. */
interface Client extends OptionSpec {
  option?: { letter?: string; long?: string | readonly string[] };
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
  sqlcmd: { values: 'QqSUPdi', option: { letter: 'Q' } },
  cqlsh: { values: 'efku', option: { letter: 'e', long: 'execute' }, long: ['execute', 'file', 'keyspace'] },
  snowsql: { values: 'qf', option: { letter: 'q', long: 'query' }, long: ['query', 'filename'] },
  bq: { operandsBefore: 1 },
};

/** SQL that stands in the command. What a client reads from a file is not looked at: that is a script like any other. */
export function databases(name: string, words: readonly Word[], input: Input): Finding[] {
  const plain = otherDatabases(name, words);
  const client = Object.hasOwn(clients, name) ? clients[name] : undefined;
  if (client === undefined) return plain;
  const texts = textsFor(name, client, words);
  const isOpen = texts.some(({ kind }) => kind === 'open') || input.kind === 'words';
  const found = [...texts.map(({ text }) => text), ...(input.kind === 'text' ? [input.text] : [])].flatMap((text) => [
    sqlDanger(text, name),
    name.startsWith('sqlite') ? sqliteCommandDanger(text) : undefined,
  ]);
  return [
    ...found.flatMap((one) => (one === undefined ? [] : [ask(one.danger, one.why)])),
    ...(isOpen ? [ask('unclear', `The SQL that ${quote(name)} gets is only known when it runs.`)] : []),
  ];
}

function textsFor(name: string, client: Client, words: readonly Word[]): Word[] {
  if (name.startsWith('sqlite')) return liteTexts(words);
  const given = readArguments(words, client);
  const byOption = client.option === undefined ? [] : valuesOf(given, client.option);
  const byOperand = client.operandsBefore === undefined ? [] : given.operands.slice(client.operandsBefore);
  return [...byOption, ...byOperand];
}

/** Its long options have one dash: `-cmd SQL`, `-separator X`. */
function liteTexts(words: readonly Word[]): Word[] {
  const texts: Word[] = [];
  const operands: Word[] = [];
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

/** Programs that drop a database without SQL. */
function otherDatabases(name: string, words: readonly Word[]): Finding[] {
  const drops =
    name === 'dropdb' ||
    name === 'dropuser' ||
    (name === 'mysqladmin' && hasVerbs(words, 'drop')) ||
    (/^(?:redis-cli|valkey-cli)$/.test(name) && words.some(({ text }) => /^flush(?:all|db)$/i.test(text)));
  return drops ? [ask('sql', `${quote(name)} drops or empties a whole database.`)] : [];
}
