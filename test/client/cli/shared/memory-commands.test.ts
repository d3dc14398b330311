// `heddle memory import` looks at the file before it reaches for anything: what is no memory, or too large, is refused with a code.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { main } from '../../../../client/cli/main.ts';
import { clientLimits } from '../../../../client/limits/client-limits.ts';
import { testPorts } from './support.ts';

const folder = mkdtempSync(join(tmpdir(), 'heddle-memory-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Shown {
  code: string;
  message: string;
  where?: string;
  hint?: string;
}

/** The ports refuse to connect: a file that is wrong never gets that far. */
async function imported(content: string): Promise<{ exit: number; error: Shown }> {
  const file = join(folder, 'memory.json');
  writeFileSync(file, content);
  const { ports, stderr } = testPorts({ cwd: folder });
  const exit = await main(['memory', 'import', 'website', 'memory.json', '--json'], ports);
  return { exit, error: (JSON.parse(stderr()) as { error: Shown }).error };
}

const item = (index: number) => ({
  signature: `timeout-${index.toString(16).padStart(8, '0')}`,
  type: 'timeout',
  summary: '',
  count: 1,
  fixedAtRung: 3,
  hint: '',
});

describe('a file that is no memory', () => {
  test.each([
    ['no JSON', '{"signatures":', 'MESSAGE_INVALID'],
    ['null', 'null', 'MESSAGE_INVALID'],
    ['a list', '[]', 'MESSAGE_INVALID'],
    ['without answers', '{"signatures":[]}', 'MESSAGE_INVALID'],
    ['a broken entry', '{"signatures":[{"__proto__":{}}],"answers":[]}', 'MESSAGE_INVALID'],
    ['deep nesting', `{"signatures":[${'['.repeat(10_000)}${']'.repeat(10_000)}],"answers":[]}`, 'MESSAGE_INVALID'],
    [
      'too many entries',
      JSON.stringify({ signatures: Array.from({ length: 501 }, (_, index) => item(index)), answers: [] }),
      'MEMORY_TOO_LARGE',
    ],
    [
      'too large a text',
      JSON.stringify({ signatures: [{ ...item(1), hint: 'x'.repeat(2_000_000) }], answers: [] }),
      'MEMORY_TOO_LARGE',
    ],
    ['too large a file', ' '.repeat(clientLimits.memory.fileBytes + 1), 'MEMORY_TOO_LARGE'],
  ])('%s', async (_, content, code) => {
    const { exit, error } = await imported(content);
    expect(exit).toBe(2);
    expect(error).toMatchObject({ code, where: join(folder, 'memory.json') });
    expect(error.message.length).toBeLessThan(300);
  });
});
