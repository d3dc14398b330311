// A conversation of an owner that is no attempt: the loop, its log and its output take all that they need from the owner.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ConversationOwner } from '../../../activities/agent/conversation-owner.ts';
import { leadConversation } from '../../../activities/agent/lead-conversation.ts';
import { resumeConversation } from '../../../activities/agent/resume-conversation.ts';
import type { AgentEnd } from '../../../activities/agent/agent-end.ts';
import { ToolRegistry } from '../../../activities/tools/common/tool-registry.ts';
import { FileStore } from '../../../activities/store/file-store.ts';
import type { SteeringNote } from '../../../domain/types/agent.ts';
import { placeAt } from '../../support/tool-place.ts';
import { temporaryFolder } from '../execute/program/support.ts';
import { call, finish, model, ScriptedModels } from './support.ts';
import { localTools } from './support-tools.ts';

const secret = 'hunter2hunter2';

const ownerIn = (folder: string, given: Partial<ConversationOwner> = {}): ConversationOwner => ({
  key: 'turn 1',
  run: 'r1',
  log: join(folder, 'log.jsonl'),
  asker: { task: 'chat', role: 'executor' },
  openOutput: () => Promise.resolve(join(folder, 'output.log')),
  refuseUnlessOurs: () => Promise.resolve(),
  readNews: () => Promise.resolve({ paused: false, steering: [] }),
  redact: (text) => text.replaceAll(secret, '[PASSWORD]'),
  ...given,
});

async function lead(folder: string, owner: ConversationOwner, models: ScriptedModels): Promise<AgentEnd> {
  const registry = new ToolRegistry(localTools);
  const log = await resumeConversation({
    owner,
    begin: () =>
      Promise.resolve({
        ...{ system: 'system', first: 'hello', model, thinking: false, maxOutput: 1_000 },
        tools: registry.schemas(localTools.map(({ name }) => name)),
      }),
  });
  const parts = { owner, log, models, registry, store: new FileStore(join(folder, 'store')) };
  const limits = { iterations: 5, timeout: 30_000, ceiling: {}, signal: new AbortController().signal };
  try {
    return await leadConversation({
      ...{ ...parts, ...limits, context: placeAt(folder), resume: null },
      onLine: () => undefined,
      onRefusal: () => undefined,
    });
  } finally {
    await log.close();
  }
}

test('an owner without an attempt names itself to the model, and gets its log, its output and its news', async () => {
  const folder = await temporaryFolder();
  const models = new ScriptedModels([call('narrate', { text: `the password is ${secret}` })], [finish()]);
  const steering: SteeringNote[] = [{ id: 1, text: 'be brief' }];
  const owner = ownerIn(folder, {
    readNews: (since) => Promise.resolve({ paused: false, steering: since < 1 ? steering : [] }),
  });
  expect(await lead(folder, owner, models)).toMatchObject({ kind: 'reported', contract: { status: 'success' } });
  expect(models.requests.map(({ asker }) => asker)).toEqual([1, 2].map((turn) => ({ ...owner.asker, turn })));
  expect(models.heard(1)).toContain('be brief');
  expect(await readFile(join(folder, 'output.log'), 'utf8')).toContain('the password is [PASSWORD]');
  expect(await readFile(owner.log, 'utf8')).toMatch(/^\{"k":"frame","owner":"turn 1"/);
});

test('the log of another owner is not continued', async () => {
  const folder = await temporaryFolder();
  await lead(folder, ownerIn(folder), new ScriptedModels([call('narrate', { text: 'first' })], [finish()]));
  const models = new ScriptedModels([finish()]);
  await lead(folder, ownerIn(folder, { key: 'turn 2' }), models);
  expect(models.requests[0]?.messages).toEqual([{ from: 'user', text: 'hello' }]);
});

test('an owner that lost its record does nothing more', async () => {
  const folder = await temporaryFolder();
  const owner = ownerIn(folder, { refuseUnlessOurs: () => Promise.reject(new Error('taken over')) });
  const models = new ScriptedModels([call('write_file', { path: 'a.txt', content: 'x' })], [finish()]);
  await expect(lead(folder, owner, models)).rejects.toThrow('taken over');
  expect(models.requests).toEqual([]);
});
