import { Runtime } from '@temporalio/worker';
import type { WorkflowInfo } from '@temporalio/workflow';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test, onTestFinished, vi } from 'vitest';
import { newsSinks } from '../../../workers/telemetry/news-sinks.ts';
import type { NewsBatch } from '../../../workflows/shared/worker-news.ts';
import '../../support/quiet-runtime.ts';

const info = { namespace: 'default', workflowId: 'task-one', runId: 'run', taskQueue: 'q', workflowType: 'task' };
const { report } = newsSinks.heddle;

function logged() {
  const { logger } = Runtime.instance();
  const spies = { info: vi.spyOn(logger, 'info'), error: vi.spyOn(logger, 'error') };
  onTestFinished(() => Object.values(spies).forEach((spy) => spy.mockRestore()));
  return spies;
}

test('what a task tells is kept when its workflow task is on the way, not before', async () => {
  const { info: logLine } = logged();
  const line = { text: 'one started', about: { task: 'one', event: 'attempt.started' as const, eventId: 1 } };
  const batch: NewsBatch = { lines: [line], counts: [] };
  expect(report.fn(info as WorkflowInfo, JSON.stringify(batch))).toBeUndefined();
  expect(logLine).not.toHaveBeenCalled();
  await nextTurn();
  expect(logLine).toHaveBeenCalledWith(
    'one started',
    expect.objectContaining({ workflowId: 'task-one', ...line.about }),
  );
});

test('what cannot be kept is an error in the log, and ends nobody', async () => {
  const { error } = logged();
  void report.fn(info as WorkflowInfo, 'no JSON');
  await nextTurn();
  expect(error).toHaveBeenCalledWith(
    'an event of a task could not be logged',
    expect.objectContaining({ workflowId: 'task-one' }),
  );
});
