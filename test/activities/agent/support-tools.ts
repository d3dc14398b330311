import { readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';

import { sha256 } from '../../../activities/system/hash-file.ts';
import type { GateRuling } from '../../../domain/types/basic/gate.ts';
import type { LoopTool, MutatingTool, ReadingTool, Tool, ToolContext } from '../../../activities/tools/common/tool.ts';

const pathArgs = z.strictObject({ path: z.string() });
const writeArgs = z.strictObject({ path: z.string(), content: z.string() });

const contentOf = (place: ToolContext, path: string): Promise<string | null> =>
  readFile(join(place.workspace, path), 'utf8').catch(() => null);
const hashOf = async (place: ToolContext, path: string): Promise<string | null> => {
  const content = await contentOf(place, path);
  return content === null ? null : sha256(content);
};

const unjudged: Pick<MutatingTool<unknown>, 'interruptible' | 'assess' | 'evidence'> = {
  interruptible: false,
  assess: () => Promise.resolve({ kind: 'allow' }),
  evidence: () => Promise.resolve('Look at it.'),
};

const readTool: ReadingTool<z.infer<typeof pathArgs>> = {
  kind: 'reads',
  name: 'read_file',
  description: 'Reads a file.',
  schema: pathArgs,
  timeout: 1_000,
  run: async ({ path }, place) => {
    if (path.startsWith('/')) return { ok: false, text: `${path} is outside`, refused: `${path} is outside` };
    const content = await contentOf(place, path);
    return content === null ? { ok: false, text: `There is no file ${path}.` } : { ok: true, text: content };
  },
};

const allow = (): Promise<GateRuling> => Promise.resolve({ kind: 'allow' });

const writeTool: MutatingTool<z.infer<typeof writeArgs>> = {
  kind: 'mutates',
  name: 'write_file',
  description: 'Writes a file.',
  schema: writeArgs,
  timeout: 1_000,
  ...unjudged,
  plan: async ({ path, content }, place) => ({
    action: `write ${path}`,
    files: [{ path, before: await hashOf(place, path), after: sha256(content) }],
  }),
  assess: allow,
  perform: async ({ path, content }, _, place) => {
    const target = join(place.workspace, path);
    await writeFile(`${target}.tmp`, content);
    await rename(`${target}.tmp`, target);
    return { ok: true, text: `wrote ${path}`, changed: [path] };
  },
  settle: async ({ files }, place) => {
    for (const { path, before, after } of files) {
      const now = await hashOf(place, path);
      if (now === after) return 'done';
      if (now !== before) return 'unclear';
    }
    return 'not-done';
  },
};

/** The ruling of the gate on `sendTool` depends on what people allowed. */
const judgeSending: MutatingTool<unknown>['assess'] = (_, { gates }) =>
  Promise.resolve(
    gates.allowed.includes(sending.signature)
      ? { kind: 'allow' }
      : { kind: 'ask', ...sending, why: 'It sends a file away.' },
  );

export const sending = { danger: 'outside', signature: 'gate:outside:send' } as const;

/** An effect that nobody can look up: each time it happens adds a line to a file outside of the workspace's own. */
export const sendTool = (sent: string[]): MutatingTool<z.infer<typeof pathArgs>> => ({
  kind: 'mutates',
  name: 'move_path',
  description: 'Sends a file away.',
  schema: pathArgs,
  timeout: 1_000,
  ...unjudged,
  plan: ({ path }) => Promise.resolve({ action: `send ${path}`, files: [] }),
  assess: judgeSending,
  perform: ({ path }) => {
    sent.push(path);
    return Promise.resolve({ ok: true, text: `sent ${path}` });
  },
  settle: () => Promise.resolve('unclear'),
});

const deleteTool: MutatingTool<z.infer<typeof pathArgs>> = {
  ...writeTool,
  name: 'delete_path',
  description: 'Deletes a file.',
  schema: pathArgs,
  plan: async ({ path }, place) => ({
    action: `delete ${path}`,
    files: [{ path, before: await hashOf(place, path), after: null }],
  }),
  perform: async ({ path }, _, place) => {
    await unlink(join(place.workspace, path));
    return { ok: true, text: `deleted ${path}`, changed: [path] };
  },
};

const loopTool = <Args>(name: string, schema: z.ZodType<Args>): LoopTool<Args> => ({
  kind: 'loop',
  name,
  description: `${name}.`,
  schema,
  timeout: 1_000,
});

/** Small tools on real files, for the loop alone. */
export const localTools: readonly Tool[] = [
  readTool,
  writeTool,
  deleteTool,
  loopTool('ask_user', z.strictObject({ question: z.string(), options: z.array(z.string()).optional() })),
  loopTool('note', z.strictObject({ text: z.string() })),
  loopTool('narrate', z.strictObject({ text: z.string() })),
  loopTool('todo', z.strictObject({ items: z.array(z.strictObject({ text: z.string(), done: z.boolean() })) })),
  loopTool(
    'finish',
    z.strictObject({
      status: z.enum(['success', 'partial', 'failed', 'blocked']),
      notes: z.string(),
      deliverablesTouched: z.array(z.string()),
    }),
  ),
];
