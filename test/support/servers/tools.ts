// Tools of a user's own, as tests serve them: each export does one thing that such tools do, well or badly.
import { appendFileSync } from 'node:fs';
import * as z from 'zod';

const write = (line: string): void => appendFileSync('ledger.txt', `${line}\n`);

interface Helpers {
  signal: AbortSignal;
  key: string;
  progress: (message: string) => void;
}

const none = z.object({});

export const deploy = {
  description: 'Deploys.',
  input: z.object({ to: z.string() }),
  destructive: true,
  run: ({ to }: { to: string }, { key, progress }: Helpers) => {
    progress('half of it');
    write(`deploy ${to} ${key}`);
    return `deployed to ${to}`;
  },
};

export const look = { description: 'Looks.', input: none, mutates: false, run: () => ({ found: 3 }) };
export const plain = { description: 'Has a JSON schema.', input: { type: 'object' }, run: () => undefined };
export const fails = {
  description: 'Throws.',
  input: none,
  mutates: false,
  run: () => {
    throw new Error('no such place');
  },
};
export const late = {
  description: 'Throws after its result.',
  input: none,
  mutates: false,
  run: () => {
    setTimeout(() => {
      throw new Error('too late');
    }, 10);
    return 'fine';
  },
};
export const prints = {
  description: 'Prints much.',
  input: none,
  mutates: false,
  run: () => {
    process.stdout.write('p'.repeat(50_000_000));
    console.log('{"jsonrpc":"2.0","id":1,"result":{}}');
    return 'printed';
  },
};
export const returns = { description: 'Returns much.', input: none, mutates: false, run: () => 'r'.repeat(50_000_000) };
export const loops = {
  description: 'Never ends.',
  input: none,
  mutates: false,
  run: () => {
    for (;;);
  },
};
export const exits = { description: 'Ends it.', input: none, mutates: false, run: () => process.exit(4) };
export const variables = {
  description: 'Names them.',
  input: none,
  mutates: false,
  run: () => Object.keys(process.env).sort().join(' '),
};

const hangs =
  (name: string) =>
  async (_: unknown, { key }: Helpers) => {
    write(`${name} ${key}`);
    await new Promise((resolve) => setTimeout(resolve, 600_000));
  };

export const sends = {
  description: 'Sends, and knows whether it has.',
  input: none,
  run: hangs('sends'),
  settle: () => 'done',
};
export const starts = {
  description: 'Starts, and knows that it has not.',
  input: none,
  run: hangs('starts'),
  settle: () => 'not-done',
};

export const noTool = 'a text';
