// `heddle init`: which service it writes, asked on a terminal or taken from what is there.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { main } from '../../../../client/cli/main.ts';
import { buildSettings } from '../../../../workers/ports/search-models.ts';
import { testPorts } from './support.ts';

/** Runs `heddle init` on a terminal where a person types a text, and returns its output and its file. */
async function init(typed: string, args: string[] = []) {
  const cwd = mkdtempSync(join(tmpdir(), 'heddle-init-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  stdin.end(typed);
  const { ports, stdout } = testPorts(
    { cwd, stdin, trustConfig: () => Promise.resolve(), buildSettings: (name) => buildSettings({}, name) },
    { isTTY: true, columns: 80 },
  );
  const code = await main(['init', ...args], ports);
  return { code, stdout: stdout(), text: readFileSync(join(cwd, 'heddle.toml'), 'utf8') };
}

test('the service that a person names is written', async () => {
  const { code, stdout, text } = await init('openai\n');
  expect([code, stdout]).toEqual([0, expect.stringContaining('Whose models? anthropic, openai,')]);
  expect(text).toContain('\nproviders.openai = { kind = "openai", keyEnv = "OPENAI_API_KEY" }');
});

test('a name that it does not know is asked for again', async () => {
  expect((await init('nobody\ngemini\n')).text).toContain('\nproviders.gemini = ');
});

test('an empty line takes the service in brackets', async () => {
  expect((await init('\n')).text).toContain('\nproviders.anthropic = ');
});

test('the end of the input writes an example, commented out', async () => {
  expect((await init('')).text).toContain('\n#providers.anthropic = ');
});

test('nothing is asked where the service is named', async () => {
  const { stdout, text } = await init('', ['--model', 'openrouter']);
  expect(stdout).not.toContain('Whose models?');
  expect(text).toContain('\nmodels.anthropic-claude-opus-5-5 = ');
});
