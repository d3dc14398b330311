// The whole activity with a program that tells secrets: result, heartbeats, record, log and store are without them.
import { ApplicationFailure } from '@temporalio/activity';
import { expect, test } from 'vitest';
import { failingEnd, filesBelow, leaksIn, makeSecrets, tellingProgram } from '../../redact/support.ts';
import { withoutGit } from './without-git.ts';
import { activityEnvironment, makeRig } from './support.ts';

const node = (script: string): string[] => [process.execPath, '--input-type=module', '-e', script];

async function executeLeaking(ending: string) {
  const secrets = makeSecrets();
  const rig = await makeRig({ PATH: withoutGit().PATH, ...secrets });
  const beats: unknown[] = [];
  const environment = activityEnvironment();
  environment.on('heartbeat', (beat) => beats.push(beat));
  const files: string[] = [];
  const look = setInterval(() => files.push(...filesBelow(rig.root).map(({ text }) => text)), 250);
  const result: unknown = await rig
    .execute({ run: node(tellingProgram(ending)), env: Object.keys(secrets) }, environment)
    .catch((error: unknown) => error)
    .finally(() => clearInterval(look));
  const stored = filesBelow(rig.root);
  return { secrets, beats, files, result, stored };
}

test('a program that fails: not in the outcome, a heartbeat, the live log, the record or the store', async () => {
  const { secrets, beats, files, result, stored } = await executeLeaking(failingEnd);
  const resultText = JSON.stringify(result);
  expect(resultText).toContain('cannot log in with [DATABASE_URL] or [GH_PAT] or ');
  expect(leaksIn(resultText, secrets)).toEqual([]);
  expect(JSON.stringify(beats)).toContain('is refused');
  expect(leaksIn(JSON.stringify(beats), secrets)).toEqual([]);
  expect(leaksIn(files.join('\n'), secrets)).toEqual([]);
  expect(stored.filter(({ text }) => leaksIn(text, secrets).length > 0).map(({ path }) => path)).toEqual([]);
  expect(stored.some(({ path, text }) => path.includes('objects') && text.includes('[TLS_KEY]'))).toBe(true);
});

test('a program that asks to be run again later: not in the failure that Temporal is given', async () => {
  const ending = `console.error('503 Service Unavailable at ' + DATABASE_URL + ' ' + GH_PAT); process.exit(75);`;
  const { secrets, result } = await executeLeaking(ending);
  if (!(result instanceof ApplicationFailure)) throw new Error(`no failure: ${JSON.stringify(result)}`);
  const failureText = JSON.stringify([result.message, result.details, result.stack]);
  expect(failureText).toContain('[DATABASE_URL]');
  expect(leaksIn(failureText, secrets)).toEqual([]);
});
