import type { CliResult } from '../types/basic/completion-contract.ts';

/** Reads the output of one run of an agent program, line by line. Pure; no text crashes it. */
export interface CliReader {
  /** One line of standard output. */
  line(text: string): void;
  /** One line of the file that the program was told to write to, where it writes one. */
  filed?(text: string): void;
  /** What it all comes to. A program that was cut off has said nothing of its end. */
  close(): CliResult;
}
