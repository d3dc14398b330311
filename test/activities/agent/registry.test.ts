// Tools of a registry that grows while conversations run.
import { expect, test } from 'vitest';
import * as z from 'zod';
import { ToolRegistry } from '../../../activities/tools/common/tool-registry.ts';
import type { ReadingTool } from '../../../activities/tools/common/tool.ts';
import { temporaryFolder } from '../execute/program/support.ts';
import { call, finish, ScriptedModels } from './support.ts';
import { lead } from './support-cuts.ts';
import { localTools } from './support-tools.ts';

const schema = z.strictObject({ day: z.string() });

const calendar: ReadingTool<z.infer<typeof schema>> = {
  kind: 'reads',
  name: 'mcp__calendar__events',
  description: 'Lists the events of a day.',
  schema,
  timeout: 1_000,
  run: ({ day }) => Promise.resolve({ ok: true, text: `no events on ${day}` }),
};

test('a tool that a conversation names is called as soon as the registry has it', async () => {
  const registry = new ToolRegistry(localTools);
  const models = new ScriptedModels(
    [call('mcp__calendar__events', { day: 'monday' })],
    () => {
      registry.add(calendar);
      return [call('mcp__calendar__events', { day: 'monday' })];
    },
    [finish()],
  );
  const tools = [...localTools, calendar];
  const { end } = await lead({ folder: await temporaryFolder(), models, performed: [], tools, registry });
  expect(end).toMatchObject({ kind: 'reported' });
  expect(models.requests[0]?.tools.map(({ name }) => name)).toContain('mcp__calendar__events');
  expect(models.heard(2)).toContain('There is no tool of that name.');
  expect(models.heard(3)).toContain('no events on monday');
});

test('a tool of the registry that the conversation does not name cannot be called', async () => {
  const registry = new ToolRegistry([...localTools, calendar]);
  const models = new ScriptedModels([call('mcp__calendar__events', { day: 'monday' })], [finish()]);
  await lead({ folder: await temporaryFolder(), models, performed: [], registry });
  expect(models.heard(2)).toContain('There is no tool of that name.');
});

test('a second tool of the same name is refused', () => {
  const registry = new ToolRegistry([calendar]);
  expect(() => registry.add(calendar)).toThrow('there is a tool "mcp__calendar__events" already');
});
