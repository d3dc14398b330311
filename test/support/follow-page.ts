import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { expect } from 'vitest';
import type { Cli } from './cli.ts';

const root = join(import.meta.dirname, '..', '..');

/** Output of each command of a page, by its line. */
export type Printed = ReadonlyMap<string, string>;

export interface FollowOptions {
  /** Lines that start `heddle` as a clone has it, from the sources; this process answers the others, which needs a service that runs. */
  asProcess?: (line: string) => boolean;
  /** Others need the service too: it is not ended. */
  keepService?: boolean;
}

/**
 * Every plan and every command of a page, in its order, by the shell; each must end with 0. The plans have no names on the page but in
 * the commands that follow them.
 */
export async function followPage(
  cli: Cli,
  name: string,
  plans: string[],
  { asProcess = () => false, keepService = false }: FollowOptions = {},
): Promise<Printed> {
  const page = readFileSync(join(root, 'docs', name), 'utf8');
  const shells = {
    answered: pathWithHeddle(cli, 'answered', handOver),
    process: pathWithHeddle(cli, 'process', fromSources),
  };
  const printed = new Map<string, string>();
  for (const [, language, text = ''] of page.matchAll(/```(\w+)\n(.*?)```/gs)) {
    if (language === 'yaml') writeFileSync(join(cli.cwd, plans.shift() ?? ''), text);
    if (language !== 'sh') continue;
    for (const line of text.trim().split('\n')) {
      if (keepService && /^(?:npx )?heddle down$/.test(line)) continue;
      const ran = await shell(line, cli, asProcess(line) ? shells.process : shells.answered);
      expect([line, ran.code, ran.output]).toEqual([line, 0, expect.any(String)]);
      printed.set(line, ran.output);
    }
  }
  expect(plans).toEqual([]);
  return printed;
}

const fromSources = `exec "${process.execPath}" "${join(root, 'bin', 'heddle.js')}" "$@"`;

/** Says where it stands and what it was given, waits for the exit code. */
const handOver = `printf '%s\\0' "$#" "$PWD" "$@" >&3
read -r code <&4
exit "$code"`;

/** `heddle` as installed, and `npx heddle` as in a clone, wherever the reader stands. */
function pathWithHeddle(cli: Cli, name: string, script: string): string {
  const bin = join(cli.cwd, '..', 'bin', name);
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'npx'), `#!/bin/sh\nshift\n${script}\n`, { mode: 0o755 });
  writeFileSync(join(bin, 'heddle'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return `${bin}:${process.env['PATH'] ?? ''}`;
}

function shell(line: string, cli: Cli, path: string): Promise<{ code: number | null; output: string }> {
  const child = spawn('sh', ['-c', line], {
    cwd: cli.cwd,
    env: { ...cli.env, PATH: path },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data: Buffer) => (output += data.toString()));
  const [asked, answers] = [child.stdio[3] as Readable, child.stdio[4] as Writable];
  let question = '';
  asked.on('data', (data: Buffer) => {
    question += data.toString();
    const [count = '', cwd = '', ...args] = question.split('\0');
    // The last one is what comes after the last sign.
    if (args.length <= Number(count)) return;
    question = '';
    void answer(cli, cwd, args.slice(0, -1)).then(({ code, said }) => {
      output += said;
      answers.write(`${code}\n`);
    });
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })));
}

async function answer(cli: Cli, cwd: string, args: string[]): Promise<{ code: number | null; said: string }> {
  try {
    const { code, stdout, stderr } = await cli.hereWith({ cwd }, ...args);
    return { code, said: `${stdout}${stderr}` };
  } catch (error) {
    // Whoever waits for it must not wait for ever.
    return { code: 1, said: String(error) };
  }
}
