// The settings that the background service gets from the command that starts it: it works in another folder.
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readSettings, serviceEnvironment } from '../../../workers/settings/settings.ts';

test('a home or a config file that is named from the current folder is the same for the service', () => {
  const env = { HEDDLE_HOME: 'state', HEDDLE_CONFIG: '../mine.toml', HEDDLE_HOST: 'here' };
  expect(serviceEnvironment(env, readSettings(env))).toMatchObject({
    HEDDLE_HOME: resolve('state'),
    HEDDLE_CONFIG: resolve('../mine.toml'),
    HEDDLE_HOST: 'here',
  });
  const unset = serviceEnvironment({ HEDDLE_HOME: '' }, readSettings({}));
  expect([unset['HEDDLE_HOME'], unset['HEDDLE_CONFIG']]).toEqual(['', undefined]);
});
