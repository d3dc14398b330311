import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject } from 'vitest';
import type { Cli } from './cli.ts';

const root = join(import.meta.dirname, '..', '..');

/** What each command of a page printed, by its line. */
export type Printed = ReadonlyMap<string, string>;

export interface FollowOptions {
  /** As a clone has it, from the sources; the built package otherwise, which starts sooner. */
  fromSources?: boolean;
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
  { fromSources = false, keepService = false }: FollowOptions = {},
): Promise<Printed> {
  const page = readFileSync(join(root, 'docs', name), 'utf8');
  const path = npxFor(cli, fromSources ? join(root, 'bin', 'heddle.js') : inject('program'));
  const printed = new Map<string, string>();
  for (const [, language, text = ''] of page.matchAll(/```(\w+)\n(.*?)```/gs)) {
    if (language === 'yaml') writeFileSync(join(cli.cwd, plans.shift() ?? ''), text);
    if (language !== 'sh') continue;
    for (const line of text.trim().split('\n')) {
      if (keepService && line === 'npx heddle down') continue;
      const ran = await shell(line, cli, path);
      expect([line, ran.code, ran.output]).toEqual([line, 0, expect.any(String)]);
      printed.set(line, ran.output);
    }
  }
  expect(plans).toEqual([]);
  return printed;
}

/** `npx heddle`, wherever the reader stands. */
function npxFor(cli: Cli, program: string): string {
  const bin = join(cli.cwd, '..', 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'npx'), `#!/bin/sh\nshift\nexec "${process.execPath}" "${program}" "$@"\n`);
  chmodSync(join(bin, 'npx'), 0o755);
  return `${bin}:${process.env['PATH'] ?? ''}`;
}

function shell(line: string, cli: Cli, path: string): Promise<{ code: number | null; output: string }> {
  const child = spawn('sh', ['-c', line], {
    cwd: cli.cwd,
    env: { ...cli.env, PATH: path },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })));
}
