// The numbers of docs/guarantees.md are those of the code.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { activityLimits } from '../../activities/limits/activity-limits.ts';
import { limits } from '../../domain/limits/domain-limits.ts';

const root = join(import.meta.dirname, '..', '..');
const text = readFileSync(join(root, 'docs', 'guarantees.md'), 'utf8').replace(/\s+/g, ' ');
const { redact, maxOutputBytes, memoryRead, joinMargin } = activityLimits;
const { items, bytes } = limits.memory.remembered;

test.each([
  ['how long a heartbeat may be missing', `the heartbeat timeout is ${limits.heartbeatTimeout / 1_000} s`],
  ['how long a program waits for its next try', `within the delay of the next try and ${joinMargin / 1_000} s`],
  ['the output of an attempt', `Output beyond ${maxOutputBytes / 2 ** 20} MiB of one attempt`],
  ['the shortest secret', `every value of ${redact.shortest} characters or more`],
  ['the longest secret in encoded forms', `encoded forms of values up to ${redact.encoded / 1024} KiB`],
  ['what a project remembers', `${items} failures and ${items} standing answers, ${bytes / 1024} KiB each`],
  ['how long a memory has to respond', `does not respond within ${memoryRead / 1_000} s`],
])('%s: %s', (_, words) => {
  expect(text).toContain(words);
});

test('the timeouts of workflow tasks', () => {
  const read = (file: string): string => readFileSync(join(root, file), 'utf8');
  expect(text).toContain('the sticky timeout 1 s. With the local service, the workflow task timeout is 3 s');
  expect(read('workers/worker/create-heddle-activities.ts')).toContain("stickyQueueScheduleToStartTimeout: '1s'");
  expect(read('workers/ports/connect.ts')).toContain('localWorkflowTaskTimeout = 3_000');
});
