/* Scripts: which entry answers whom, across restarts; what they can play; what is wrong with a bad one. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import type { ModelReply, ModelRequest } from '../../../../activities/llm/ports/model.ts';
import { loadScript, parseScript } from '../../../../activities/llm/scripted/script.ts';
import { startScriptedServer } from '../../../../activities/llm/scripted/scripted-server.ts';
import { FileStore } from '../../../../activities/store/file-store.ts';
import type { Model } from '../../../../domain/types/llm.ts';
import { temporaryFolder } from '../../execute/program/support.ts';
import { call, errorOf, memoryClaims, modelAt, models, requestTo, secretPrompt } from './support.ts';

const scripted = (script: string, given: Partial<Model> = {}): Model => ({
  ...modelAt('scripted', '', given),
  provider: { name: 'played', kind: 'scripted', script },
});

async function writeScript(text: string): Promise<string> {
  const path = join(await temporaryFolder(), 'script.yaml');
  await writeFile(path, text);
  return path;
}

const textIn = ({ parts }: ModelReply): string =>
  parts.map((part) => (part.type === 'call' ? `${part.tool} ${part.input}` : part.text)).join('|');

/** A worker with its own process state; the claims are what outlives it. */
function worker(script: string, store: ReturnType<typeof memoryClaims> = memoryClaims()) {
  const port = models({ store });
  return (asker: Partial<ModelRequest['asker']> = {}, given: Partial<ModelRequest> = {}) => {
    const request = requestTo(scripted(script, { stream: (asker.turn ?? 1) % 2 === 1 }), given);
    return port.call({ ...request, asker: { ...request.asker, ...asker } });
  };
}

describe('which entry answers', () => {
  test('the first that fits and is not used up, by role, subtask, attempt, turn and text', async () => {
    const script = await writeScript(`
- { when: { role: planner }, reply: { text: plan } }
- { when: { subtask: other }, times: 9, reply: { text: other } }
- { when: { attempt: 2, turn: 1 }, reply: { text: second } }
- { when: { contains: "apples and a pear" }, times: 2, reply: { text: fruit } }
- { reply: { text: rest }, times: 2 }
`);
    const ask = worker(script);
    expect(textIn(await ask())).toBe('fruit');
    expect(textIn(await ask({ attempt: 2 }))).toBe('second');
    expect(textIn(await ask({ subtask: 'other' }))).toBe('other');
    expect(textIn(await ask({ role: 'planner' }))).toBe('plan');
    expect(textIn(await ask({ turn: 2 }))).toBe('fruit');
    expect(textIn(await ask({ turn: 3 }))).toBe('rest');
    expect(textIn(await ask({ turn: 4 }, { messages: [{ from: 'user', text: 'Hello.' }] }))).toBe('rest');
    const error = await errorOf(ask({ turn: 5 }));
    expect(error).toMatchObject({
      failure: { code: 'SCRIPT_EXHAUSTED', type: 'context-missing', category: 'never-retry' },
    });
    expect(error.failure.summary).toBe(
      'The script script.yaml has no entry left for executor, subtask draft, attempt 1, turn 5.',
    );
  });

  test('`times` counts for each task', async () => {
    const ask = worker(await writeScript('- { reply: { text: once } }'));
    expect(textIn(await ask({ task: 'a' }))).toBe('once');
    expect(textIn(await ask({ task: 'b' }))).toBe('once');
    expect((await errorOf(ask({ task: 'a', turn: 2 }))).failure.code).toBe('SCRIPT_EXHAUSTED');
  });

  test('a call that a crash repeats gets the same entry from the next worker, and uses up nothing', async () => {
    const script = await writeScript('- { reply: { text: one } }\n- { reply: { text: two } }');
    const root = join(await temporaryFolder(), 'store');
    const start = () => {
      const port = models({ store: new FileStore(root) });
      return (turn: number) => {
        const request = requestTo(scripted(script));
        return port.call({ ...request, asker: { ...request.asker, turn } });
      };
    };
    expect(textIn(await start()(1))).toBe('one');
    expect(textIn(await start()(1))).toBe('one');
    expect(textIn(await start()(2))).toBe('two');
    expect(textIn(await start()(1))).toBe('one');
    expect((await errorOf(start()(3))).failure.code).toBe('SCRIPT_EXHAUSTED');
  });

  test('a call that was told an error asks again for the next entry, in another worker too', async () => {
    const store = memoryClaims();
    const script = await writeScript(`
- { when: { turn: 1 }, reply: { status: 429, retryAfter: 3 } }
- { when: { turn: 1 }, reply: { cut: 2, text: a long text that is cut somewhere } }
- { when: { turn: 1 }, reply: { text: at last } }
`);
    expect(await errorOf(worker(script, store)())).toMatchObject({
      retryAfter: 3_000,
      failure: { type: 'rate-limited' },
    });
    expect(await errorOf(worker(script, store)())).toMatchObject({ failure: { type: 'overloaded' } });
    expect(textIn(await worker(script, store)())).toBe('at last');
    expect(textIn(await worker(script, store)())).toBe('at last');
  });

  test('of many that ask at once each gets a use of its own', async () => {
    const ask = worker(await writeScript('- { times: 8, reply: { text: shared } }'));
    const ends = await Promise.allSettled(Array.from({ length: 10 }, (_, index) => ask({ subtask: `s${index}` })));
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(8);
  });

  test('an aborted call is not told an error: it gets the same entry again', async () => {
    const ask = worker(await writeScript('- { reply: { delay: 150ms, text: slow } }'));
    const controller = new AbortController();
    const calling = ask({}, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error('enough')), 30);
    await expect(calling).rejects.toThrow('enough');
    expect(textIn(await ask())).toBe('slow');
  });
});

