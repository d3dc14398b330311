// Requests by agent programs that answer as models. A script stands for each program: it prints what the real one printed
// (test/corpora/clis). The real programs run in `npm run test:clis`.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { createModels } from '../../../../activities/llm/create-models.ts';
import type { Message, ModelReply, ModelRequest } from '../../../../activities/llm/ports/model.ts';
import { EnvironmentSecrets } from '../../../../activities/redact/secrets.ts';
import { cliPrograms, type CliProgram, type Model } from '../../../../domain/types/llm.ts';
import { costOfReply } from '../../../../domain/llm/price.ts';
import { recordingOf } from '../../../domain/agent-clis/support.ts';
import { errorOf, memoryClaims, secretPrompt, secretSystem } from '../provider/support.ts';

const root = mkdtempSync(join(tmpdir(), 'heddle-call-cli-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const key = 'sk-cli-0123456789abcdef';

/** A folder with one program, which notes how it was called and then does `act`. */
function install(program: CliProgram, act: string): { bin: string; notes: string } {
  const notes = mkdtempSync(join(root, 'notes-'));
  const bin = mkdtempSync(join(root, 'bin-'));
  const note = `printf '%s\\0' "$@" > ${notes}/argv; cat > ${notes}/stdin; env > ${notes}/env; pwd > ${notes}/cwd; ls -A > ${notes}/listing
for word; do case $word in *policy.toml) cp "$word" ${notes}/policy;; esac; done`;
  writeFileSync(join(bin, program), `#!/bin/sh\n${note}\n${act}\n`, { mode: 0o755 });
  return { bin, notes };
}

/** The same, with the output and the exit of a recording. */
function replay(program: CliProgram, recording: string, stdout?: string) {
  const { exit, stderr, stdout: recorded } = recordingOf(program, recording);
  const output = mkdtempSync(join(root, 'output-'));
  writeFileSync(join(output, 'stdout'), stdout ?? recorded);
  writeFileSync(join(output, 'stderr'), stderr);
  return install(program, `cat ${output}/stdout; cat ${output}/stderr >&2; exit ${exit}`);
}

const modelOf = (program: CliProgram, id = 'default', args?: string[]): Model => ({
  name: 'thinker',
  id,
  provider: { name: 'mine', kind: 'cli', program, ...(args === undefined ? {} : { args }) },
  tier: 3,
  roles: ['planner', 'verifier'],
  context: 200_000,
  output: 8_000,
  thinking: 'off',
  stream: true,
});

const own = {
  ANTHROPIC_API_KEY: key,
  CODEX_API_KEY: key,
  GEMINI_API_KEY: key,
  OPENCODE_PERMISSION: '{"bash":"allow"}',
};

function call(model: Model, bin: string, given: Partial<ModelRequest> = {}): Promise<ModelReply> {
  const path = `${bin}:${process.env['PATH'] ?? ''}`;
  const secrets = new EnvironmentSecrets({ ...own, SECRET_OF_OTHERS: 'x', PATH: path, HOME: root });
  return createModels({ secrets, store: memoryClaims() }).call({
    model,
    system: secretSystem,
    messages: [{ from: 'user', text: secretPrompt }],
    tools: [],
    thinking: false,
    maxOutput: 1_000,
    asker: { task: 't1', role: 'planner', turn: 1 },
    signal: new AbortController().signal,
    ...given,
  });
}

const textOf = ({ parts }: ModelReply): string => parts.map((part) => (part.type === 'text' ? part.text : '')).join('');

const written = {
  claude: ['claude write-sjson', 4_080, 0.0072],
  codex: ['codex write-json', 2_480, 0],
  gemini: ['gemini write-sjson', 2_500, 0],
  opencode: ['opencode write-json', 4_080, 0.01095],
} as const;

describe.each(cliPrograms)('%s', (program) => {
  const [recording, tokens, costUsd] = written[program];

  test('its text is the reply, with its tokens, and its cost where it reports one', async () => {
    const { bin } = replay(program, recording);
    const reply = await call(modelOf(program), bin);
    expect(textOf(reply).length).toBeGreaterThan(10);
    expect(reply.usage.input + reply.usage.output).toBe(tokens);
    expect([reply.finish, costOfReply(reply, undefined)]).toEqual(['stop', costUsd]);
  });

  test('it runs in an empty folder that is gone afterwards, and the prompt is on standard input alone', async () => {
    const { bin, notes } = replay(program, recording);
    await call(modelOf(program, 'some-model', ['--extra']), bin);
    const cwd = readFileSync(join(notes, 'cwd'), 'utf8').trim();
    expect([readFileSync(join(notes, 'listing'), 'utf8'), existsSync(cwd)]).toEqual(['', false]);
    expect(readFileSync(join(notes, 'stdin'), 'utf8')).toBe(`${secretSystem}\n\n${secretPrompt}`);
    const argv = readFileSync(join(notes, 'argv'), 'utf8').split('\0');
    expect(argv.join(' ')).not.toContain('silo');
    expect(argv).toEqual(expect.arrayContaining(['--model', 'some-model', '--extra']));
  });

  test('it gets its own variables and no other, and nothing that gives it tools', async () => {
    const { bin, notes } = replay(program, recording);
    await call(modelOf(program), bin);
    const env = readFileSync(join(notes, 'env'), 'utf8');
    expect(env).toContain(key);
    expect(env).not.toContain('SECRET_OF_OTHERS');
    const argv = readFileSync(join(notes, 'argv'), 'utf8').split('\0');
    const taken = {
      claude: () => expect(argv[argv.indexOf('--tools') + 1]).toBe(''),
      codex: () => expect(argv.join(' ')).toContain('--sandbox read-only --skip-git-repo-check'),
      gemini: () => expect(readFileSync(join(notes, 'policy'), 'utf8')).toContain('toolName = "*"\ndecision = "deny"'),
      opencode: () => expect(env).toContain('OPENCODE_PERMISSION={"*":"deny"}\n'),
    };
    taken[program]();
  });

  test('an output that ends in the middle is a cut reply, which may be asked for again', async () => {
    const { stdout } = recordingOf(program, recording);
    const { bin } = replay(program, recording, stdout.split('\n').slice(0, 2).join('\n'));
    const { failure, mayCost } = await errorOf(call(modelOf(program), bin));
    expect([failure.type, failure.category, mayCost]).toEqual(['overloaded', 'transient', true]);
  });

  test('a program that is not there is named', async () => {
    const { failure } = await errorOf(call(modelOf(program), root));
    expect([failure.type, failure.summary]).toEqual([
      'context-missing',
      `The program ${program} was not found where the worker runs.`,
    ]);
  });
});

test.each([
  ['claude', 'claude 401-sjson', 'auth'],
  ['claude', 'claude 400-json-r0', 'context-overflow'],
  ['claude', 'claude plan-limit', 'rate-limited'],
  ['claude', 'claude refuses', 'safety'],
  ['codex', 'codex 401-json', 'auth'],
  ['codex', 'codex 429-json', 'rate-limited'],
  ['codex', 'codex 400-json', 'context-overflow'],
  ['codex', 'codex refuses', 'empty-output'],
  ['gemini', 'gemini 401-sjson', 'auth'],
  ['gemini', 'gemini 400-sjson', 'context-overflow'],
  ['gemini', 'gemini nokey-text', 'auth'],
  ['opencode', 'opencode 401-json', 'auth'],
  ['opencode', 'opencode 429-json', 'rate-limited'],
  ['opencode', 'opencode nokey-text', 'auth'],
] as const)('%s: the failure of "%s" is %s', async (program, recording, type) => {
  const { bin } = replay(program, recording);
  const { failure } = await errorOf(call(modelOf(program), bin));
  expect(failure.type).toBe(type);
  expect(failure.summary).toMatch(new RegExp(`^${program}: .`));
});

test('a limit that says when it ends asks to wait until then', async () => {
  const { stdout } = recordingOf('claude', 'claude plan-limit');
  const soon = Math.ceil(Date.now() / 1_000) + 500;
  const { bin } = replay('claude', 'claude plan-limit', stdout.replace(/"resetsAt":\d+/, `"resetsAt":${soon}`));
  const { retryAfter = 0 } = await errorOf(call(modelOf('claude'), bin));
  expect(retryAfter).toBeGreaterThan(480_000);
  expect(retryAfter).toBeLessThanOrEqual(501_000);
});

test('an error that repeats the request or the key does not carry them', async () => {
  const line = { type: 'result', subtype: 'success', is_error: true, result: `bad prompt: ${secretPrompt} ${key}` };
  const { bin } = replay('claude', 'claude 401-sjson', JSON.stringify(line));
  const { failure } = await errorOf(call(modelOf('claude'), bin));
  expect(JSON.stringify(failure)).not.toMatch(/silo|0123456789abcdef/);
});

test('an earlier reply and its correction reach the program as one prompt', async () => {
  const { bin, notes } = replay('claude', 'claude write-sjson');
  const reply: Message = { from: 'model', parts: [{ type: 'text', text: 'no plan </your_reply>' }] };
  await call(modelOf('claude'), bin, {
    messages: [{ from: 'user', text: 'plan it' }, reply, { from: 'user', text: 'correct it' }],
  });
  expect(readFileSync(join(notes, 'stdin'), 'utf8')).toBe(
    `${secretSystem}\n\n<message>\nplan it\n</message>\n\n<your_reply>\nno plan &lt;/your_reply>\n</your_reply>\n\n<message>\ncorrect it\n</message>\n\nAnswer the last message.`,
  );
});

test('an abort ends the program with all that it started, in its process group or out of it', async () => {
  const { bin, notes } = install('claude', 'sleep 300 & setsid sleep 301 < /dev/null > /dev/null 2>&1 & wait');
  const stop = new AbortController();
  const running = call(modelOf('claude'), bin, { signal: stop.signal });
  const failed = running.catch((error: unknown) => error);
  while (!existsSync(join(notes, 'listing'))) await sleep(20);
  await sleep(200);
  const begun = performance.now();
  stop.abort(new Error('stopped by a person'));
  expect(await failed).toMatchObject({ message: 'stopped by a person' });
  expect(performance.now() - begun).toBeLessThan(10_000);
  const mark = /^HEDDLE_MODEL_REQUEST=.*$/m.exec(readFileSync(join(notes, 'env'), 'utf8'))?.[0] ?? 'nothing';
  expect(processesWith(mark)).toEqual([]);
}, 30_000);

const processesWith = (entry: string): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(join('/proc', pid, 'environ'), 'utf8').includes(entry);
      } catch {
        return false;
      }
    });
