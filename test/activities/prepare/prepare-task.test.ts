/* `prepareTask` on real files: what it freezes, where the rest goes, what it refuses and what it tries again. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EnvironmentSecrets } from '../../../activities/redact/secrets.ts';
import { createPrepareTask, type PrepareParts } from '../../../activities/prepare/prepare-task.ts';
import { rootOfStore } from '../../../activities/home/home-layout.ts';
import { recordSnapshot } from '../../../activities/workspace/snapshots/snapshots.ts';
import { stampDeliverables } from '../../../activities/files/stamp-deliverables.ts';
import { definitionFrom, type Definition } from '../../../activities/pages/plan-pages.ts';
import { FileStore } from '../../../activities/store/file-store.ts';
import type { DependencyResult } from '../../../domain/types/attempt.ts';
import type { PlanPageContent } from '../../../domain/types/plan.ts';
import type { Prepared } from '../../../domain/types/task-settings.ts';
import type { Subtask } from '../../../domain/types/subtask.ts';
import { unpackPlan } from '../../../domain/plan/pack-plan.ts';
import { planLimits } from '../../../domain/input/limits.ts';
import { agentExecutor, subtask } from '../../domain/support-task.ts';
import { vouched } from '../../support/vouched.ts';

let folder: string;
let workspace: string;
let storeFolder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'heddle-prepare-')));
  workspace = join(folder, 'work');
  storeFolder = join(folder, 'home', 'store');
  mkdirSync(workspace);
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

async function prepare(plan: object, parts: Partial<PrepareParts> = {}): Promise<Prepared> {
  const all: PrepareParts = {
    host: 'here',
    hostQueue: () => Promise.resolve('heddle-host-here'),
    secrets: new EnvironmentSecrets({ PATH: process.env['PATH'], HOME: folder }),
    searchAttributes: () => Promise.resolve([]),
    server: () => Promise.resolve({ id: 'server-1', namespace: 'default' }),
    readMemory: (project) => Promise.resolve({ project, signatures: [], answers: [], lessons: [] }),
    storeFolder,
    ...parts,
  };
  const prepareTask = createPrepareTask(all, new FileStore(all.storeFolder));
  const input = { taskId: 't', plan: vouched({ goal: 'g', workspace, executor, ...plan }) };
  return new MockActivityEnvironment().run<[typeof input], Prepared, typeof prepareTask>(prepareTask, input);
}

async function failureOf(plan: object, parts: Partial<PrepareParts> = {}): Promise<ApplicationFailure> {
  const failure: unknown = await prepare(plan, parts).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(failure instanceof ApplicationFailure)) throw new Error('it was prepared', { cause: failure });
  return failure;
}

const executor = { kind: 'command', run: ['sh', '-c', 'true'] };
const many = (count: number, more: (index: number) => object = () => ({})): object => ({
  subtasks: Array.from({ length: count }, (_, index) => ({ id: `s${index}`, ...more(index) })),
});
const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

async function storedDefinitions({ plan }: Prepared): Promise<Subtask[]> {
  const store = new FileStore(storeFolder);
  const pages = await Promise.all(plan.pages.map((page) => store.get(page)));
  return pages.flatMap((bytes) => (JSON.parse(bytes.toString()) as PlanPageContent).subtasks);
}

describe('a small plan', () => {
  test('is shown whole, and is in the store too', async () => {
    const prepared = await prepare(many(2, (index) => (index === 0 ? {} : { dependsOn: ['s0'], verify: ['true'] })));
    expect(prepared.settings).toMatchObject({ id: 't', goal: 'g', workspace, host: 'here' });
    expect(prepared.settings).not.toHaveProperty('subtasks');
    expect(prepared.reuse).toBeNull();
    const { rows, version, definitions } = unpackPlan(prepared.plan);
    expect(version).toBe(1);
    expect(rows.map(({ id, dependsOn, commands }) => [id, dependsOn, commands])).toEqual([
      ['s0', [], 0],
      ['s1', ['s0'], 1],
    ]);
    expect(definitions).toEqual(await storedDefinitions(prepared));
  });
});

describe('a large plan', () => {
  test('of 2,000 subtasks and 1.4 MB fits: its definitions are in pages of the store', async () => {
    const subtasks = many(2_000, (index) => ({
      description: 'd'.repeat(600),
      dependsOn: [1, 2, 3].flatMap((back) => (index >= back ? [`s${index - back}`] : [])),
    }));
    const prepared = await prepare(subtasks);
    expect(sizeOf(subtasks)).toBeGreaterThan(1_300_000);
    expect(sizeOf(prepared)).toBeLessThan(400_000);
    expect(prepared.plan.definitions).toBeNull();
    expect(prepared.plan.pages.length).toBeGreaterThan(5);
    for (const { bytes } of prepared.plan.pages) expect(bytes).toBeLessThanOrEqual(planLimits.planPageBytes);
    const stored = await storedDefinitions(prepared);
    expect(stored.map(({ id }) => id)).toEqual(prepared.plan.rows.map(({ id }) => id));
  });

  test('whose rows do not fit into one value is refused once, and says what is too large', async () => {
    const ladder = (index: number) => ({
      ladder: Array.from({ length: 8 }, (_, rung) => ({ tier: 1, timeout: `${index * 10 + rung + 1}s` })),
    });
    const failure = await failureOf(many(2_000, ladder));
    expect(failure).toMatchObject({ type: 'PLAN_TOO_LARGE', nonRetryable: true });
    expect(failure.message).toMatch(/^The plan is too large: .* for the ladders of its subtasks.* at most 1.5 MB\.$/);
  });

  test('whose defaults, written out, would fill the disk is refused before anything is written', async () => {
    const long = { ...executor, run: ['sh', '-c', `: ${'x'.repeat(100_000)}`] };
    const failure = await failureOf({ ...many(2_000), executor: long });
    expect(failure).toMatchObject({ type: 'PLAN_TOO_LARGE', nonRetryable: true });
    expect(failure.message).toContain('with the defaults written out');
  });
});

const pagesOf = async ({ plan }: Prepared): Promise<PlanPageContent[]> => {
  const store = new FileStore(storeFolder);
  return Promise.all(plan.pages.map(async (page) => JSON.parse((await store.get(page)).toString()) as PlanPageContent));
};

describe('the models of agents', () => {
  const toml = `[models.small]
provider = "anthropic"
id = "s"
[models.judge]
provider = "openai"
id = "j"
roles = ["verifier"]
[models.play]
provider = "play"
tier = 3
[providers.play]
kind = "scripted"
script = "plays/one.yaml"
keyEnv = "PLAY_KEY"
`;
  const secrets = new EnvironmentSecrets({
    ...{ PATH: process.env['PATH'], HOME: '/' },
    ...{ ANTHROPIC_API_KEY: 'k', PLAY_KEY: 'p' },
  });
  beforeEach(() => {
    mkdirSync(join(workspace, 'plays'));
    writeFileSync(join(workspace, 'plays', 'one.yaml'), '- reply: { text: x }\n');
  });

  test('stand on every page, with the names of their keys, as they were when the task was prepared', async () => {
    writeFileSync(join(workspace, 'heddle.toml'), toml);
    const prepared = await prepare(
      many(400, (index) => ({ description: 'd'.repeat(1_000), ...(index === 0 ? { executor: 'agent' } : {}) })),
      { secrets },
    );
    const pages = await pagesOf(prepared);
    expect(pages.length).toBeGreaterThan(1);
    for (const { models = [], variables } of pages) {
      expect(models.map(({ name, provider }) => [name, provider.script])).toEqual([
        ['small', undefined],
        ['play', join(workspace, 'plays', 'one.yaml')],
      ]);
      expect(variables).toEqual(['ANTHROPIC_API_KEY', 'PLAY_KEY']);
    }
    for (const { bytes } of prepared.plan.pages) expect(bytes).toBeLessThanOrEqual(planLimits.planPageBytes);
  });

  test('are on no page of a plan without agents, whatever keys are missing', async () => {
    writeFileSync(join(workspace, 'heddle.toml'), toml);
    const [page] = await pagesOf(await prepare(many(1)));
    expect(page).not.toHaveProperty('models');
    expect(page?.variables).toEqual([]);
  });

  test('are refused with their code when they would fill every page', async () => {
    const ids = Array.from(
      { length: 400 },
      (_, n) => `[models.m${n}]\nprovider = "anthropic"\nid = "${'x'.repeat(190)}"\n`,
    );
    writeFileSync(join(workspace, 'heddle.toml'), ids.join(''));
    const failure = await failureOf(
      many(1, () => ({ executor: 'agent' })),
      { secrets },
    );
    expect(failure).toMatchObject({ type: 'PLAN_TOO_LARGE', nonRetryable: true });
    expect(failure.message).toContain('the list of all models that its agents may use');
  });

  test.each([
    ['is not there', 'plays/none.yaml', 'does not exist'],
    ['is a folder', 'plays', 'is not a file'],
  ])('are refused when a script %s', async (_, script, reason) => {
    writeFileSync(join(workspace, 'heddle.toml'), toml.replace('plays/one.yaml', script));
    const failure = await failureOf(
      many(1, () => ({ executor: 'agent' })),
      { secrets },
    );
    expect(failure).toMatchObject({ type: 'SCRIPT_INVALID', nonRetryable: true });
    expect(failure.message).toBe(`The script ${join(workspace, script)} of the provider play ${reason}`);
  });

  test('that the starter sends with the task are found from the workspace', async () => {
    writeFileSync(join(workspace, 's.yaml'), '- reply: { text: x }\n');
    const flags = { providers: { play: { kind: 'scripted', script: 's.yaml' } }, models: { m: { provider: 'play' } } };
    const prepared = await prepare({ ...many(1, () => ({ executor: 'agent' })), config: { flags } });
    const [page] = await pagesOf(prepared);
    expect(page?.models).toMatchObject([{ name: 'm', provider: { script: join(workspace, 's.yaml') } }]);
  });

  test('are refused all at once', async () => {
    writeFileSync(join(workspace, 'heddle.toml'), toml);
    const failure = await failureOf({ ...many(1, () => ({ executor: 'agent' })), budget: { costUsd: 1 } });
    expect(failure).toMatchObject({ type: 'PREFLIGHT_FAILED', nonRetryable: true });
    expect(failure.details?.[0]).toMatchObject({
      problems: [
        { code: 'MODEL_KEY_MISSING', where: 'providers.anthropic.keyEnv' },
        { code: 'MODEL_PRICE_MISSING', where: 'models.small.price' },
        { code: 'MODEL_KEY_MISSING', where: 'providers.play.keyEnv' },
        { code: 'MODEL_PRICE_MISSING', where: 'models.play.price' },
      ],
    });
  });
});

describe('what limits tools and commands', () => {
  const toml = `[models.small]
provider = "anthropic"
id = "s"
[sandbox]
network = true
read = ["docs", "/srv"]
[gates]
allow = ["shell:npm test"]
deny = ["shell:npm publish"]
`;
  const gates = { allow: ['shell:npm test'], ask: [], deny: ['shell:npm publish'] };
  const secrets = new EnvironmentSecrets({ PATH: process.env['PATH'], HOME: '/', ANTHROPIC_API_KEY: 'k' });
  const agent = many(1, () => ({ executor: 'agent' }));

  /** As an attempt of the first subtask reads it. */
  const definitionOf = ({ plan }: Pick<Prepared, 'plan'>): Promise<Definition> =>
    definitionFrom(new FileStore(storeFolder), plan.pages[0]!, 's0');

  test('is frozen for agents, as it was when the task was prepared', async () => {
    writeFileSync(join(workspace, 'heddle.toml'), toml);
    const prepared = await prepare(agent, { secrets });
    rmSync(join(workspace, 'heddle.toml'));
    expect(await definitionOf(prepared)).toMatchObject({
      sandbox: { mode: 'auto', network: true },
      gates,
      readRoots: [join(workspace, 'docs'), '/srv'],
    });
  });

  test('are rules alone for programs, and nothing where there are none', async () => {
    writeFileSync(join(workspace, 'heddle.toml'), toml);
    const prepared = await prepare(many(1));
    expect(await definitionOf(prepared)).toMatchObject({ gates });
    const pageOf = async ({ plan }: Prepared): Promise<string> =>
      (await new FileStore(storeFolder).get(plan.pages[0]!)).toString();
    expect(await pageOf(prepared)).not.toContain('sandbox');
    rmSync(join(workspace, 'heddle.toml'));
    expect(await pageOf(await prepare(many(1)))).not.toContain('gates');
  });

  test('is what holds by default for a page that names none', async () => {
    const page = { goal: 'g', variables: [], subtasks: [subtask('s0', { executor: agentExecutor })] };
    const ref = await new FileStore(storeFolder).put(JSON.stringify(page));
    const plan = { pages: [{ ...ref, from: 0, count: 1 }] } as Prepared['plan'];
    expect(await definitionOf({ plan })).toMatchObject({
      sandbox: { mode: 'auto', network: false },
      gates: { allow: [], ask: [], deny: [] },
      readRoots: [],
      models: [],
    });
  });

  test('is refused when it would fill every page', async () => {
    const rules = Array.from({ length: 400 }, (_, n) => `"shell:${'x'.repeat(180)} ${n}"`);
    writeFileSync(join(workspace, 'heddle.toml'), `gates.deny = [${rules.join(', ')}]\n`);
    const failure = await failureOf(many(1));
    expect(failure).toMatchObject({ type: 'PLAN_TOO_LARGE', nonRetryable: true });
    expect(failure.message).toContain('for the list of rules for its tools and commands');
  });

  test('is nothing that an untrusted file says: the task fails with the code, and again at each try', async () => {
    writeFileSync(join(workspace, 'heddle.toml'), toml);
    const failure = await failureOf(
      { ...agent, config: { trusted: { path: '/elsewhere', sha256: '0'.repeat(64) } } },
      { secrets },
    );
    expect(failure).toMatchObject({ type: 'CONFIG_NOT_TRUSTED', nonRetryable: true });
  });
});

