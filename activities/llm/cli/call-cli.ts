import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { settle } from '../../../domain/agent-clis/settle.ts';
import { buildTextCall, listCliVariables } from '../../../domain/agent-clis/text-calls.ts';
import { ownChoice } from '../../../domain/llm/complete-model.ts';
import type { CliResult } from '../../../domain/types/basic/completion-contract.ts';
import type { CliProgram } from '../../../domain/types/llm.ts';
import { readCli } from '../../agent-clis/read-cli.ts';
import { withResetTime } from '../../agent-clis/reset-time.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { baseEnvironment } from '../../programs/base-environment.ts';
import { findOwnProgram, ownPath } from '../../programs/own-programs.ts';
import { runProgram, type ProgramResult } from '../../programs/run-program.ts';
import type { Secrets } from '../../redact/secrets.ts';
import type { ModelReply } from '../ports/model.ts';
import { modelError, type KeyedRequest } from '../provider/model-trouble.ts';
import { settleUsage } from '../provider/usage.ts';
import { composePrompt } from './compose-prompt.ts';
import { explainCli } from './explain-cli.ts';

/** The variable by which processes of a request are found that left its process group. */
const requestVariable = 'HEDDLE_MODEL_REQUEST';

/**
 * One request by an agent program that answers as a model. It runs in an empty folder of its own, which is removed afterwards: it sees no
 * workspace and has no tools. The prompt comes on standard input, since arguments are bounded and anybody may list them.
 */
export async function callCli(subject: KeyedRequest, secrets: Secrets): Promise<Omit<ModelReply, 'took'>> {
  const { program } = subject.request.model.provider;
  if (program === undefined)
    throw modelError('context-missing', subject, { names: ['program'], summary: 'The provider has no `program`.' });
  const own = findOwnProgram(program, { path: baseEnvironment(secrets.environment)['PATH'] });
  if (own === undefined) {
    const summary = `The program ${program} was not found where the worker runs.`;
    const fix = `Install ${program} on the PATH of the worker, or choose another model.`;
    throw modelError('context-missing', subject, { names: ['program-missing'], summary, fix });
  }
  const folder = await mkdtemp(join(tmpdir(), 'heddle-request-'));
  try {
    const { result, read } = await runIn(folder, { own, program, subject, secrets });
    subject.request.signal.throwIfAborted();
    if (read.end !== 'done' || result.end !== 'exited') throw explainCli(subject, program, { result, read });
    return buildReply(read, subject);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

interface CliStart {
  /** Its path. */
  own: string;
  program: CliProgram;
  subject: KeyedRequest;
  secrets: Secrets;
}

async function runIn(
  folder: string,
  { own, program, subject, secrets }: CliStart,
): Promise<{ result: ProgramResult; read: CliResult }> {
  const { model, signal } = subject.request;
  const [cwd, temporary, policyFile] = ['empty', 'tmp', 'policy.toml'].map((name) => join(folder, name)) as Places;
  await Promise.all([mkdir(cwd), mkdir(temporary)]);
  const named = model.id === ownChoice ? {} : { model: model.id };
  const { args = [] } = model.provider;
  const call = buildTextCall(program, { ...named, args, policyFile });
  if (call.policy !== undefined) await writeFile(policyFile, call.policy);
  const base = baseEnvironment(secrets.environment);
  const variables = listCliVariables(program);
  const mark = randomUUID();
  const stdout = join(folder, 'stdout');
  const result = await runProgram({
    argv: [own, ...call.args],
    cwd,
    env: {
      ...base,
      PATH: ownPath(base['PATH']),
      // Programs leave files behind: they go with the folder.
      TMPDIR: temporary,
      ...call.below,
      ...secrets.valuesOf(variables).values,
      ...call.above,
      [requestVariable]: mark,
    },
    mark: `${requestVariable}=${mark}`,
    stdin: composePrompt(subject.request),
    timeout: activityLimits.models.program,
    signal,
    paths: { output: join(folder, 'output'), stdout },
    maxOutputBytes: activityLimits.models.replyBytes,
    redactor: secrets.redactor(variables),
  });
  // A file that lost its end to the cap has no result: the reply is void.
  const read = await readCli(program, { stdout, resultFile: join(folder, 'result') });
  return { result, read: withResetTime(settle(program, read, result), Date.now()) };
}

type Places = [cwd: string, temporary: string, policyFile: string];

/** Programs count the tokens of a request and its reply together. */
function buildReply({ text, tokens, costUsd }: CliResult, { request }: KeyedRequest): Omit<ModelReply, 'took'> {
  const parts = [{ type: 'text' as const, text }];
  const estimate = settleUsage(uncounted, request, parts);
  if (tokens === undefined || tokens === 0)
    return { parts, finish: 'stop', ...estimate, ...(costUsd === undefined ? {} : { costUsd }) };
  const output = Math.min(estimate.usage.output, tokens);
  const usage = { input: tokens - output, output, cached: 0, reasoning: 0 };
  return { parts, finish: 'stop', usage, ...(costUsd === undefined ? {} : { costUsd }) };
}

const uncounted = { input: undefined, output: undefined, cached: undefined, reasoning: undefined };
