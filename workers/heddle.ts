import { main } from '../client/cli/main.ts';
import { createPorts } from './ports/create-ports.ts';

/** The program `heddle`: the command line with the real processes, servers and files behind it. */
export async function heddle(argv: string[]): Promise<number> {
  return main(argv, createPorts(process.env));
}