describe('what models are told', () => {
  const write = (text: string): void => writeFileSync(join(workspace, 'heddle.toml'), text);

  test('is frozen as the config says it, and no page speaks of it where it says nothing', async () => {
    write('[prompts]\nexecutor.constraints = "A {{b}}"\njudge.role = { replace = "C" }\n');
    const [page] = await pagesOf(await prepare(many(1)));
    expect(page?.prompts).toEqual({ executor: { constraints: 'A {{b}}' }, judge: { role: { replace: 'C' } } });
    rmSync(join(workspace, 'heddle.toml'));
    const [other] = await pagesOf(await prepare(many(1)));
    expect(other).not.toHaveProperty('prompts');
  });

  test('is refused when it would fill every page', async () => {
    // Three bytes each: what fits by its characters need not fit by its bytes.
    const long = '語'.repeat(planLimits.promptSection);
    const sections = ['role', 'constraints', 'material', 'output'].map((name) => `${name} = "${long}"`).join('\n');
    write(`[prompts.executor]\n${sections}\n[prompts.planner]\n${sections}\n`);
    const failure = await failureOf(many(1));
    expect(failure).toMatchObject({ type: 'PLAN_TOO_LARGE', nonRetryable: true });
    expect(failure.message).toContain('for the settings of its prompts');
  });
});

