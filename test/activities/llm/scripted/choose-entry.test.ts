import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chooseEntry } from '../../../../activities/llm/scripted/choose-entry.ts';
import { parseScript } from '../../../../activities/llm/scripted/script.ts';
import { FileStore } from '../../../../activities/store/file-store.ts';
import { aside } from '../../../../domain/llm/model-call.ts';

test('a question aside is answered by what is not used up, and uses nothing up', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-entry-'));
  try {
    const store = new FileStore(folder);
    const entries = parseScript('[{ when: { role: planner }, reply: { text: a } }]', 'script.yaml');
    const ask = (part?: string) => {
      const asker = { task: 't', role: 'planner' as const, turn: 1, tries: 1, ...(part === undefined ? {} : { part }) };
      return chooseEntry({ script: 's', entries, asker, text: '' }, store);
    };
    expect(await ask(aside)).toBe(entries[0]);
    expect(await ask(aside)).toBe(entries[0]);
    expect(await ask()).toBe(entries[0]);
    expect(await ask(aside)).toBeUndefined();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
