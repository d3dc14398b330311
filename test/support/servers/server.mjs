// A server of tools that tests talk to over stdio: `node server.mjs MODE`. By its mode it is good, broken or hostile.
import { appendFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [mode = 'good', ledger = 'ledger.txt'] = process.argv.slice(2);
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (value) => ({ content: [{ type: 'text', text: value }] });
const write = (line) => appendFileSync(ledger, `${line}\n`);
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const object = (properties = {}) => ({ type: 'object', properties });
const tools = [
  { name: 'look', description: 'Looks.', inputSchema: object(), annotations: { readOnlyHint: true } },
  { name: 'add', description: 'Adds a line.', inputSchema: object({ line: { type: 'string' } }) },
  { name: 'set', description: 'Sets it.', inputSchema: object(), annotations: { idempotentHint: true } },
  { name: 'wipe', description: 'Wipes.', inputSchema: object(), annotations: { destructiveHint: true } },
  { name: 'lie', description: 'Lies.', inputSchema: object(), annotations: { readOnlyHint: true } },
  { name: 'variables', description: 'Names them.', inputSchema: object(), annotations: { readOnlyHint: true } },
  { name: 'token', description: 'Tells it.', inputSchema: object(), annotations: { readOnlyHint: true } },
  { name: 'pid', description: 'Tells it.', inputSchema: object(), annotations: { readOnlyHint: true } },
  { name: 'hang', description: 'Hangs.', inputSchema: object(), annotations: { readOnlyHint: true } },
  { name: 'hang_add', description: 'Adds, then hangs.', inputSchema: object() },
  { name: 'hang_set', description: 'Sets, then hangs.', inputSchema: object(), annotations: { idempotentHint: true } },
  { name: 'hang_wipe', description: 'Wipes, hangs.', inputSchema: object(), annotations: { destructiveHint: true } },
  { name: 'die', description: 'Ends.', inputSchema: object() },
  { name: 'fail', description: 'Fails.', inputSchema: object(), annotations: { readOnlyHint: true } },
  { name: 'refuse', description: 'Refuses.', inputSchema: object(), annotations: { readOnlyHint: true } },
  { name: 'show', description: 'Shows.', inputSchema: object(), annotations: { readOnlyHint: true } },
  { name: 'large', description: 'Much.', inputSchema: object({ bytes: {} }), annotations: { readOnlyHint: true } },
];

function listed() {
  switch (mode) {
    case 'many':
      return Array.from({ length: 70 }, (_, at) => ({ name: `t${at}`, description: '', inputSchema: object() }));
    case 'large-schemas':
      return [{ name: 'one', description: '', inputSchema: object({ a: { description: 'x'.repeat(60_000) } }) }];
    case 'wrong-types':
      return [{ name: 7 }, { name: 'bare' }, { name: 'list', inputSchema: { type: 'array' } }, null, ...tools];
    case 'clash':
      return [
        { name: 'a.b', description: 'first', inputSchema: object() },
        { name: 'a_b', description: 'second', inputSchema: object() },
      ];
    case 'deceiving':
      return [
        {
          name: 'look',
          description: 'y'.repeat(5_000),
          inputSchema: object(),
          annotations: { readOnlyHint: 'true', destructiveHint: 1 },
        },
      ];
    default:
      return tools;
  }
}

const calls = {
  look: () => text('all is well'),
  add: ({ line = 'line' }, key) => (write(`add ${line} ${key}`), text(`added ${line}`)),
  set: (_, key) => (write(`set ${key}`), text('set')),
  wipe: (_, key) => (write(`wipe ${key}`), text('wiped')),
  // Only paths that a test names: without a sandbox nothing keeps it from them.
  lie: ({ paths = [] }) => {
    const tried = paths.map((path) => {
      try {
        writeFileSync(path, 'lie');
        return 'written';
      } catch (error) {
        return error.code;
      }
    });
    return text(tried.join(' '));
  },
  variables: () => text(Object.keys(process.env).sort().join(' ')),
  token: () => text(`token ${process.env.SERVER_TOKEN}`),
  pid: () => text(String(process.pid)),
  hang_add: (_, key) => (write(`hang_add ${key}`), undefined),
  hang_set: (_, key) => (write(`hang_set ${key}`), undefined),
  hang_wipe: (_, key) => (write(`hang_wipe ${key}`), undefined),
  hang: () => undefined,
  die: (_, key) => {
    write(`die ${key}`);
    process.stderr.write('I am dying\n');
    process.exit(3);
  },
  fail: () => ({ ...text('no such thing'), isError: true }),
  show: () => ({
    content: [
      { type: 'text', text: 'a picture' },
      { type: 'image', data: pixel, mimeType: 'image/png' },
      { type: 'image', data: pixel, mimeType: 'image/png' },
      { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'file:///x', name: 'x' },
      { type: 'resource', resource: { uri: 'file:///y', blob: 'AAAA' } },
      { type: 'hologram', beam: 1 },
      7,
    ],
  }),
  large: ({ bytes = 3_000_000 }) => text('z'.repeat(bytes)),
};

function answer({ id, method, params = {} }) {
  if (method === 'initialize') return start(id, params);
  if (method === 'tools/list') {
    if (mode === 'endless') return send({ id, result: { tools: [], nextCursor: 'more' } });
    return send({ id, result: { tools: listed() } });
  }
  if (method !== 'tools/call')
    return id === undefined ? undefined : send({ id, error: { code: -32601, message: 'no' } });
  const key = params._meta?.['heddle/key'] ?? 'no key';
  if (mode === 'flood') process.stderr.write('e'.repeat(5_000_000));
  if (mode === 'huge') return process.stdout.write(`{"jsonrpc":"2.0","id":${id},"x":"${'h'.repeat(20_000_000)}`);
  if (mode === 'progress') {
    const { progressToken } = params._meta ?? {};
    const beat = (at) =>
      send({ method: 'notifications/progress', params: { progressToken, progress: at, message: `step ${at}` } });
    for (let at = 1; at <= 2_000; at += 1) beat(at);
    let at = 2_000;
    if (params.name === 'hang') return void setInterval(() => beat((at += 1)), 5);
  }
  if (mode === 'asks') send({ id: 'q1', method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } });
  if (params.name === 'refuse') return send({ id, error: { code: -32602, message: 'that is no argument of mine' } });
  const result = calls[params.name]?.(params.arguments ?? {}, key);
  if (result === undefined) return undefined;
  send({ id, result });
  if (mode === 'twice') send({ id, result: text('something else') });
  if (mode === 'changing') for (let n = 0; n < 500; n += 1) send({ method: 'notifications/tools/list_changed' });
}

function start(id, { protocolVersion }) {
  if (mode === 'silent') return;
  if (mode === 'noisy') process.stdout.write('Server running!\n{"half": \n\u0000\u0001\n[1,2]\n');
  send({
    id,
    result: {
      protocolVersion,
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'test', version: '1' },
      ...(mode === 'wordy' ? { instructions: 'i'.repeat(33_000) } : {}),
    },
  });
}

if (mode === 'dead') {
  process.stderr.write('first line\nno database at localhost:1\n');
  process.exit(1);
}
createInterface({ input: process.stdin }).on('line', (line) => answer(JSON.parse(line)));
