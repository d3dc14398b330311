// [providers] and [models]: what is filled in, what one file changes of another, and what is refused in which words.
import { describe, expect, test } from 'vitest';
import { flagLayer } from '../../../domain/config/flags.ts';
import { fileLayer } from '../../../domain/config/layer.ts';
import { resolveConfig } from '../../../domain/config/layers.ts';
import { modelRoles } from '../../../domain/llm/model-schema.ts';
import { modelsOf, problemsOf } from './support.ts';

const anthropic = { name: 'anthropic', kind: 'anthropic', keyEnv: 'ANTHROPIC_API_KEY' };

describe('a model', () => {
  test('has the values of the file', () => {
    const [small] = modelsOf(`
[providers.work]
kind = "openai-compatible"
keyEnv = "WORK_KEY"
baseUrl = "http://127.0.0.1:8080/v1/"
[models.small]
provider = "work"
id = "qwen/qwen3:8b"
tier = 2
roles = ["verifier", "executor", "verifier"]
context = 100000
output = 9000
thinking = "effort"
stream = false
price = { in = 1.0, out = 5.0, cached = 0.1 }
`);
    expect(small).toEqual({
      name: 'small',
      id: 'qwen/qwen3:8b',
      provider: { name: 'work', kind: 'openai-compatible', keyEnv: 'WORK_KEY', baseUrl: 'http://127.0.0.1:8080/v1' },
      tier: 2,
      roles: ['executor', 'verifier'],
      context: 100_000,
      output: 9_000,
      thinking: 'effort',
      stream: false,
      price: { in: 1, out: 5, cached: 0.1 },
    });
  });

  test('needs only a built-in provider and its id', () => {
    expect(modelsOf('[models.m]\nprovider = "anthropic"\nid = "x"\n')).toEqual([
      {
        name: 'm',
        id: 'x',
        provider: anthropic,
        tier: 1,
        roles: [...modelRoles],
        context: 200_000,
        output: 8_000,
        thinking: 'off',
        stream: true,
        images: true,
      },
    ]);
  });

  test.each([
    ['anthropic', 'baseUrl = "http://[::1]:1"', '', true],
    ['openai', 'baseUrl = "http://[::1]:1"', '', true],
    ['openai', 'baseUrl = "http://[::1]:1"', 'images = false', undefined],
    ['openai-compatible', 'baseUrl = "http://[::1]:1"', '', undefined],
    ['openai-compatible', 'baseUrl = "http://[::1]:1"', 'images = true', true],
    ['ollama', 'baseUrl = "http://[::1]:1"', '', undefined],
    ['scripted', 'script = "/s.yaml"', '', undefined],
    ['scripted', 'script = "/s.yaml"', 'images = true', true],
  ])('of %s sees as its kind does, or as configured', (kind, place, configured, images) => {
    const [found] = modelsOf(
      `[providers.p]\nkind = "${kind}"\n${place}\n[models.m]\nprovider = "p"\nid = "x"\n${configured}\n`,
    );
    expect(found?.images).toBe(images);
  });

  const windows: [what: string, keys: string, window: [context: number, output: number]][] = [
    ['of a server at home is smaller', '', [32_768, 8_000]],
    ['leaves room for the request where it is small', 'context = 4096\n', [4_096, 1_024]],
    ['is the one that is said', 'context = 4096\noutput = 4000\n', [4_096, 4_000]],
  ];
  test.each(windows)('has a window that %s', (_, keys, window) => {
    const [found] = modelsOf(
      `[providers.o]\nkind = "ollama"\nbaseUrl = "http://[::1]:1"\n[models.m]\nprovider = "o"\nid = "x"\n${keys}`,
    );
    expect([found?.context, found?.output]).toEqual(window);
  });

  test('of a script needs no id', () => {
    const [found] = modelsOf('[providers.s]\nkind = "scripted"\nscript = "/s.yaml"\n[models.m]\nprovider = "s"\n');
    expect(found).toMatchObject({ id: 'm', provider: { script: '/s.yaml' } });
  });

  test('keeps the order of the files, so that among equal ones the first is used', () => {
    const of = (name: string) => `[models.${name}]\nprovider = "anthropic"\nid = "${name}"\n`;
    expect(modelsOf(of('z') + of('m'), of('a') + of('z')).map(({ name }) => name)).toEqual(['z', 'm', 'a']);
  });
});

