// An agent's attempt and its running record: crashes, stops, cancellations, and what people see meanwhile.
import { existsSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { EnvironmentSecrets } from '../../../activities/redact/secrets.ts';
import { readRecord, writeRecord } from '../../../activities/attempt/running-record.ts';
import { createExecuteSubtask } from '../../../activities/execute/execute-subtask.ts';
import type { Outcome } from '../../../domain/types/outcome.ts';
import { activityEnvironment, eventually, failureIn, finished } from '../execute/program/support.ts';
import { call, finish, makeAgentRig, ScriptedModels, suspendedIn, type AgentRig } from './support.ts';
import { ToolRegistry } from '../../../activities/tools/common/tool-registry.ts';
import { localTools } from './support-tools.ts';

const read = (path: string) => call('read_file', { path });

/** As a worker leaves it that was killed after the second turn. */
async function crashAfterTwoTurns(rig: AgentRig, models: ScriptedModels): Promise<void> {
  await rig.execute(models, { agent: { grant: { modelCalls: 2 } } });
  const record = await readRecord(rig.paths);
  if (record === undefined || record === 'unreadable') throw new Error('no record');
  const cut = { ...record, state: 'running' as const };
  delete cut.outcome;
  delete cut.owner;
  await writeRecord(rig.paths, cut);
}

describe('after a crash', () => {
  test('the conversation goes on, and the attempt says that it was cut off', async () => {
    const rig = await makeAgentRig();
    const models = new ScriptedModels([read('a')], [read('b')], [finish()]);
    await crashAfterTwoTurns(rig, models);
    const outcome = finished(await rig.execute(models));
    expect(outcome).toMatchObject({ reruns: 1, used: { modelCalls: 3, toolCalls: 2 } });
    expect(models.requests).toHaveLength(3);
  });

  test('a damaged conversation is for a person to look at', async () => {
    const rig = await makeAgentRig();
    const models = new ScriptedModels([read('a')], [read('b')], [finish()]);
    await crashAfterTwoTurns(rig, models);
    const log = await readFile(rig.paths.conversation, 'utf8');
    await writeFile(rig.paths.conversation, log.replace('"k":"turn","n":1', '"k":"tu,"n":1'));
    const failure = failureIn(await rig.execute(models));
    expect(failure).toMatchObject({ type: 'blocked', category: 'blocked' });
    expect(failure.summary).toMatch(/^Line \d+ of the log/);
  });

  test('an answer that Temporal lost is given again, and no model is asked', async () => {
    const rig = await makeAgentRig();
    const models = new ScriptedModels([read('a')], [finish()]);
    const first = await rig.execute(models);
    expect(await rig.execute(models, { retry: 2 })).toEqual(first);
    expect(models.requests).toHaveLength(2);
  });
});

describe('a stop from outside', () => {
  async function stopped(cancelType: 'CANCELLED' | 'WORKER_SHUTDOWN') {
    const rig = await makeAgentRig();
    let asked = false;
    const hanging = new ScriptedModels([read('a')], () => {
      asked = true;
      return new Promise<never>(() => undefined);
    });
    const registry = new ToolRegistry(localTools);
    const executeSubtask = createExecuteSubtask({
      ...rig,
      secrets: new EnvironmentSecrets({}),
      logger: { warn: () => undefined },
      agents: { models: hanging, registry },
    });
    const environment = activityEnvironment();
    const running: Promise<Outcome> = environment.run(executeSubtask, await rig.input());
    const settled = running.then(
      (outcome) => ({ outcome }),
      (error: unknown) => ({ error }),
    );
    await eventually(() => asked);
    environment.cancel(cancelType);
    return { rig, settled: await settled };
  }

  test('by a person ends the attempt as cancelled, and what it used counts', async () => {
    const { settled } = await stopped('CANCELLED');
    if (!('outcome' in settled)) throw settled.error;
    expect(failureIn(settled.outcome).type).toBe('cancelled');
    // The request that was cut off is charged: nobody knows what became of it.
    expect(settled.outcome.used.modelCalls).toBe(2);
  });

  test('of the worker hands the conversation over, which is no crash', async () => {
    const { rig, settled } = await stopped('WORKER_SHUTDOWN');
    expect(settled).toHaveProperty('error');
    const models = new ScriptedModels([read('a')], [finish()]);
    const outcome = finished(await rig.execute(models));
    expect(outcome).toMatchObject({ reruns: 0, used: { modelCalls: 3 } });
    expect(models.requests.map(({ asker }) => asker.turn)).toEqual([2]);
  });
});

describe('what people see meanwhile', () => {
  test('is one line for each model call, tool call and narration, in the live log', async () => {
    const rig = await makeAgentRig();
    let live = '';
    const models = new ScriptedModels([read('a'), call('narrate', { text: 'Looking around' })], async () => {
      await eventually(() => existsSync(rig.paths.log) && readFileSync(rig.paths.log, 'utf8').includes('Looking'));
      live = await readFile(rig.paths.log, 'utf8');
      return [finish()];
    });
    const registry = new ToolRegistry(localTools);
    const executeSubtask = createExecuteSubtask({
      ...rig,
      secrets: new EnvironmentSecrets({}),
      agents: { models, registry },
    });
    const environment = activityEnvironment();
    const outcome: unknown = await environment.run(executeSubtask, await rig.input());
    expect(outcome).toMatchObject({ kind: 'finished' });
    expect(live).toMatch(/^\[1\] small: 100 tokens in, 10 out, 0 s\n {4}read_file .*\n {4}Looking around\n$/);
  });

  test('begins with what earlier executions did', async () => {
    const rig = await makeAgentRig();
    const models = new ScriptedModels([read('a')], [read('b')], [finish()]);
    const first = suspendedIn(await rig.execute(models, { agent: { grant: { modelCalls: 1 } } }));
    const last = finished(await rig.execute(models));
    const before = await rig.read(first.output);
    expect(before).toContain('[1] small');
    expect((await rig.read(last.output)).startsWith(before)).toBe(true);
    expect(await rig.read(last.transcript)).toContain('## Turn 1');
  });
});

test('begins only with a model that serves it', async () => {
  const rig = await makeAgentRig();
  const outcome = await rig.execute(new ScriptedModels([finish()]), { model: { roles: ['planner'] } });
  expect(failureIn(outcome)).toMatchObject({
    type: 'context-missing',
    summary: 'The task has no model that serves `executor`.',
  });
});

test('keeps its files beside its record, for pruning to find', async () => {
  const rig = await makeAgentRig();
  await rig.execute(new ScriptedModels([finish()]));
  expect(rig.paths.conversation.startsWith(join(rig.paths.folder, rig.paths.own))).toBe(true);
});
