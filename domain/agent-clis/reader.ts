import type { CliResult } from '../types/basic/completion-contract.ts';

/** Reads the output of one run of an agent program, line by line. Pure; no text crashes it. */
export interface CliReader {
  /** One line of standard output. */
  line(text: string): void;
  /** One line of the file that the program writes at our request, if it writes one. */
  filed?(text: string): void;
  /** Returns the result. A program that was cut off has not reported its end. */
  close(): CliResult;
}