describe('a provider', () => {
  const keys: [what: string, toml: string, keyEnv: string | undefined][] = [
    ['has the usual variable of its kind', 'kind = "openai"', 'OPENAI_API_KEY'],
    ['has the variable that is named', 'kind = "openai"\nkeyEnv = "MINE"', 'MINE'],
    ['has none at another address, unless it is named', 'kind = "openai"\nbaseUrl = "http://127.0.0.1:1"', undefined],
    ['has none at home', 'kind = "ollama"\nbaseUrl = "http://127.0.0.1:1"', undefined],
  ];
  test.each(keys)('is completed: %s', (_, toml, keyEnv) => {
    const [found] = modelsOf(`[providers.p]\n${toml}\n[models.m]\nprovider = "p"\nid = "x"\n`);
    expect(found?.provider.keyEnv).toBe(keyEnv);
  });

  test('has its script beside the file that names it, or where the flag was typed', () => {
    const file = fileLayer(
      {
        name: '/home/me/heddle.toml',
        text: '[providers.s]\nkind = "scripted"\nscript = "s.yaml"\n[models.m]\nprovider = "s"\n',
      },
      (path) => `/home/me/${path}`,
    );
    const scriptOf = (flags: string[]) =>
      resolveConfig({ below: [file], above: [flagLayer(flags, (path) => `/cwd/${path}`)] }).models[0]?.provider.script;
    expect([scriptOf([]), scriptOf(['providers.s.script=t.yaml'])]).toEqual(['/home/me/s.yaml', '/cwd/t.yaml']);
  });
});

describe('a stronger file', () => {
  const base =
    '[providers.p]\nkind = "openai"\nkeyEnv = "K"\n[models.m]\nprovider = "p"\nid = "x"\nprice = { in = 1, out = 2 }\n';

  test('changes single keys of a model, and of its price', () => {
    expect(modelsOf(base, 'models.m.tier = 3\nmodels.m.price.out = 9\n')).toMatchObject([
      { id: 'x', tier: 3, price: { in: 1, out: 9 } },
    ]);
  });

  test('changes single keys of a provider, or replaces it by one with its kind', () => {
    const providerOf = (stronger: string) => modelsOf(base, stronger)[0]?.provider;
    expect(providerOf('providers.p.keyEnv = "L"\n')).toEqual({ name: 'p', kind: 'openai', keyEnv: 'L' });
    expect(providerOf('[providers.p]\nkind = "openai"\nbaseUrl = "http://h:1"\n')).toEqual({
      name: 'p',
      kind: 'openai',
      baseUrl: 'http://h:1',
    });
  });

  test('can be a flag too', () => {
    const file = fileLayer({ name: 'heddle.toml', text: base });
    const { models } = resolveConfig({ below: [file], above: [flagLayer(['models.m.id=y'])] });
    expect(models).toMatchObject([{ id: 'y' }]);
  });
});

describe('a conflict between layers', () => {
  const provider = '[providers.p]\nkind = "openai"\n';
  const cases: [what: string, toml: string, code: string, where: string, message: string, hint: string][] = [
    [
      'a provider that is not there',
      '[models.m]\nprovider = "antropic"\nid = "x"\n',
      'CONFIG_UNKNOWN_PROVIDER',
      'file-0.toml:2',
      'There is no provider `antropic` in the config; did you mean `anthropic`?',
      'Write `anthropic`, or add a table `[providers.NAME]` to heddle.toml.',
    ],
    [
      'a provider that looks like none',
      '[models.m]\nprovider = "zzz"\nid = "x"\n',
      'CONFIG_UNKNOWN_PROVIDER',
      'file-0.toml:2',
      'There is no provider `zzz` in the config.',
      'Use one of: anthropic, openai; or add a table `[providers.NAME]` to heddle.toml.',
    ],
    [
      'a provider without its kind',
      '[providers.p]\nkeyEnv = "K"\n[models.m]\nprovider = "p"\n',
      'CONFIG_MODEL_UNFINISHED',
      'file-0.toml:1',
      '`kind` of the provider `p` is missing.',
      'Add `kind`: `anthropic`, `openai`, `openai-compatible`, `ollama`, `scripted` or `cli`.',
    ],
    [
      'a server without its address',
      '[providers.p]\nkind = "ollama"\n',
      'CONFIG_MODEL_UNFINISHED',
      'file-0.toml:1',
      '`baseUrl` of the provider `p` is missing; `ollama` needs it.',
      'Add it, such as `baseUrl = "http://127.0.0.1:11434"`.',
    ],
    [
      'a scripted one without its script',
      '[providers.p]\nkind = "scripted"\n',
      'CONFIG_MODEL_UNFINISHED',
      'file-0.toml:1',
      '`script` of the provider `p` is missing; `scripted` needs it.',
      'Add it, such as `script = "script.yaml"`.',
    ],
    [
      'a script of another kind',
      `${provider}script = "s.yaml"\n`,
      'CONFIG_MODEL_UNFINISHED',
      'file-0.toml:3',
      '`script` of the provider `p` is only for the kind `scripted`.',
      'Remove it, or use `kind = "scripted"`.',
    ],
    [
      'a model without its provider',
      '[models.m]\nid = "x"\n',
      'CONFIG_MODEL_UNFINISHED',
      'file-0.toml:1',
      '`provider` of the model `m` is missing.',
      'Add `provider`, the name of a `[providers.NAME]`.',
    ],
    [
      'a model without its id',
      `${provider}[models.m]\nprovider = "p"\n`,
      'CONFIG_MODEL_UNFINISHED',
      'file-0.toml:3',
      '`id` of the model `m` is missing.',
      "Add `id`, the provider's own name of the model.",
    ],
    [
      'a half price',
      `${provider}[models.m]\nprovider = "p"\nid = "x"\nprice = { in = 1 }\n`,
      'CONFIG_MODEL_UNFINISHED',
      'file-0.toml:3',
      '`price.out` of the model `m` is missing.',
      'Add it (USD per million tokens), or remove `price`.',
    ],
    [
      'more output than its window has room for',
      `${provider}[models.m]\nprovider = "p"\nid = "x"\ncontext = 4000\noutput = 8000\n`,
      'CONFIG_WRONG_TYPE',
      'file-0.toml:7',
      '`output` of the model `m` is 8000, which does not fit into its `context` of 4000.',
      'Lower `output`, or set `context` to the size of the window that the model has.',
    ],
  ];
  test.each(cases)('is refused where it was written: %s', (_, toml, code, where, message, hint) => {
    expect(problemsOf(toml)).toEqual([{ code, where, message, hint }]);
  });
});

