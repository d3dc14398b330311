// A whole task of agents through the real code of the providers, on the four wires, streaming and not: each writes a file and reports.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { startScriptedServer, type ScriptedRequest } from '../../../activities/llm/scripted/scripted-server.ts';
import type { AttemptView } from '../../../client/index.ts';
import { useRig } from '../../support/rig.ts';
import { calls, finishes, type WireKind } from '../../support/scripted-models.ts';

const rig = useRig();

const kinds: WireKind[] = ['openai-compatible', 'openai', 'anthropic', 'ollama'];
const wires = kinds.flatMap((kind) => [true, false].map((stream) => ({ kind, stream, id: `${kind}-${stream}` })));

const fileOf = (id: string): string => `${id}.md`;
const requestsOf = new Map<string, ScriptedRequest[]>();
let workspace = '';
let attempts: AttemptView[] = [];

beforeAll(async () => {
  workspace = rig.workspace();
  const servers = await Promise.all(
    wires.map(async ({ id }) => {
      const requests: ScriptedRequest[] = [];
      requestsOf.set(id, requests);
      const writes = calls(['write_file', { path: fileOf(id), content: '# Notes\n' }]);
      const replies = [{ text: 'I write it.', ...writes }, finishes('the notes are there', [fileOf(id)])];
      return startScriptedServer((request) => {
        requests.push(request);
        return Promise.resolve(replies[requests.length - 1] ?? 'no reply');
      });
    }),
  );
  const config = wires.map(({ kind, stream, id }, index) => {
    const url = servers[index]?.url ?? '';
    return `[providers.${id}]
kind = "${kind}"
baseUrl = "${kind === 'ollama' ? url : `${url}/v1`}"
[models.${id}]
provider = "${id}"
id = "model"
tier = 1
price = { in = 1.0, out = 5.0 }
stream = ${stream}
`;
  });
  writeFileSync(join(workspace, 'heddle.toml'), config.join(''));
  const task = await rig.start({
    goal: 'Write the notes',
    workspace,
    subtasks: wires.map(({ id }) => ({
      id,
      description: `Write ${fileOf(id)}`,
      deliverables: [fileOf(id)],
      executor: { kind: 'agent', model: id },
    })),
  });
  await task.result();
  attempts = await task.attempts();
  for (const server of servers) await server.close();
});

describe.each(kinds)('%s', (kind) => {
  test.each([true, false])('writes a file and reports, streaming: %s', (stream) => {
    const id = `${kind}-${stream}`;
    expect(readFileSync(join(workspace, fileOf(id)), 'utf8')).toBe('# Notes\n');
    const requests = requestsOf.get(id) ?? [];
    expect(requests).toHaveLength(2);
    expect(requests[1]?.text).toContain(fileOf(id));
    const [record, ...others] = attempts.filter(({ subtask }) => subtask === id);
    expect(others).toEqual([]);
    expect(record).toMatchObject({
      outcome: 'passed',
      attempt: 1,
      modelCalls: 2,
      toolCalls: 1,
      models: [{ model: id, calls: 2 }],
      transcriptRef: expect.anything() as object,
    });
    expect(record?.costUsd).toBeGreaterThan(0);
    expect(record?.tokens).toBe(record?.models[0]?.tokens);
  });
});