describe('what an entry can play', () => {
  test('text, calls, usage', async () => {
    const ask = worker(
      await writeScript(`
- reply:
    text: "Let me look, and then say something longer than one piece."
    calls: [{ tool: read_file, input: { path: a.md } }, { tool: finish, input: '{"status": "succ' }, { tool: list_folder }]
    usage: { input: 120, output: 30, cached: 20, reasoning: 5 }
`),
    );
    const reply = await ask();
    expect(textIn(reply)).toBe(
      'Let me look, and then say something longer than one piece.|read_file {"path":"a.md"}|finish {"status": "succ|list_folder {}',
    );
    expect(reply).toMatchObject({ finish: 'calls', usage: { input: 120, output: 30, cached: 20, reasoning: 5 } });
    expect(new Set(reply.parts.map((part) => (part.type === 'call' ? part.id : part.type))).size).toBe(4);
  });

  test.each([
    { reply: '{ status: 401 }', type: 'auth' },
    { reply: '{ status: 529 }', type: 'overloaded' },
    { reply: '{ status: 400, text: "prompt is too long: 3 > 2" }', type: 'context-overflow' },
    { reply: '{ cut: 0 }', type: 'overloaded' },
    { reply: '{ raw: "nonsense" }', type: 'overloaded' },
    { reply: '{ status: 402, raw: { error: { code: insufficient_quota } } }', type: 'subscription' },
  ])('$reply is $type, streamed and not', async ({ reply, type }) => {
    const ask = worker(await writeScript(`- { times: 2, reply: ${reply} }`));
    expect((await errorOf(ask({ turn: 1 }))).failure.type).toBe(type);
    expect((await errorOf(ask({ turn: 2 }))).failure.type).toBe(type);
  });

  test('the same script speaks all four wires, streamed and not', async () => {
    const [entry] = parseScript(
      '- { reply: { text: "Grüße an alle, die das lesen.", calls: [{ tool: read_file, input: { path: a } }], usage: { input: 50, output: 9, cached: 4 } } }',
      's',
    );
    const asked: string[] = [];
    const server = await startScriptedServer(({ text }) => {
      asked.push(text);
      return Promise.resolve(entry!.reply);
    });
    for (const kind of ['anthropic', 'openai', 'openai-compatible', 'ollama'] as const) {
      for (const stream of [true, false]) {
        const reply = await call(modelAt(kind, server.url, { stream }));
        expect(textIn(reply), `${kind} ${stream}`).toBe('Grüße an alle, die das lesen.|read_file {"path":"a"}');
        expect(reply.usage, `${kind} ${stream}`).toMatchObject({
          input: 50,
          output: 9,
          cached: kind === 'ollama' ? 0 : 4,
        });
        expect(asked.at(-1)).toContain(secretPrompt);
        expect(asked.at(-1)).not.toContain('Reads a file.');
      }
    }
    await server.close();
  });
});

