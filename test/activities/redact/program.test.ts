// A program that tells secrets in every way it can: nothing of them reaches files, tails or lines, also while it still runs.
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runProgram } from '../../../activities/programs/run-program.ts';
import { Redactor } from '../../../activities/redact/redactor.ts';
import { failingEnd, leaksIn, makeSecrets, tellingProgram } from './support.ts';

interface Given {
  timeout?: number;
  redactor?: Redactor;
  /** Looks at the file of the output while it is written. */
  watch?: boolean;
}

async function run(script: string, env: Record<string, string>, given: Given = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-redact-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const paths = { output: join(folder, 'output.log'), stdout: join(folder, 'stdout') };
  const lines: string[] = [];
  const live: string[] = [];
  const look = (): void => {
    if (given.watch === true && existsSync(paths.output)) live.push(readFileSync(paths.output, 'utf8'));
  };
  const timer = setInterval(look, 100);
  onTestFinished(() => clearInterval(timer));
  const result = await runProgram({
    argv: [process.execPath, '--input-type=module', '-e', script],
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', ...env },
    timeout: given.timeout ?? 30_000,
    paths,
    redactor: given.redactor ?? new Redactor(env),
    onLine: (line) => lines.push(line),
  });
  clearInterval(timer);
  const [output, stdout] = [await readFile(paths.output, 'utf8'), await readFile(paths.stdout, 'utf8')];
  return { result, lines, live, output, stdout };
}

test('the program does tell all of them when nobody redacts', async () => {
  const secrets = makeSecrets();
  const { output, lines } = await run(tellingProgram(failingEnd), secrets, { redactor: Redactor.none });
  expect(leaksIn(output, secrets).length).toBeGreaterThan(60);
  expect(leaksIn(lines.join('\n'), secrets)).not.toEqual([]);
});

test('nothing of them is in its files, its tails and its lines, nor in the file while it is written', async () => {
  const secrets = makeSecrets();
  const { result, lines, live, output, stdout } = await run(tellingProgram(failingEnd), secrets, { watch: true });
  expect(result).toMatchObject({ end: 'exited', exitCode: 1, stdoutBytes: Buffer.byteLength(stdout) });
  expect(leaksIn([JSON.stringify(result), output, stdout, ...lines, ...live].join('\n'), secrets)).toEqual([]);
  expect(output).toContain('DATABASE_URL=[DATABASE_URL] GH_PAT=[GH_PAT]\n');
  expect(lines).toContain(`${'x'.repeat(190)}[DATABASE…`);
  expect(live.at(-1)).toContain('[DATABASE_URL] is refused');
  const last: unknown = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
  expect(last).toMatchObject({
    status: 'failed',
    notes: expect.stringContaining('with [DATABASE_URL] or [GH_PAT] or ') as string,
  });
});

test('a program that is ended in the middle of a secret has not told half of it', async () => {
  const script = `process.stdout.write('so far ' + process.env.GH_PAT.slice(0, 20)); setTimeout(() => {}, 60_000);`;
  const secrets = makeSecrets();
  const { result, output } = await run(script, secrets, { timeout: 1_000 });
  expect(result).toMatchObject({ end: 'timeout', stdoutTail: 'so far [GH_PAT]' });
  expect(output).toBe('so far [GH_PAT]');
});

test('streams do not mix: a secret in two halves is found though the other stream speaks between them', async () => {
  const script = `
    process.stdout.write('a ' + process.env.GH_PAT.slice(0, 9));
    await new Promise((done) => setTimeout(done, 200));
    process.stderr.write('noise\\n');
    await new Promise((done) => setTimeout(done, 200));
    process.stdout.write(process.env.GH_PAT.slice(9) + ' b\\n');`;
  const { output } = await run(script, makeSecrets());
  expect(output).toBe('a noise\n[GH_PAT] b\n');
});

test('twenty megabytes go through in seconds', async () => {
  const script = `const line = 'some line of output, as programs print it\\n'.repeat(25_000);
    for (let i = 0; i < 20; i += 1) await new Promise((done) => process.stdout.write(line, done));`;
  const { result } = await run(script, makeSecrets());
  expect(result).toMatchObject({ exitCode: 0, stdoutBytes: 42 * 25_000 * 20 });
  expect(result.durationMs).toBeLessThan(20_000);
});
