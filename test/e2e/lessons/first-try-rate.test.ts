// A measurement, not a promise: how often a first attempt passes over scripted tasks with repeated kinds of failure, with lessons and
// without. HEDDLE_LESSON_TASKS=40 npx vitest run test/e2e/lessons/first-try-rate.test.ts
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endOf, shellPlan, useRig } from '../../support/rig.ts';
import { until } from '../../support/witness.ts';

const tasks = Number(process.env['HEDDLE_LESSON_TASKS'] ?? 0);

const rig = useRig();

/** Kinds of work, the word that a prompt must have for a first pass, and the lesson that names it. */
const kinds = [
  { work: 'Write the release notes', need: 'headings', lesson: 'Release notes need headings for each change.' },
  { work: 'Build the search index', need: 'stemming', lesson: 'A search index needs stemming of words.' },
  { work: 'Migrate the user table', need: 'backfill', lesson: 'Before you migrate a user table, plan the backfill.' },
  { work: 'Draw the monthly chart', need: 'legend', lesson: 'A monthly chart needs a legend.' },
  {
    work: 'Translate the error messages',
    need: 'placeholders',
    lesson: 'Translated error messages keep their placeholders.',
  },
];

async function rate(withLessons: boolean): Promise<number> {
  const project = `rate-${withLessons}-${process.pid}-${Date.now()}`;
  let first = 0;
  for (let at = 0; at < tasks; at += 1) {
    const kind = kinds[at % kinds.length] ?? expect.fail('no kind');
    const workspace = rig.workspace();
    const script = [
      { when: { role: 'extractor' }, reply: { text: JSON.stringify({ lessons: [{ text: kind.lesson }] }) } },
    ];
    writeFileSync(join(workspace, 'script.yaml'), JSON.stringify(script));
    const provider = `[providers.s]\nkind = "scripted"\nscript = "${join(workspace, 'script.yaml')}"\n`;
    const model = '[models.m]\nprovider = "s"\nid = "m"\nroles = ["extractor"]\n';
    writeFileSync(join(workspace, 'heddle.toml'), `${provider}${model}[memory]\nlessons = ${withLessons}\n`);
    const sh = `cat > prompt.txt; echo x > out.md; grep -q ${kind.need} prompt.txt && { echo done; exit 0; }; test "$HEDDLE_ATTEMPT" -ge 2 && { echo done; exit 0; }; echo "error: no ${kind.need}" >&2; exit 1`;
    const plan = shellPlan(
      { work: { sh, description: `${kind.work} of week ${at}`, deliverables: ['out.md'] } },
      { project, workspace, recovery: {} },
    );
    const task = await rig.start(plan);
    expect(await endOf(task)).toBe('completed');
    const attempts = await task.attempts();
    if (attempts.length === 1) first += 1;
    else if (withLessons)
      await until(async () => (await rig.client.project(project).memory()).lessons.length > at % kinds.length);
  }
  return first / tasks;
}

test.skipIf(tasks === 0)(
  'a project with lessons passes more often at the first attempt',
  async () => {
    const [without, withLessons] = [await rate(false), await rate(true)];
    console.log(
      `first-try rate over ${tasks} tasks of ${kinds.length} kinds: ${without} without lessons, ${withLessons} with`,
    );
    expect(withLessons).toBeGreaterThan(without);
  },
  600_000,
);
