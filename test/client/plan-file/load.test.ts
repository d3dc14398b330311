/* Plan files on disk and on stdin: what is read, what is sent, and what cannot be read. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadPlanFile } from '../../../client/plan-file/load-plan-file.ts';
import { planLimits } from '../../../domain/input/limits.ts';
import { parsePlan } from '../../../domain/plan/parse-plan.ts';
import { inPlan, inSubtask, load, one, refusal } from './case.ts';

const json = { goal: 'g', executor: { kind: 'command', run: ['sh'] }, subtasks: [{ id: 'a' }] };

describe('a plan file', () => {
  let cwd = '';
  const nobody = Readable.from([]);
  const loadFile = (path: string) => loadPlanFile(path, { cwd, stdin: nobody });

  beforeAll(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'heddle-plan-'));
    await mkdir(join(cwd, 'plans'));
    await writeFile(join(cwd, 'plans', 'good.yaml'), one);
    await writeFile(join(cwd, 'plans', 'good.json'), JSON.stringify(json));
    await writeFile(join(cwd, 'plans', 'moved.yaml'), inPlan('workspace: plans/../site'));
    await writeFile(join(cwd, 'plans', 'bad.yaml'), inSubtask('dependson: []'));
    await writeFile(join(cwd, 'plans', 'large.yaml'), `${one}#${'x'.repeat(planLimits.maxPlanBytes)}`);
  });
  afterAll(() => rm(cwd, { recursive: true }));

  test('is sent as it stands, with the current folder as its workspace', async () => {
    expect((await loadFile('plans/good.yaml')).raw).toEqual({ ...json, workspace: cwd });
  });

  test('means the same in JSON and under an absolute path', async () => {
    const yaml = await loadFile('plans/good.yaml');
    expect(await loadFile('plans/good.json')).toEqual(yaml);
    expect(await loadFile(join(cwd, 'plans', 'good.yaml'))).toEqual(yaml);
  });

  test('has a relative workspace resolved from the current folder, not from the folder of the file', async () => {
    const { raw, plan } = await loadFile('plans/moved.yaml');
    expect([raw['workspace'], plan.workspace]).toEqual([join(cwd, 'site'), join(cwd, 'site')]);
  });

  test('is named in errors as it was given, with line, column and path', async () => {
    await expect(loadFile('plans/bad.yaml')).rejects.toMatchObject({
      code: 'PLAN_UNKNOWN_KEY',
      where: 'plans/bad.yaml:5:5 (subtasks[0].dependson)',
    });
  });

  test.each([
    ['is missing', 'none.yaml', 'The plan file `none.yaml` does not exist.'],
    ['is behind a file', 'plans/good.yaml/x', 'The plan file `plans/good.yaml/x` does not exist.'],
    ['is a folder', 'plans', 'The plan file `plans` is a folder.'],
    ['has a name that no system allows', 'a\0b', 'The plan file `a\\u{0}b` cannot be read (ERR_INVALID_ARG_VALUE).'],
  ])('is not found when it %s', async (_, path, message) => {
    await expect(loadFile(path)).rejects.toMatchObject({ code: 'PLAN_NOT_FOUND', message, where: path });
  });

  test.each([
    ['plans/god', 'plans/good.'],
    ['plans/moved.yml', 'plans/moved.yaml?'],
    ['plans/something', 'Give the path of a plan file'],
  ])('%s is answered with the nearest file, and how to give a goal', async (path, near) => {
    const hint = expect.stringMatching(/heddle run "Make the tests pass"/) as string;
    await expect(loadFile(path)).rejects.toMatchObject({ code: 'PLAN_NOT_FOUND', hint });
    await expect(loadFile(path)).rejects.toMatchObject({ hint: expect.stringContaining(near) as string });
  });

  test('is refused when it is too large', async () => {
    await expect(loadFile('plans/large.yaml')).rejects.toMatchObject({
      code: 'PLAN_TOO_LARGE',
      message: 'The plan is larger than 2 MB.',
      where: 'plans/large.yaml',
    });
  });
});

describe('a plan on stdin', () => {
  test('is read to its end, in whatever pieces it comes', async () => {
    const stdin = Readable.from([...Buffer.from(inPlan('project: "schön"'))].map((byte) => Buffer.from([byte])));
    expect((await loadPlanFile('-', { cwd: '/x', stdin })).plan.project).toBe('schön');
  });

  test('that never ends is given up at the limit', async () => {
    const endless = new Readable({
      read() {
        this.push(Buffer.alloc(65_536, '#'));
      },
    });
    await expect(loadPlanFile('-', { cwd: '/x', stdin: endless })).rejects.toMatchObject({ code: 'PLAN_TOO_LARGE' });
    expect(endless.destroyed).toBe(true);
  });
});

describe('the text of a plan', () => {
  test('may have a byte order mark and Windows line ends, which change no position', async () => {
    expect((await load(`\uFEFF${one.replaceAll('\n', '\r\n')}`)).raw).toMatchObject(json);
    const { where } = await refusal(`\uFEFF${inSubtask('dependson: []').replaceAll('\n', '\r\n')}`);
    expect(where).toBe('stdin:5:5 (subtasks[0].dependson)');
  });

  test('must be UTF-8', async () => {
    const latin = Buffer.concat([Buffer.from(`${one}    role: `), Buffer.from([0xe9, 0x0a])]);
    expect(await refusal(latin)).toMatchObject({ code: 'PLAN_SYNTAX', where: 'stdin:5:11' });
  });

  test('may indent JSON with tabs and escape characters', async () => {
    const text = JSON.stringify({ ...json, goal: 'x' }, null, '\t').replace(
      '"x"',
      String.raw`"\ud83d\ude00 \/ \u00e9"`,
    );
    expect((await load(text)).raw['goal']).toBe('😀 / é');
  });

  test('reads `off` as YAML 1.2 does, and also as YAML 1.1 does', async () => {
    expect((await load(inPlan('approval: off'))).plan.approval).toBe('off');
    expect((await load(inPlan('approval: false'))).plan.approval).toBe('off');
    expect((await load(inPlan('approval: { mode: false }'))).plan.approval).toEqual({ mode: 'off' });
  });

  test('may repeat itself by aliases, which the workflow receives written out', async () => {
    const text = inSubtask('executor: &e { kind: command, run: [make] }\n  - { id: b, executor: *e }');
    const { raw } = await load(text);
    const executor = { kind: 'command', run: ['make'] };
    const sent: unknown = JSON.parse(JSON.stringify(raw));
    expect(sent).toMatchObject({
      subtasks: [
        { id: 'a', executor },
        { id: 'b', executor },
      ],
    });
  });

  test('points at the anchor for a problem inside an aliased value', async () => {
    const text = inSubtask('executor: &e { kind: command, run: make }\n  - { id: b, executor: *e }');
    const { problems } = await refusal(text);
    expect(problems.map(({ where }) => where)).toEqual([
      'stdin:5:40 (subtasks[0].executor.run)',
      'stdin:5:40 (subtasks[1].executor.run)',
    ]);
  });

  test('never reaches the prototype of anything', async () => {
    await refusal('__proto__: { polluted: 1 }\nconstructor: { prototype: { polluted: 1 } }\n');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    const parsed: unknown = JSON.parse('{"__proto__":{"goal":"g","subtasks":[]}}');
    expect(parsePlan(parsed)).toMatchObject({ ok: false });
  });
});

describe('several problems', () => {
  test('are listed in the order of the text, then those of the graph in the order of the checks', async () => {
    const error = await refusal(
      `${one}    tier: 9\n  - { id: a, dependsOn: [b], colour: red }\nmaxParallelSubtasks: 0\n`,
    );
    expect(error).toMatchObject({ code: 'PLAN_INVALID', message: 'The plan has 5 problems.', where: 'stdin' });
    expect(error.problems.map(({ code, where }) => `${code} ${where ?? ''}`)).toEqual([
      'PLAN_WRONG_TYPE stdin:5:11 (subtasks[0].tier)',
      'PLAN_UNKNOWN_KEY stdin:6:30 (subtasks[1].colour)',
      'PLAN_WRONG_TYPE stdin:7:22 (maxParallelSubtasks)',
      'PLAN_DUPLICATE_ID stdin:6:11 (subtasks[1].id)',
      'PLAN_UNKNOWN_DEPENDENCY stdin:6:26 (subtasks[1].dependsOn[0])',
    ]);
  });

  test('include every key that is given twice', async () => {
    const error = await refusal(`${one}goal: h\nexecutor: 1\n`);
    expect(error.problems.map(({ where }) => where)).toEqual(['stdin:5:1', 'stdin:6:1']);
  });
});
