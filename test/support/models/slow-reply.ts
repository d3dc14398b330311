import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { chat } from '../../../activities/llm/wires/chat.ts';

/** A model that stops in the middle of its reply until the test lets it go on. */
export async function serveSlowly(reply: string): Promise<{ url: string; release: () => void }> {
  const gate = Promise.withResolvers<null>();
  const server = createServer((request, response) => {
    void (async () => {
      await text(request);
      const input = JSON.stringify({ status: 'success', notes: 'done', deliverablesTouched: [] });
      const calls = [{ id: 'c', tool: 'finish', input }];
      const usage = { input: 10, output: 10, cached: 0, reasoning: 0 };
      const pieces = chat.pieces({ id: 'r', model: 'model-1', text: reply, calls, usage });
      const middle = Math.floor(pieces.findIndex((piece) => piece.includes('tool_calls')));
      response.writeHead(200, { 'content-type': chat.contentType });
      for (const piece of pieces.slice(0, middle)) response.write(piece);
      await gate.promise;
      for (const piece of pieces.slice(middle)) response.write(piece);
      response.end();
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, release: () => gate.resolve(null) };
}
