import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { EnvironmentSecrets } from '../../../activities/redact/secrets.ts';
import { createPrepareTask, type PrepareParts } from '../../../activities/prepare/prepare-task.ts';
import { FileStore } from '../../../activities/store/file-store.ts';
import { errorCodes } from '../../../domain/errors/error-codes.ts';
import { main } from '../../../client/cli/main.ts';
import type { Problem } from '../../../domain/errors/heddle-error.ts';
import { createPorts } from '../../../workers/ports/create-ports.ts';
import { vouched } from '../../support/vouched.ts';
import { capture } from '../cli/shared/support.ts';

/** The mistake of a person. `~` in texts and variables stands for the folder of the case. */
export interface BadInput {
  /** Files by their path; `heddle.toml` and `plan.yaml` are what most cases are about. */
  files?: Record<string, string | Buffer>;
  env?: Record<string, string>;
  /** The command; without one the plan is prepared as a worker does it. */
  argv?: string[];
}

/** `CODE`, message, where, hint; the problems too when there are several. */
export type Refusal = [code: string, message: string, where: string, hint: string];

/** Runs the real command line, or the real activity, in a folder of its own and says what it said. */
export async function listRefusals(input: BadInput): Promise<Refusal[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'heddle-bad-')));
  try {
    for (const [name, content] of Object.entries(input.files ?? {})) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), typeof content === 'string' ? content.replaceAll('~', folder) : content);
    }
    const own = Object.entries(input.env ?? {}).map(([name, value]) => [name, value.replaceAll('~', folder)]);
    const env = {
      PATH: process.env['PATH'],
      HOME: folder,
      HEDDLE_HOME: join(folder, 'home'),
      OLLAMA_HOST: '127.0.0.1:9',
      ...(Object.fromEntries(own) as Record<string, string>),
    };
    const problem = input.argv === undefined ? await prepare(env, folder) : await command(env, folder, input.argv);
    return listOf(problem).map((texts) => texts.map((text) => text.replaceAll(folder, '~')) as Refusal);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Env = Readonly<Record<string, string | undefined>>;
type Several = Problem & { problems?: Problem[] };

function listOf(problem: Several): Refusal[] {
  const { problems = [], ...first } = problem;
  return [first, ...problems].map(({ code, message, where = '', hint = '' }) => [code, message, where, hint]);
}

async function command(env: Env, cwd: string, argv: string[]): Promise<Several> {
  const [stdout, stderr] = [capture(), capture()];
  const ports = { ...createPorts(env, cwd), stdin: Readable.from([]), stdout, stderr };
  const code = await main([...argv, '--json'], ports);
  if (code !== 2) throw new Error(`exit ${code}: ${stdout.text()}${stderr.text()}`);
  return (JSON.parse(stderr.text()) as { error: Several }).error;
}

async function prepare(env: Env, workspace: string): Promise<Several> {
  const parts: PrepareParts = {
    host: 'here',
    hostQueue: () => Promise.resolve('heddle-host-here'),
    storeFolder: join(workspace, '.heddle', 'store'),
    secrets: new EnvironmentSecrets(env),
    searchAttributes: () => Promise.resolve([]),
    server: () => Promise.resolve({ id: 'server-1', namespace: 'default' }),
    readMemory: (project) => Promise.resolve({ project, signatures: [], answers: [], lessons: [] }),
  };
  const prepareTask = createPrepareTask(parts, new FileStore(parts.storeFolder));
  const plan = JSON.parse(readFileSync(join(workspace, 'plan.json'), 'utf8')) as object;
  try {
    await prepareTask({ taskId: 't', plan: vouched({ workspace, ...plan }) });
  } catch (error) {
    const [problem] = (error as { details?: Several[] }).details ?? [];
    if (problem !== undefined && errorCodes[problem.code].exit === 2) return problem;
    throw error;
  }
  throw new Error('it was prepared');
}