describe('finished work of an earlier task', () => {
  async function finished(change: Partial<DependencyResult> = {}) {
    const snapshots = { root: rootOfStore(storeFolder), environment: process.env };
    const about = { writer: { task: 'before', subtask: 's0', undo: false }, attempt: 1, declared: [] };
    await recordSnapshot(snapshots, realpathSync(workspace), { ...about, moment: 'start' });
    writeFileSync(join(workspace, 'a.txt'), 'a');
    writeFileSync(join(workspace, 'undeclared.txt'), 'u');
    await recordSnapshot(snapshots, realpathSync(workspace), { ...about, moment: 'end' });
    const files = await stampDeliverables(workspace, ['a.txt']);
    const result = { id: 's0', status: 'success', notes: '', deliverables: ['a.txt'], preview: '', files, ...change };
    const ref = await new FileStore(storeFolder).put(JSON.stringify(result));
    return { task: 'before', subtasks: [{ id: 's0', verdict: 'pass', result: ref }] };
  }

  test('is taken over by reference', async () => {
    const reuse = await finished();
    expect((await prepare({ ...many(2), reuse })).reuse).toEqual(reuse);
  });

  test('is not, when a file that it did not declare has changed since', async () => {
    const reuse = await finished();
    rmSync(join(workspace, 'undeclared.txt'));
    expect(await failureOf({ ...many(2), reuse })).toMatchObject({
      type: 'RETRY_DOES_NOT_FIT',
      message: 'Finished work cannot be reused: undeclared.txt has changed since s0 finished',
    });
  });

  test('is not, when no snapshots tell what it left', async () => {
    const reuse = { ...(await finished()), task: 'unknown' };
    expect(await failureOf({ ...many(2), reuse })).toMatchObject({
      type: 'RETRY_DOES_NOT_FIT',
      message: 'Finished work cannot be reused: no snapshots show whether the files of s0 are as it left them',
    });
  });

  test('is not, when a file has changed since', async () => {
    const reuse = await finished();
    writeFileSync(join(workspace, 'a.txt'), 'b');
    expect(await failureOf({ ...many(2), reuse })).toMatchObject({
      type: 'RETRY_DOES_NOT_FIT',
      nonRetryable: true,
      message: 'Finished work cannot be reused: a.txt has changed since s0 finished',
    });
  });

  test.each<[string, (reuse: Awaited<ReturnType<typeof finished>>) => object]>([
    ['is not there', ({ subtasks }) => ({ ...subtasks[0], result: { sha256: 'f'.repeat(64), bytes: 3 } })],
    ['is of another size', ({ subtasks }) => ({ ...subtasks[0], result: { ...subtasks[0]?.result, bytes: 1 } })],
    ['is that of another subtask', ({ subtasks }) => ({ ...subtasks[0], id: 's1' })],
  ])('is not, when its result %s', async (_, change) => {
    const reuse = { task: 'before', subtasks: [change(await finished())] };
    expect(await failureOf({ ...many(2), reuse })).toMatchObject({
      type: 'RETRY_DOES_NOT_FIT',
      message: expect.stringContaining('is not in the store of this host') as string,
    });
  });

  test('is refused when it is no list of references', async () => {
    const reuse = { task: 'before', subtasks: [{ id: 's0', verdict: 'pass', result: { id: 's0' } }] };
    expect((await failureOf({ ...many(1), reuse })).type).toMatch(/^PLAN_/);
  });
});

