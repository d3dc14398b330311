// Which pending activities wait for a worker, as the server describes them.
import proto from '@temporalio/proto';
import { msToTs } from '@temporalio/common/lib/time.js';
import { describe, expect, test } from 'vitest';
import { findWorkerWaits, withWorkerWaits } from '../../../client/temporal/worker-waits.ts';
import type { StatusView } from '../../../client/index.ts';

const now = 1_000_000;
const states = proto.temporal.api.enums.v1.PendingActivityState;
const pending = (rest: object = {}) => ({
  activityId: 'build-2-execute',
  activityType: { name: 'executeSubtask' },
  state: states.PENDING_ACTIVITY_STATE_SCHEDULED,
  scheduledTime: msToTs(now - 60_000),
  activityOptions: { taskQueue: { name: 'heddle-host-alpha' } },
  ...rest,
});
const find = (...activities: object[]) => findWorkerWaits(activities, { taskQueue: 'heddle', host: 'alpha', now });

describe('an activity waits for a worker', () => {
  test('when nobody takes it: its host is named', () => {
    expect(find(pending())).toEqual([{ subtask: 'build', attempt: 2, worker: 'a worker on host alpha' }]);
  });

  test('not while it runs, nor in the first seconds, nor before a retry is due', () => {
    const started = states.PENDING_ACTIVITY_STATE_STARTED;
    expect(find(pending({ state: started }))).toEqual([]);
    expect(find(pending({ scheduledTime: msToTs(now - 500) }))).toEqual([]);
    expect(find(pending({ nextAttemptScheduleTime: msToTs(now + 5_000) }))).toEqual([]);
  });

  test('on a queue of somebody else too', () => {
    const foreign = pending({ activityOptions: { taskQueue: { name: 'gpu' } } });
    expect(find(foreign).map(({ worker }) => worker)).toEqual(['a worker on the queue gpu']);
  });

  test('of a server that does not tell the queue: files are on the host, the rest is common', () => {
    const types = ['executeSubtask', 'prepareTask'].map((name) =>
      pending({ activityOptions: null, activityType: { name } }),
    );
    expect(find(...types).map(({ worker }) => worker)).toEqual([
      'a worker on host alpha',
      'a worker on the queue heddle',
    ]);
  });
});

test('a task of which a part still runs says both', () => {
  const subtasks = ['build', 'lint'].map((id) => ({ id, state: 'running' }));
  const status = { summary: 'Running build, lint', subtasks } as StatusView;
  const shown = withWorkerWaits(status, find(pending()));
  expect(shown.summary).toBe('Running build, lint; waiting for a worker on host alpha');
  expect(shown.subtasks.map(({ waitsForWorker }) => waitsForWorker)).toEqual(['a worker on host alpha', undefined]);
});
