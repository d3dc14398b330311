// Whole tasks of an agent through the real code of the providers, on the four wires, streaming and not.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { useRig } from '../../support/rig.ts';
import { calls, finishes, serveScript, writeModels, type WireKind } from '../../support/scripted-models.ts';

const rig = useRig();

const kinds: WireKind[] = ['openai-compatible', 'openai', 'anthropic', 'ollama'];

describe.each(kinds)('%s', (kind) => {
  test.each([true, false])('writes a file and reports, streaming: %s', async (stream) => {
    const workspace = rig.workspace();
    const { url, requests } = await serveScript([
      { text: 'I write it.', ...calls(['write_file', { path: 'NOTES.md', content: '# Notes\n' }]) },
      finishes('the notes are there', ['NOTES.md']),
    ]);
    writeModels(workspace, url, { kind, model: `stream = ${stream}` });
    const task = await rig.start({
      goal: 'Write the notes',
      workspace,
      executor: 'agent',
      subtasks: [{ id: 'notes', description: 'Write NOTES.md', deliverables: ['NOTES.md'] }],
    });
    await task.result();
    expect(readFileSync(join(workspace, 'NOTES.md'), 'utf8')).toBe('# Notes\n');
    expect(requests).toHaveLength(2);
    expect(requests[1]?.text).toContain('NOTES.md');
    const [record, ...others] = await task.attempts();
    expect(others).toEqual([]);
    expect(record).toMatchObject({
      outcome: 'passed',
      attempt: 1,
      modelCalls: 2,
      toolCalls: 1,
      models: [{ model: 'tier1', calls: 2 }],
      transcriptRef: expect.anything() as object,
    });
    expect(record?.costUsd).toBeGreaterThan(0);
    expect(record?.tokens).toBe(record?.models[0]?.tokens);
    expect(existsSync(join(workspace, 'heddle.toml'))).toBe(true);
  });
});
