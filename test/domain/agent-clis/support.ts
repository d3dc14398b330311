import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OutputName } from '../../../domain/executors/output-names.ts';
import { clis } from '../../../domain/agent-clis/readers.ts';
import { settle } from '../../../domain/agent-clis/settle.ts';
import type { Execution } from '../../../domain/failure/execution.ts';
import type { CliResult } from '../../../domain/types/basic/completion-contract.ts';
import type { FailureType } from '../../../domain/types/basic/failure-types.ts';

/** One run of a real program against a scripted service. `type` is what a person would call its failure; null: it did its work. */
export interface Recording {
  name: string;
  /** `capped`: it did not end by itself. */
  end: 'exited' | 'capped';
  exit: number;
  type: FailureType | null;
  stdout: string;
  stderr: string;
  /** The file that the program writes at our request. */
  filed?: string;
}

export function recordingsOf(cli: OutputName): Recording[] {
  const path = join(import.meta.dirname, '..', '..', 'corpora', 'clis', `${cli}.json`);
  return JSON.parse(readFileSync(path, 'utf8')) as Recording[];
}

export function recordingOf(cli: OutputName, name: string): Recording {
  const recording = recordingsOf(cli).find((recording) => recording.name === name);
  if (recording === undefined) throw new Error(`no recording ${name}`);
  return recording;
}

export function readText(cli: OutputName, stdout: string, filed = ''): CliResult {
  const reader = clis[cli].read();
  for (const line of stdout.split('\n')) reader.line(line);
  for (const line of filed === '' ? [] : filed.split('\n')) reader.filed?.(line);
  return reader.close();
}

export function read(cli: OutputName, { stdout, stderr, exit, filed = '' }: Recording): CliResult {
  return settle(cli, readText(cli, stdout, filed), { exitCode: exit, stderrTail: stderr });
}

export function executionOf(cli: OutputName, recording: Recording): Execution {
  const result = read(cli, recording);
  return {
    end: recording.end === 'capped' ? 'timeout' : 'exited',
    exitCode: recording.exit,
    signal: null,
    stdoutTail: result.text,
    stderrTail: recording.stderr,
    cli: result,
  };
}