describe('a value of the wrong type', () => {
  const cases: [what: string, toml: string, code: string, message: string | RegExp][] = [
    [
      'an unknown key of a provider',
      '[providers.p]\nbaseurl = "http://h"',
      'CONFIG_UNKNOWN_KEY',
      '`baseurl` is not a key of a provider; did you mean `baseUrl`?',
    ],
    ['an unknown key of a model', '[models.m]\nmodle = "x"\nteir = 1', 'CONFIG_UNKNOWN_KEY', /not a key of a model/],
    [
      'an unknown key of a price',
      '[models.m]\nprice = { inn = 1 }',
      'CONFIG_UNKNOWN_KEY',
      '`inn` is not a key of `price`; did you mean `in`?',
    ],
    [
      'an unknown kind',
      '[providers.p]\nkind = "mistral"',
      'CONFIG_WRONG_TYPE',
      /`anthropic`, `openai`, .* `scripted` or `cli`; found the string "mistral"/,
    ],
    [
      'an unknown role',
      '[models.m]\nroles = ["writer"]',
      'CONFIG_WRONG_TYPE',
      /`planner`, `executor`, `verifier`, `extractor` or `compactor`/,
    ],
    ['no role at all', '[models.m]\nroles = []', 'CONFIG_WRONG_TYPE', /a list of roles/],
    ['a tier that is none', '[models.m]\ntier = 4', 'CONFIG_WRONG_TYPE', /1, 2 or 3/],
    ['a price below nothing', '[models.m]\nprice = { in = -1 }', 'CONFIG_WRONG_TYPE', /a number from 0 to/],
    ['a name of digits alone, which has no order', '[models.3]\nid = "x"', 'CONFIG_WRONG_TYPE', /not of digits alone/],
    [
      'an address that is none',
      '[providers.p]\nbaseUrl = "localhost:11434"',
      'CONFIG_WRONG_TYPE',
      /`baseUrl` should be an http or https address/,
    ],
  ];
  test.each(cases)('is refused in its layer with the nearest key: %s', (_, toml, code, message) => {
    const [first] = problemsOf(toml);
    expect(first?.code).toBe(code);
    expect(first?.message).toMatch(message);
  });

  test.each([
    'keyEnv = "sk-secret-123"',
    'baseUrl = "https://me:sk-secret-123@h/v1"',
    'baseUrl = "https://h/v1?key=sk-secret-123"',
  ])('is refused without showing it where it looks like a key: %s', (line) => {
    const problems = problemsOf(`[providers.p]\nkind = "openai"\n${line}\n`);
    expect(problems).toMatchObject([
      { code: 'CONFIG_WRONG_TYPE', where: expect.stringContaining('file-0.toml:3') as string },
    ]);
    expect(JSON.stringify(problems)).not.toContain('sk-secret');
  });
});
