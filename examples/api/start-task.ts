// Starts a plan, prints what happens, and the end: HEDDLE_TOKEN=hdl_... node examples/api/start-task.ts PLAN
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';

const api = process.env['HEDDLE_API'] ?? 'http://127.0.0.1:7880/api/v1';

async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${process.env['HEDDLE_TOKEN'] ?? ''}`);
  const answer = await fetch(`${api}${path}`, { ...init, headers });
  if (!answer.ok) throw new Error(`${init.method ?? 'GET'} ${path}: ${await answer.text()}`);
  return answer;
}

/** Follows a stream of events; `name` is absent for the numbered events of the task. */
async function* follow(path: string): AsyncGenerator<{ name: string | undefined; data: unknown }> {
  const { body } = await ask(path);
  if (body === null) return;
  let name: string | undefined;
  for await (const line of createInterface({ input: Readable.fromWeb(body) })) {
    if (line.startsWith('event: ')) name = line.slice('event: '.length);
    if (line.startsWith('data: ')) yield { name, data: JSON.parse(line.slice('data: '.length)) };
    if (line === '') name = undefined;
  }
}

const plan = `workspace: ${JSON.stringify(process.cwd())}\n${readFileSync(process.argv[2] ?? 'plan.yaml', 'utf8')}`;
const started = await ask('/tasks', {
  method: 'POST',
  // A request that is sent again with the same key starts no second task.
  headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
  body: JSON.stringify({ plan }),
});
const { taskId } = (await started.json()) as { taskId: string };
console.log(`task ${taskId}`);
for await (const { name, data } of follow(`/tasks/${taskId}/stream`)) {
  if (name === undefined) console.log((data as { text: string }).text);
  if (name === 'end') console.log((data as { state: string }).state);
}
