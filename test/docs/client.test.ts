// The blocks of docs/client.md make one program, which has the types of the client and does what the page says.
import { execFile } from 'node:child_process';
import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { useRig } from '../support/rig.ts';

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'docs', 'client.md'), 'utf8');
const program = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, text]) => text ?? '').join('\n');
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript-native/package.json')), 'bin', 'tsc');
const rig = useRig();

/** The worker of the program is in this process, which must not stand still meanwhile. */
const run = (cwd: string, args: string[]): Promise<{ stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, args, { cwd, timeout: 60_000 }, (_, stdout, stderr) => resolve({ stdout, stderr }));
  });

test('each block of the page has the types of the client', async () => {
  const folder = rig.workspace();
  const compilerOptions = {
    ...{ target: 'es2024', module: 'nodenext', strict: true, exactOptionalPropertyTypes: true, noEmit: true },
    ...{ allowImportingTsExtensions: true, skipLibCheck: true },
    ...{ types: ['node'], typeRoots: [join(root, 'node_modules', '@types')] },
    paths: { '@heddle/client': [join(root, 'client', 'index.ts')] },
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'program.ts'), program);
  writeFileSync(join(folder, 'wrong.ts'), program.replace('decisionId: id', 'decision: id'));
  const { stdout } = await run(folder, [compiler, '-p', '.']);
  const faults = stdout.split('\n').filter((line) => line.includes(': error '));
  expect(faults).toEqual([expect.stringMatching(/^wrong\.ts.*'decision' does not exist/)]);
});

test('the program of the page starts, follows, decides and reads the results', async () => {
  const folder = realpathSync(rig.workspace());
  const here = program
    .replace("'@heddle/client'", JSON.stringify(join(root, 'client', 'index.ts')))
    .replace("{ address: 'localhost:7233' }", JSON.stringify({ address: rig.address }))
    .replace('})', `}, ${JSON.stringify({ taskQueue: rig.taskQueue })})`);
  writeFileSync(join(folder, 'program.mts'), here);
  const { stdout, stderr } = await run(folder, ['--disable-warning=ExperimentalWarning', 'program.mts']);
  expect(stderr).toBe('');
  const lines = stdout.trim().split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^Started \w+$/),
      expect.stringContaining('draft'),
      expect.stringMatching(/^skip: ./),
      'Done: 1 subtask done, publish skipped',
      'draft completed NOTES.md',
      'publish skipped ',
      '1 finished, 2 attempts, 1 file',
      'TASK_NOT_FOUND',
    ]),
  );
  expect(lines.at(-1)).toMatch(/^\w+ completed$/);
});