describe('what is refused and what is tried again', () => {
  test('a copy of the workspace is not for an activity, which works elsewhere', async () => {
    const foreign = { kind: 'activity', name: 'a', taskQueue: 'q' };
    expect(await failureOf(many(1, () => ({ executor: foreign, isolation: 'worktree' })))).toMatchObject({
      type: 'PLAN_NOT_SUPPORTED',
      nonRetryable: true,
    });
  });

  test('a missing program and a missing variable are named together', async () => {
    const failure = await failureOf(
      many(3, () => ({
        executor: { kind: 'command', run: ['no-such-program'], env: ['NO_SUCH_VARIABLE', 'OPTIONAL?'] },
      })),
    );
    expect(failure).toMatchObject({ type: 'PREFLIGHT_FAILED', nonRetryable: true });
    expect(failure.details?.[0]).toMatchObject({
      problems: [
        { code: 'PROGRAM_NOT_FOUND', where: 'subtask s0, executor.run' },
        { code: 'VARIABLE_NOT_SET', where: 'subtask s2, executor.env' },
      ],
    });
  });

  test('a store that cannot be written is tried again, with a code and the reason', async () => {
    writeFileSync(join(folder, 'file'), '');
    const failure = await failureOf(many(1), { storeFolder: join(folder, 'file', 'store') });
    expect(failure).toMatchObject({ type: 'PREPARE_FAILED', nonRetryable: false });
    expect(failure.message).toMatch(/ENOTDIR|EEXIST/);
  });

  test('a server that does not answer is tried again, with a code and the reason', async () => {
    const failure = await failureOf(many(1), { searchAttributes: () => Promise.reject(new Error('14 UNAVAILABLE')) });
    expect(failure).toMatchObject({ type: 'PREPARE_FAILED', nonRetryable: false });
    expect(failure.message).toContain('14 UNAVAILABLE');
  });

  test('a goal above 64 KiB is refused with the range', async () => {
    const failure = await failureOf({ ...many(1), goal: 'é'.repeat(33_000) });
    expect(failure.type).toBe('PLAN_WRONG_TYPE');
    expect(failure.message).toContain('at most 64 KiB');
  });
});
