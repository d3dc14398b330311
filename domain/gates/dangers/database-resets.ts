import { ask, quote, type Finding } from '../findings/finding.ts';
import { programName, type Word } from '../shell/words/word.ts';
import { hasWord, isInTable, type VerbTable } from './find-verb.ts';

/** Commands of frameworks and migration tools that drop or empty a database. */
const table: VerbTable = {
  prisma: ['migrate reset', { verbs: 'db push', option: /^--(?:force-reset|accept-data-loss)/ }],
  sequelize: ['db:drop', 'db:migrate:undo:all'],
  knex: [{ verbs: 'migrate:rollback', option: /^--all/ }],
  typeorm: ['schema:drop'],
  'mikro-orm': ['schema:drop', 'schema:fresh', 'migration:fresh'],
  'drizzle-kit': ['drop', { verbs: 'push', option: /^--force/ }],
  supabase: ['db reset'],
  mix: ['ecto.drop', 'ecto.reset', 'ash.reset'],
  diesel: ['database reset', 'database drop', { verbs: 'migration redo', option: /^(?:-a|--all)/ }],
  sqlx: ['database drop', 'database reset', 'db drop', 'db reset'],
  'sea-orm-cli': ['migrate fresh', 'migrate reset', 'migrate refresh'],
  goose: [{ verbs: '', option: /^(?:reset|down-to)$/ }],
  migrate: [{ verbs: '', option: /^drop$/ }],
  flyway: [{ verbs: '', option: /^clean$/ }],
  ...Object.fromEntries(
    ['mvn', 'mvnw', 'gradle', 'gradlew'].map((name) => [
      name,
      [{ verbs: '', option: /^(?:[\w.-]+:)*(?:flyway:clean|flywayClean|liquibase:dropAll)$/ }],
    ]),
  ),
  python: [{ verbs: 'django flush', option: /^-m/ }],
  liquibase: [{ verbs: '', option: /^drop-?all$/i }],
  dbmate: ['drop'],
  atlas: ['schema clean'],
  alembic: ['downgrade base'],
  flask: ['db downgrade base', 'drop-db', 'reset-db'],
  dotnet: ['ef database drop'],
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
  /^(?:[\w-]+:)?db:(?:drop|reset|purge|truncate_all|migrate:reset|seed:replant|schema:load|structure:load|setup)(?:[:[].*)?$/;

/** Scripts of frameworks, which have commands as programs have them. */
const scripts: Readonly<Record<string, RegExp>> = {
  artisan: /^(?:migrate:(?:fresh|reset|refresh)|db:wipe|schema:drop|tenants:migrate-fresh)$/,
  console: /^(?:doctrine:(?:database|schema):drop|d:d:d|d:s:d|doctrine:fixtures:load)$/,
  'manage.py': /^(?:flush|reset_db|reset_schema|clear_cache_db)$/,
  craft: /^db\/(?:drop-all-tables|restore)$/,
  spark: /^(?:migrate:refresh|migrate:rollback)$/,
  ace: /^(?:migration:fresh|migration:reset|migration:refresh|db:wipe|db:truncate)$/,
  'ace.js': /^(?:migration:fresh|migration:reset|migration:refresh|db:wipe|db:truncate)$/,
};

/** Calls that drop, or delete without a filter, in code for MongoDB. */
const mongoDrop = /\.(?:drop(?:Database|Collection)?\s*\(|(?:deleteMany|remove)\s*\(\s*(?:\{\s*\})?\s*\))/;

/** `script` is the file that an interpreter runs. */
export function databaseResets(name: string, words: readonly Word[], script: Word | undefined): Finding[] {
  const scriptName = programName(script?.text ?? '');
  const isRuby = /^(?:rails|rake)$/.test(name) || /^(?:rails|rake)$/.test(scriptName);
  const task = [name, scriptName].flatMap((one) => (Object.hasOwn(scripts, one) ? (scripts[one] ?? []) : []));
  const drops =
    isInTable(name, words, table) ||
    (isRuby && hasWord(words, rubyTask)) ||
    (/^mongo(?:sh)?$/.test(name) && hasWord(words, mongoDrop)) ||
    task.some((pattern) => hasWord(words, pattern)) ||
    // Back to before the first migration.
    ((name === 'manage.py' || scriptName === 'manage.py') &&
      hasWord(words, /^migrate$/) &&
      words.at(-1)?.text === 'zero');
  return drops
    ? [ask('sql', `${quote(scriptName === '' ? name : scriptName)} drops or empties a whole database.`)]
    : [];
}