describe('a bad script', () => {
  test.each([
    { what: 'not YAML', text: '- { when: [', where: ':1:12', message: /not valid YAML/ },
    { what: 'no list', text: 'when: {}', where: ':1:1', message: /^The script should be a list of entries/ },
    { what: 'empty', text: '[]', where: ':1:1', message: /at least one entry/ },
    {
      what: 'an unknown key',
      text: '- reply: { text: a }\n- when: { subtsk: a }\n  reply: {}',
      where: ':2:9',
      message: /^`subtsk` is not a key of `when` of entry 2\.$/,
      hint: /`subtask`/,
    },
    {
      what: 'a wrong status',
      text: '- reply: { status: 99 }',
      where: ':1:20',
      message: /^`reply\.status` of entry 1 should be a whole number from 200 to 599/,
    },
    {
      what: 'a wrong delay',
      text: '- reply: { delay: soon }',
      where: ':1:19',
      message: /`reply\.delay` of entry 1 should be a number of milliseconds/,
    },
    {
      what: 'a wrong role',
      text: '- when: { role: boss }\n  reply: {}',
      where: ':1:17',
      message: /`planner`, `executor`/,
    },
    { what: 'no reply', text: '- when: {}', where: ':1:3', message: /`reply` of entry 1 should be/ },
    {
      what: 'a turn of zero',
      text: '- when: { turn: 0 }\n  reply: {}',
      where: ':1:17',
      message: /whole number, 1 or more/,
    },
    {
      what: 'a bomb',
      text: `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c]`,
      where: '',
      message: /aliases/,
    },
  ])('$what: SCRIPT_INVALID with its place and the next step', async ({ text, where, message, hint = /./ }) => {
    const path = await writeScript(text);
    const problem = {
      code: 'SCRIPT_INVALID',
      where: `${path}${where}`,
      message: expect.stringMatching(message) as string,
      hint: expect.stringMatching(hint) as string,
    };
    await expect(loadScript(path)).rejects.toMatchObject(problem);
    const error = await errorOf(models().call(requestTo(scripted(path))));
    expect(error).toMatchObject({ failure: { code: 'SCRIPT_INVALID', category: 'never-retry' } });
    expect(error.failure.details).toContain('script.yaml');
  });

  test('one that is missing, a folder, not UTF-8, or not named', async () => {
    const folder = await temporaryFolder();
    await expect(loadScript(join(folder, 'none.yaml'))).rejects.toMatchObject({
      code: 'SCRIPT_INVALID',
      message: 'The script does not exist.',
    });
    await expect(loadScript(folder)).rejects.toMatchObject({
      code: 'SCRIPT_INVALID',
      message: 'The script is a folder.',
    });
    const latin = join(folder, 'latin.yaml');
    await writeFile(latin, Buffer.from([0x2d, 0x20, 0xe9]));
    await expect(loadScript(latin)).rejects.toMatchObject({ code: 'SCRIPT_INVALID', where: `${latin}:1:3` });
    const unnamed = { ...scripted(''), provider: { name: 'played', kind: 'scripted' as const } };
    expect((await errorOf(models().call(requestTo(unnamed)))).failure.code).toBe('SCRIPT_INVALID');
  });
});
