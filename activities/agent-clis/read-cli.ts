import { createReadStream } from 'node:fs';

import { cliLimits } from '../../domain/agent-clis/limits.ts';
import type { OutputName } from '../../domain/executors/output-names.ts';
import { clis } from '../../domain/agent-clis/readers.ts';
import type { CliResult } from '../../domain/types/basic/completion-contract.ts';
import { systemCode } from '../system/system-error.ts';

/** The output that one execution of an agent program left. */
export interface CliOutput {
  /** Its whole stdout. */
  stdout: string;
  /** The file to which it was to write its own result; it need not exist. */
  resultFile: string;
  /** The end of stdout, where the file lost it to its cap. */
  lostEnd?: string;
}

/** Reads the output of an agent program as it says itself how it ended. */
export async function readCli(name: OutputName, { stdout, resultFile, lostEnd }: CliOutput): Promise<CliResult> {
  const reader = clis[name].read();
  for await (const line of readLines(stdout)) reader.line(line);
  // Its first line is cut.
  for (const line of lostEnd?.split('\n').slice(1) ?? []) reader.line(line);
  if (reader.filed !== undefined) for await (const line of readLines(resultFile)) reader.filed(line);
  return reader.close();
}

/** The lines of a file; a line above the limit comes as nothing. A missing file has no lines. */
async function* readLines(path: string): AsyncGenerator<string> {
  let rest = '';
  let skips = false;
  try {
    for await (const piece of createReadStream(path, { encoding: 'utf8' })) {
      const lines = `${rest}${String(piece)}`.split('\n');
      rest = lines.pop() ?? '';
      for (const [index, line] of lines.entries()) if (index > 0 || !skips) yield line;
      if (lines.length > 0) skips = false;
      if (rest.length > cliLimits.line) {
        skips = true;
        rest = '';
      }
    }
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
  if (rest !== '' && !skips) yield rest;
}
