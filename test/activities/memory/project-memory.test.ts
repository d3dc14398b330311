// The memory of a project that a task gets at its start, against a real server: bounded, in time, and never a reason not to start.
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { describe, expect, test } from 'vitest';
import { activityLimits } from '../../../activities/limits/activity-limits.ts';
import { readMemory, rememberTask } from '../../../activities/memory/project-memory.ts';
import { limits } from '../../../domain/limits/domain-limits.ts';
import { jsonBytes } from '../../../domain/memory/newest.ts';
import type { Teaching, ProjectMemory } from '../../../domain/types/basic/memory.ts';
import { useRig } from '../../support/rig.ts';

const rig = useRig();

let counter = 0;
const newProject = (): string => `r-${process.pid}-${(counter += 1)}`;
const name = (index: number): string => `timeout-${index.toString(16).padStart(8, '0')}`;

const logged: string[] = [];
const logger = new DefaultLogger('WARN', ({ message }) => logged.push(message));
const environment = (): MockActivityEnvironment =>
  new MockActivityEnvironment({ taskQueue: rig.taskQueue }, { client: rig.temporal, logger });
const read = (project: string): Promise<ProjectMemory> =>
  environment().run<[string], ProjectMemory, typeof readMemory>(readMemory, project);

test('a project without a memory knows nothing', async () => {
  const project = newProject();
  expect(await read(project)).toEqual({ project, signatures: [], answers: [], lessons: [] });
  expect(logged).toEqual([]);
});

test('a task is told fixes and answers, within what it can carry', async () => {
  const project = newProject();
  for (let task = 0; task < 4; task += 1) {
    const lesson: Teaching = {
      taskId: `t${task}`,
      signatures: Array.from({ length: 100 }, (_, index) => ({
        signature: name(task * 100 + index),
        type: 'timeout',
        summary: '漢'.repeat(200),
        count: 1,
        fixedAtRung: index % 2 === 0 ? 3 : null,
        hint: '漢'.repeat(500),
        at: 1,
      })),
      answers: Array.from({ length: 20 }, (_, index) => ({
        signature: name(task * 100 + index),
        option: 'fix',
        instruction: '漢'.repeat(4_000),
        at: 1,
      })),
    };
    await environment().run(rememberTask, { project, lesson });
  }
  const memory = await read(project);
  expect(memory.signatures.at(-1)?.signature).toBe(name(398));
  expect(memory.signatures.every(({ fixedAtRung }) => fixedAtRung === 3)).toBe(true);
  expect(memory.answers.at(-1)?.signature).toBe(name(319));
  for (const list of [memory.signatures, memory.answers]) {
    expect(jsonBytes(list)).toBeGreaterThan(limits.memory.told.bytes / 2);
    expect(jsonBytes(list)).toBeLessThanOrEqual(limits.memory.told.bytes + 2);
  }
});

describe('a project that cannot be read does not keep a task from starting, and the log says so', () => {
  test.each([
    ['nobody answers for it', 'project', 'a-queue-without-a-worker'],
    ['its id belongs to something else', 'task', undefined],
  ])('%s', async (_, type, queue) => {
    const project = newProject();
    const handle = await rig.temporal.workflow.start(type, {
      workflowId: `project-${project}`,
      taskQueue: queue ?? rig.taskQueue,
      args: [{ goal: 5 }],
    });
    const before = Date.now();
    expect(await read(project)).toEqual({ project, signatures: [], answers: [], lessons: [] });
    expect(Date.now() - before).toBeLessThan(activityLimits.memoryRead + 2_000);
    expect(logged.splice(0)).toEqual(['the task starts without the memory of its project, which cannot be read']);
    await handle.terminate('the test has ended').catch(() => undefined);
  });
});
