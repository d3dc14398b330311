// An image in the result of a call, as each of the four services takes it.
import { describe, expect, test, onTestFinished } from 'vitest';
import { startScriptedServer, type ScriptedRequest } from '../../../../activities/llm/scripted/scripted-server.ts';
import type { ImageRef, Message } from '../../../../activities/llm/ports/model.ts';
import type { Model } from '../../../../domain/types/llm.ts';
import { redPixel } from '../../../support/images.ts';
import { call, errorOf, modelAt } from './support.ts';

const image: ImageRef = { sha256: 'a'.repeat(64), bytes: redPixel.length, type: 'image/png', width: 1, height: 1 };
const base64 = redPixel.toString('base64');
const url = `data:image/png;base64,${base64}`;
const description = 'PNG image, 70 bytes, 1 x 1 pixels.';
const intro = 'The image that read_file read (call c1):';

const asks = (id: string, path: string) => ({
  type: 'call' as const,
  id,
  tool: 'read_file',
  input: JSON.stringify({ path }),
});
const messages: Message[] = [
  { from: 'user', text: 'Look.' },
  { from: 'model', parts: [asks('c1', 'a.png'), asks('c2', 'b.txt')] },
  {
    from: 'tools',
    results: [
      { id: 'c1', tool: 'read_file', text: description, isError: false, image },
      { id: 'c2', tool: 'read_file', text: 'lines 1-1 of 1', isError: false },
    ],
  },
  { from: 'user', text: 'Go on.' },
];

async function serve(): Promise<{ url: string; requests: ScriptedRequest[] }> {
  const requests: ScriptedRequest[] = [];
  const server = await startScriptedServer((request) => {
    requests.push(request);
    return Promise.resolve({ text: 'I see red.' });
  });
  onTestFinished(() => server.close());
  return { url: server.url, requests };
}

/** Messages between the reply with the calls and the words of the user. */
const sent: Record<'openai-compatible' | 'openai' | 'anthropic' | 'ollama', { key: string; parts: unknown[] }> = {
  'openai-compatible': {
    key: 'messages',
    parts: [
      { role: 'tool', tool_call_id: 'c1', content: description },
      { role: 'tool', tool_call_id: 'c2', content: 'lines 1-1 of 1' },
      {
        role: 'user',
        content: [
          { type: 'text', text: intro },
          { type: 'image_url', image_url: { url } },
        ],
      },
      { role: 'user', content: 'Go on.' },
    ],
  },
  openai: {
    key: 'input',
    parts: [
      {
        type: 'function_call_output',
        call_id: 'c1',
        output: [
          { type: 'input_text', text: description },
          { type: 'input_image', image_url: url },
        ],
      },
      { type: 'function_call_output', call_id: 'c2', output: 'lines 1-1 of 1' },
      { role: 'user', content: [{ type: 'input_text', text: 'Go on.' }] },
    ],
  },
  anthropic: {
    key: 'messages',
    parts: [
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'c1',
            content: [
              { type: 'text', text: description },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: base64 } },
            ],
          },
          { type: 'tool_result', tool_use_id: 'c2', content: 'lines 1-1 of 1' },
          { type: 'text', text: 'Go on.' },
        ],
      },
    ],
  },
  ollama: {
    key: 'messages',
    parts: [
      { role: 'tool', tool_name: 'read_file', content: description },
      { role: 'tool', tool_name: 'read_file', content: 'lines 1-1 of 1' },
      { role: 'user', content: intro, images: [base64] },
      { role: 'user', content: 'Go on.' },
    ],
  },
};

describe.each(Object.entries(sent))('%s', (kind, { key, parts }) => {
  const at = (address: string): Model => modelAt(kind as keyof typeof sent, address, { images: true });

  test('takes it where and as its API does', async () => {
    const server = await serve();
    const reply = await call(at(server.url), { messages, readImage: () => Promise.resolve(redPixel) });
    expect(reply.parts).toMatchObject([{ type: 'text', text: 'I see red.' }]);
    const [request] = server.requests;
    expect((request?.body[key] as unknown[]).slice(-parts.length)).toMatchObject(parts);
    // The text that chooses the entry of a script has no bytes of the image.
    expect(request?.text).not.toContain(base64.slice(0, 40));
  });

  test('is told that one is gone which cannot be read any more', async () => {
    const server = await serve();
    await call(at(server.url), { messages, readImage: () => Promise.reject(new Error('pruned')) });
    expect(server.requests[0]?.text).toContain(`${description} (The image is not there any more.)`);
    expect(JSON.stringify(server.requests[0]?.body)).not.toContain(base64);
  });

  test('refuses bytes that are no image, as the real service does', async () => {
    const server = await serve();
    const broken = { ...image, type: 'image/tiff' as ImageRef['type'] };
    const [first, asked, results, last] = messages;
    if (first === undefined || asked === undefined || results?.from !== 'tools' || last === undefined)
      throw new Error('another conversation');
    const bad = {
      ...results,
      results: results.results.map((each) => ({ ...each, ...(each.image ? { image: broken } : {}) })),
    };
    const empty = kind === 'ollama' ? Buffer.from('') : redPixel;
    const error = await errorOf(
      call(at(server.url), { messages: [first, asked, bad, last], readImage: () => Promise.resolve(empty) }),
    );
    expect(error.failure.type).toBe('tool-failed');
    expect(server.requests).toEqual([]);
  });
});
