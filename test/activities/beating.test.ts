// Activities that only store or read: they beat too, so that a worker that is killed in one costs seconds.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { EnvironmentSecrets } from '../../activities/redact/secrets.ts';
import { createHostActivities } from '../../activities/create-activities.ts';
import type { Ref } from '../../domain/types/basic/ref.ts';
import { activityEnvironment } from './execute/program/support.ts';

test('pages are stored and read under a heartbeat', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-beating-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const nobody = () => Promise.reject(new Error('not asked here'));
  const activities = createHostActivities({
    host: 'one',
    hostQueue: () => Promise.resolve('queue'),
    secrets: new EnvironmentSecrets({}),
    server: nobody,
    searchAttributes: nobody,
    readMemory: nobody,
    storeFolder: join(folder, 'store'),
  });
  let beats = 0;
  const environment = activityEnvironment();
  environment.on('heartbeat', () => (beats += 1));
  const page: Ref = await environment.run(activities.storePage, { taskId: 't', content: 'a page' });
  expect(beats).toBe(1);
  expect(await environment.run(activities.readPage, { taskId: 't', page })).toBe('a page');
  expect(beats).toBe(2);
});
