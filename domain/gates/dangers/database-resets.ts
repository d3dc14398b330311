import { ask, quoteWord, type GateFinding } from '../findings/finding.ts';
import type { ProgramInput } from '../shell/words/command-reading.ts';
import { programName, type ShellWord } from '../shell/words/word.ts';
import { hasWord, isInTable, type VerbTable } from './find-verb.ts';

/** Commands of frameworks and migration tools that drop or empty a database. */
const table: VerbTable = {
  prisma: ['migrate reset', { verbs: 'db push', option: /^--(?:force-reset|accept-data-loss)/ }],
  sequelize: ['db:drop', 'db:migrate:undo:all'],
  hanami: ['db drop'],
  soda: ['drop', 'reset'],
  buffalo: ['pop drop', 'pop reset', 'db drop', 'db reset'],
  'db-migrate': ['reset', 'db:drop'],
  magento: ['setup:uninstall'],
  doctrine: [{ verbs: '', option: /^orm:schema-tool:drop$/ }],
  lein: ['migratus reset'],
  masonite: ['migrate:refresh', 'migrate:reset'],
  sbt: ['flywayClean'],
  'neo4j-admin': ['database delete'],
  symfony: [{ verbs: '', option: /^doctrine:(?:database|schema):drop$/ }],
  knex: [{ verbs: 'migrate:rollback', option: /^--all/ }],
  typeorm: ['schema:drop'],
  'mikro-orm': ['schema:drop', 'database:drop', 'schema:fresh', 'migration:fresh'],
  'drizzle-kit': ['drop', { verbs: 'push', option: /^--force/ }],
  supabase: ['db reset'],
  mix: [
    'ecto.drop',
    'ecto.reset',
    'ash.reset',
    'do ecto.drop',
    'do ecto.drop,',
    'do ecto.reset',
    { verbs: 'ecto.rollback', option: /^--all$/ },
  ],
  diesel: [
    'database reset',
    'database drop',
    { verbs: 'migration redo', option: /^(?:-a|--all)/ },
    { verbs: 'migration revert', option: /^(?:-a|--all)/ },
  ],
  sqlx: ['database drop', 'database reset', 'db drop', 'db reset'],
  'sea-orm-cli': ['migrate fresh', 'migrate reset', 'migrate refresh'],
  goose: [{ verbs: '', option: /^(?:reset|down-to)$/ }],
  migrate: [
    { verbs: '', option: /^drop$/ },
    { verbs: '', option: /^--?all$/ },
  ],
  cargo: ['sqlx database drop', 'sqlx database reset', 'sqlx db drop', 'sqlx db reset'],
  'dotnet-ef': ['database drop'],
  ...Object.fromEntries(
    ['mvn', 'mvnw', 'gradle', 'gradlew'].map((name) => [
      name,
      [
        {
          verbs: '',
          option:
            /^(?:[\w.-]+:)*(?:flyway:clean|flyway-maven-plugin(?::[\d.]+)?:clean|liquibase:dropAll)$|^:?(?:[\w-]+:)*(?:flywayClean|dropAll)$/,
        },
      ],
    ]),
  ),
  python: [{ verbs: 'django flush', option: /^-m/ }],
  liquibase: [{ verbs: '', option: /^drop-?all$/i }],
  dbmate: ['drop'],
  atlas: ['schema clean'],
  alembic: ['downgrade base'],
  flask: ['db downgrade base', 'drop-db', 'reset-db'],
  dotnet: ['ef database drop', 'tool run dotnet-ef database drop'],
  flyway: [{ verbs: '', option: /^clean$/ }],
  wp: ['db reset', 'db drop', 'db clean', 'site empty'],
  drush: ['sql:drop', 'sql-drop', 'site:install', 'site-install'],
  meteor: ['reset'],
  mongorestore: [{ verbs: '', option: /^--drop$/ }],
  pg_restore: [{ verbs: '', option: /^(?:-[a-zA-Z]*c$|--cl)/ }],
  pg_dropcluster: [''],
  'django-admin': ['flush', 'reset_db'],
  influx: ['delete', 'bucket delete'],
  edgedb: ['database drop', 'database wipe', 'instance destroy'],
};

/** Tasks of Ruby, wherever they stand. */
const rubyTask =
  /^(?:[\w-]+:)?db:(?:mongoid:)?(?:drop|reset|purge|truncate_all|migrate:reset|seed:replant|schema:load|structure:load|setup)(?:[:[].*)?$/;

/** Scripts of frameworks, which have commands as programs have them. */
const scripts: Readonly<Record<string, readonly string[]>> = {
  artisan: ['migrate:fresh', 'migrate:reset', 'migrate:refresh', 'db:wipe', 'schema:drop', 'tenants:migrate-fresh'],
  console: ['doctrine:database:drop', 'doctrine:schema:drop', 'doctrine:fixtures:load'],
  'manage.py': ['flush', 'reset_db', 'reset_schema', 'clear_cache_db'],
  craft: ['db/drop-all-tables', 'db/restore'],
  spark: ['migrate:refresh', 'migrate:rollback'],
  magento: ['setup:uninstall'],
  ...{ ace: adonis(), 'ace.js': adonis() },
};
/** Their commands may be abbreviated, part by part: `d:d:d`. */
const abbreviating = new Set(['artisan', 'console', 'craft', 'magento']);

function adonis(): string[] {
  return ['migration:fresh', 'migration:reset', 'migration:refresh', 'db:wipe', 'db:truncate'];
}

function isCommand(text: string, command: string, mayAbbreviate: boolean): boolean {
  if (!mayAbbreviate) return text === command;
  const given = text.split(':');
  const parts = command.split(':');
  return (
    given.length === parts.length && parts.every((part, at) => given[at] !== '' && part.startsWith(given[at] ?? ' '))
  );
}

/** A script may be given one of its commands that drop or empty a database. */
const dropsByScript = (script: string, words: readonly ShellWord[]): boolean =>
  Object.hasOwn(scripts, script) &&
  words
    .slice(1)
    .some(
      ({ text }) => scripts[script]?.some((command) => isCommand(text, command, abbreviating.has(script))) === true,
    );

/** Calls that drop, or delete without a filter, in code for MongoDB. */
const mongoDrop = /\.(?:drop(?:Database|Collection)?\s*\(|(?:deleteMany|remove)\s*\(\s*(?:\{\s*\})?\s*\))/;

/** `script` is the file that an interpreter runs. */
export function databaseResets(
  name: string,
  words: readonly ShellWord[],
  script: ShellWord | undefined,
  input: ProgramInput,
): GateFinding[] {
  const scriptName = programName(script?.text ?? '');
  const isRuby = /^(?:rails|rake)$/.test(name) || /^(?:rails|rake)$/.test(scriptName);
  const drops =
    isInTable(name, words, table) ||
    (isRuby && hasWord(words, rubyTask)) ||
    (/^mongo(?:sh)?$/.test(name) &&
      (hasWord(words, mongoDrop) || (input.kind === 'text' && mongoDrop.test(input.text)))) ||
    [name, scriptName].some((one) => dropsByScript(one, words)) ||
    // Back to before the first migration.
    ((name === 'manage.py' || scriptName === 'manage.py') &&
      hasWord(words, /^migrate$/) &&
      words.at(-1)?.text === 'zero');
  return drops
    ? [ask('sql', `${quoteWord(scriptName === '' ? name : scriptName)} drops or empties a whole database.`)]
    : [];
}
