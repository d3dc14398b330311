// The gate in front of a subtask's program: by all arguments that any attempt of it may have.
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { attemptPaths } from '../../../../activities/home/home-layout.ts';
import type { CommandAttempt } from '../../../../activities/attempt/attempt.ts';
import { gateProgram, type ProgramGate } from '../../../../activities/execute/program/gate-program.ts';
import { command, type CommandExecutor } from '../../../../domain/executors/command.ts';
import type { ProgramPermit } from '../../../../domain/types/agent.ts';
import type { GateRules } from '../../../../domain/types/basic/gate.ts';
import { defaultGuards } from '../../../../domain/plan/select-guards.ts';
import { temporaryFolder } from './support.ts';
import { subtask } from './support-subtask.ts';

interface Given {
  executor?: Partial<CommandExecutor>;
  permit?: ProgramPermit;
  tier?: 1 | 2 | 3;
  thinking?: boolean;
  rules?: Partial<GateRules>;
  /** The folder in which the attempt works. */
  workspace?: string;
}

const unchanged = (text: string): string => text;

function gateOf(run: string[], given: Given = {}, redact = unchanged): ProgramGate {
  const { tier = 1, thinking = false, permit, workspace = '/copy' } = given;
  const executor = { ...command.complete({ kind: 'command', run }, { timeout: 1_000 }), ...given.executor };
  const ref = { sha256: '', bytes: 0 };
  const input = {
    ...{ taskId: 't', subtaskId: 'a', attempt: 1, chain: 'c', startedAt: '', plan: ref, workspace: '/work' },
    ...{ tier, thinking, timeout: 1_000, context: { guidance: [], steering: [], retry: null }, inputs: [] },
    idempotencyKey: 'k',
    ...(permit === undefined ? {} : { permit }),
  };
  const attempt: CommandAttempt = {
    ...defaultGuards,
    ...{ goal: 'g', subtask: subtask('a', { executor }), variables: [], models: [], executor, workspace },
    gates: { ...defaultGuards.gates, ...given.rules },
    agent: { grant: {}, resume: null, brief: { counts: {}, subtasks: [] }, outputFactor: 1 },
    input,
    paths: attemptPaths('/home', input, 'test'),
  };
  return gateProgram(attempt, redact);
}

function askOf(gate: ProgramGate): Extract<ProgramGate, { kind: 'asks' }>['asks'] {
  if (gate.kind !== 'asks') throw new Error(JSON.stringify(gate));
  return gate.asks;
}

describe('the gate of a program', () => {
  test('asks about what is dangerous, exactly as it would run', () => {
    expect(askOf(gateOf(['rm', '-fr', 'build']))).toMatchObject({
      ...{ kind: 'gate', call: null, tool: 'command', arguments: ['rm', '-fr', 'build'], danger: 'delete' },
      signature: null,
    });
    expect(askOf(gateOf(['sh', '-c', 'make && rm -rf build']))).toMatchObject({ danger: 'delete' });
  });

  test.each([[['./agent.sh']], [['sh', '-c', 'echo "rm -rf" > /tmp/x']], [['node', '-e', '1']], [['npm', 'test']]])(
    'lets %j start',
    (run) => {
      expect(gateOf(run)).toMatchObject({ kind: 'open', isApproved: false, executor: { run } });
    },
  );

  test('has one hash for all tiers, with and without thinking, and another for other words', () => {
    const executor = { models: ['small', 'large'], thinking: ['--think'] };
    const run = ['sh', '-c', 'rm -fr x; agent {model}'];
    const hashes = ([1, 2, 3] as const).flatMap((tier) =>
      [true, false].map((thinking) => askOf(gateOf(run, { executor, tier, thinking })).hash),
    );
    expect(new Set(hashes).size).toBe(1);
    expect(askOf(gateOf(run)).hash).not.toBe(hashes[0]);
    expect(askOf(gateOf([...run, 'y'], { executor })).hash).not.toBe(hashes[0]);
  });

  test('asks on the first tier about what only a later one would run', () => {
    const executor = { models: ['echo a', 'rm -fr b'] };
    expect(askOf(gateOf(['sh', '-c', '{model}'], { executor }))).toMatchObject({ arguments: ['sh', '-c', 'rm -fr b'] });
  });

  test('is open for the action that a person approved, and for no other', () => {
    const { hash } = askOf(gateOf(['rm', '-fr', 'build']));
    expect(gateOf(['rm', '-fr', 'build'], { permit: { hash } })).toMatchObject({ kind: 'open', isApproved: true });
    expect(gateOf(['rm', '-fr', 'src'], { permit: { hash } }).kind).toBe('asks');
  });

  test('is not open where a path leads out of the workspace by then', async () => {
    const workspace = await temporaryFolder();
    mkdirSync(join(workspace, 'build'));
    const run = ['rm', '-fr', 'build/old'];
    const { hash } = askOf(gateOf(run, { workspace }));
    expect(gateOf(run, { workspace, permit: { hash } })).toMatchObject({ kind: 'open', isApproved: true });
    rmSync(join(workspace, 'build'), { recursive: true });
    symlinkSync('/srv', join(workspace, 'build'));
    expect(gateOf(run, { workspace, permit: { hash } }).kind).toBe('asks');
  });

  test('is open in every copy of the workspace', async () => {
    const { hash } = askOf(gateOf(['rm', '-fr', 'build'], { workspace: await temporaryFolder() }));
    const permit = { hash };
    expect(gateOf(['rm', '-fr', 'build'], { workspace: await temporaryFolder(), permit }).kind).toBe('open');
  });

  test('is open for what a person wrote instead, but not against a rule', () => {
    const permit = { run: ['rm', '-r', 'build/tmp'] };
    expect(gateOf(['rm', '-fr', 'build'], { permit })).toMatchObject({
      kind: 'open',
      isApproved: true,
      executor: permit,
    });
    expect(gateOf(['rm', '-fr', 'build'], { permit, rules: { deny: ['shell:rm'] } })).toMatchObject({ kind: 'denied' });
  });

  test('is shut by a rule, and by none opened for what is always asked', () => {
    expect(gateOf(['make', 'deploy'], { rules: { deny: ['shell:make deploy'] } })).toMatchObject({ kind: 'denied' });
    expect(gateOf(['rm', '-fr', 'x'], { rules: { allow: ['shell:rm'] } }).kind).toBe('asks');
  });

  test('shows no secret', () => {
    const redact = (text: string): string => text.replaceAll('s3cr3t', '[KEY]');
    expect(askOf(gateOf(['rm', '-fr', 's3cr3t'], {}, redact)).arguments).toEqual(['rm', '-fr', '[KEY]']);
  });
});
