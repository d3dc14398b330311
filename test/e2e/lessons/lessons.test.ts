// Lessons of people in prompts: recalled by what the work is about, counted by how it ended, never shown where they do not fit.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endOf, shellPlan, useRig } from '../../support/rig.ts';
import { until } from '../../support/witness.ts';

const rig = useRig();

const project = (name: string): string => `l-${name}-${process.pid}-${Date.now()}`;
const about = 'Write the release notes';
const lesson = 'Release notes need a heading for each change.';

test('a lesson of a person is shown to the work that it is about, and counted as helpful', async () => {
  const name = project('own');
  const memory = rig.client.project(name);
  await memory.addLesson(lesson);
  await memory.addLesson('Never format the database twice.');
  const workspace = rig.workspace();
  const task = await rig.start({
    goal: 'publish',
    project: name,
    workspace,
    subtasks: [
      {
        id: 'notes',
        description: about,
        executor: { kind: 'command', run: ['sh', '-c', 'cat > prompt.txt; echo done'] },
        deliverables: ['prompt.txt'],
      },
      {
        id: 'other',
        description: 'Count files',
        executor: { kind: 'command', run: ['sh', '-c', 'cat > other.txt; echo x'] },
      },
    ],
  });
  expect(await endOf(task)).toBe('completed');
  const prompt = readFileSync(join(workspace, 'prompt.txt'), 'utf8');
  expect(prompt).toContain(`<lessons>`);
  expect(prompt).toContain(`- ${lesson}`);
  expect(prompt).not.toContain('database');
  expect(prompt.indexOf('<lessons>')).toBeLessThan(prompt.indexOf(about));
  expect(readFileSync(join(workspace, 'other.txt'), 'utf8')).not.toContain('<lessons>');
  const attempts = await task.attempts();
  const shown = attempts.map(({ subtask, lessons }) => [subtask, lessons?.length]);
  expect(new Map(shown as [string, number][])).toEqual(
    new Map([
      ['notes', 1],
      ['other', undefined],
    ]),
  );
  await until(async () => (await memory.memory()).lessons.some(({ helped }) => helped === 1));
  expect((await memory.memory()).lessons.find(({ text }) => text === lesson)).toMatchObject({
    ...{ by: 'person', state: 'active', shown: 1, helped: 1, hurt: 0 },
  });
});

test('a wrong lesson of a model is retired after two failures, within one task or over several', async () => {
  const name = project('wrong');
  const memory = rig.client.project(name);
  const at = new Date().toISOString();
  await memory.import({
    signatures: [],
    answers: [],
    lessons: [
      {
        ...{ id: 'l-0123456789', text: lesson, by: 'model', from: [], at },
        ...{ shown: 0, helped: 0, hurt: 0, state: 'active' },
      },
    ],
  });
  const workspace = rig.workspace();
  const fails =
    'cat > prompt-$HEDDLE_ATTEMPT.txt; test "$HEDDLE_ATTEMPT" -ge 3 && { echo done; exit 0; }; echo "error: no heading" >&2; exit 1';
  const task = await rig.start(shellPlan({ notes: { sh: fails, description: about } }, { project: name, workspace }));
  expect(await endOf(task)).toBe('completed');
  const has = (attempt: number): boolean =>
    readFileSync(join(workspace, `prompt-${attempt}.txt`), 'utf8').includes(lesson);
  expect([has(1), has(2), has(3)]).toEqual([true, true, false]);
  await until(async () => (await memory.memory()).lessons[0]?.state === 'retired');
  expect((await memory.memory()).lessons[0]).toMatchObject({ hurt: 2, helped: 0, shown: 2 });
  writeFileSync(join(workspace, 'again'), '');
  const next = await rig.start(
    shellPlan({ notes: { sh: 'cat > last.txt; echo x', description: about } }, { project: name, workspace }),
  );
  await endOf(next);
  expect(readFileSync(join(workspace, 'last.txt'), 'utf8')).not.toContain(lesson);
});

test('forget survives a running task', async () => {
  const name = project('forget');
  const memory = rig.client.project(name);
  const { lessons } = await memory.addLesson(lesson);
  const id = lessons[0]?.id ?? '';
  const workspace = rig.workspace();
  const holds = 'cat > prompt.txt; until [ -e go ]; do sleep 0.05; done; echo done';
  const task = await rig.start(shellPlan({ notes: { sh: holds, description: about } }, { project: name, workspace }));
  await until(async () => (await task.attempts()).length === 1);
  expect((await memory.forget(id)).lessons).toEqual([]);
  writeFileSync(join(workspace, 'go'), '');
  expect(await endOf(task)).toBe('completed');
  expect((await memory.memory()).lessons).toEqual([]);
});

test('a task with memory.lessons = false shows none', async () => {
  const name = project('off');
  await rig.client.project(name).addLesson(lesson);
  const workspace = rig.workspace();
  writeFileSync(join(workspace, 'heddle.toml'), '[memory]\nlessons = false\n');
  const task = await rig.start(
    shellPlan({ notes: { sh: 'cat > prompt.txt; echo x', description: about } }, { project: name, workspace }),
  );
  await endOf(task);
  expect(readFileSync(join(workspace, 'prompt.txt'), 'utf8')).not.toContain('<lessons>');
});

test('an unknown lesson is LESSON_NOT_FOUND, and a text of a person has its limits', async () => {
  const memory = rig.client.project(project('codes'));
  await memory.addLesson(lesson);
  await expect(memory.forget('l-ffffffffff')).rejects.toMatchObject({ code: 'LESSON_NOT_FOUND' });
  await expect(memory.acceptLesson('l-ffffffffff')).rejects.toMatchObject({ code: 'LESSON_NOT_FOUND' });
  await expect(memory.setLesson('l-ffffffffff', 'x y')).rejects.toMatchObject({ code: 'LESSON_NOT_FOUND' });
  await expect(memory.addLesson('x'.repeat(241))).rejects.toMatchObject({ code: 'MESSAGE_INVALID' });
  const [known] = (await memory.memory()).lessons;
  const after = await memory.setLesson(known?.id ?? '', 'Release notes need a date.');
  expect(after.lessons).toMatchObject([{ id: known?.id, text: 'Release notes need a date.', by: 'person' }]);
});
