/* Tables of what is asked about, what is denied, and what only looks like it. */
import { describe, expect, test } from 'vitest';
import type { GateRuling } from '../../../domain/types/basic/gate.ts';
import { assessGit } from '../../../domain/gates/assess-git.ts';
import { assessShell } from '../../../domain/gates/assess-shell.ts';
import { calculatedCases, calculatedFiles } from './cases/calculated.ts';
import { confinedCases } from './cases/confined.ts';
import { dangerCases } from './cases/dangers.ts';
import { everydayCases } from './cases/everyday.ts';
import { gitCases } from './cases/git.ts';
import { dangerousCommands, harmlessCommands } from './cases/lists.ts';
import { noSandboxCases } from './cases/no-sandbox.ts';
import { optionCases, unknownOptionCases } from './cases/options.ts';
import { ownCommandCases } from './cases/own-commands.ts';
import { pathCases } from './cases/paths.ts';
import { programCases } from './cases/programs.ts';
import { quotingCases } from './cases/quoting.ts';
import { readingScopes, secretCases } from './cases/secrets.ts';
import { shellCases } from './cases/shell.ts';
import { sqlCases } from './cases/sql.ts';
import { walledCases, walledInTemporary } from './cases/walled.ts';
import { slashCases } from './cases/words-with-slashes.ts';
import { wrapperCases } from './cases/wrappers.ts';
import { gateFacts, nameOf, type GateCase } from './support.ts';

const themes: Readonly<Record<string, readonly GateCase[]>> = {
  shell: shellCases,
  calculated: calculatedCases,
  quoting: quotingCases,
  wrappers: wrapperCases,
  git: gitCases,
  options: optionCases,
  sql: sqlCases,
  secrets: secretCases,
  paths: pathCases,
  programs: programCases,
  everyday: everydayCases,
  dangers: dangerCases,
  'own commands': ownCommandCases,
  'words with slashes': slashCases,
  'what a sandbox confines': confinedCases,
};

const expected = ([, kind, danger]: GateCase): string => (danger === undefined ? kind : `${kind} ${danger}`);

/** One plain sentence that says something. */
function expectSentence(verdict: GateRuling): void {
  if (verdict.kind === 'allow') return;
  expect(verdict.why).toMatch(/^[\p{Lu}`][^\n]{10,220}\.$/u);
  expect(verdict.why).not.toMatch(/ {2}|undefined|\p{Cc}/u);
}

describe.each(Object.entries(themes))('%s', (_, cases) => {
  test.each(cases.map((one) => [one[0], one] as const))('%j', (text, one) => {
    const verdict = assessShell(text, gateFacts());
    expect(nameOf(verdict)).toBe(expected(one));
    expectSentence(verdict);
  });
});

test.each([...noSandboxCases, ...unknownOptionCases, ...calculatedFiles].map((one) => [one[0], one] as const))(
  'without a sandbox: %j',
  (text, one) => {
    const verdict = assessShell(text, gateFacts({ sandboxed: false }));
    expect(nameOf(verdict)).toBe(expected(one));
    expectSentence(verdict);
  },
);

test.each([
  ...walledCases.map((one) => ['/ws', one[0], one] as const),
  ...walledInTemporary.map((one) => ['/tmp/mine/ws', one[0], one] as const),
])('with walls around %s: %j', (workspace, text, one) => {
  const verdict = assessShell(text, gateFacts({ workspace, walled: true }));
  expect(nameOf(verdict)).toBe(expected(one));
  expectSentence(verdict);
});

test.each(readingScopes)('an answer for good about %j covers %j', (text, signature) => {
  expect(assessShell(text, gateFacts({ sandboxed: false }))).toMatchObject({ kind: 'ask', signature });
});

test('the sandbox lifts nothing that is dangerous by itself', () => {
  for (const [text, kind] of Object.values(themes).flat()) {
    if (kind !== 'allow') expect([text, assessShell(text, gateFacts({ sandboxed: false })).kind]).toEqual([text, kind]);
  }
});

/** Words without marks of the shell in them mean the same to the git tool. */
const gitCalls = gitCases.filter(([text]) => /^git [^'"$&|<>;]+$/.test(text));

test.each(gitCalls.map((one) => [one[0], one] as const))('as a call of the git tool: %j', (text, one) => {
  const verdict = assessGit(text.split(' ').slice(1), gateFacts());
  expect(nameOf(verdict)).toBe(expected(one));
  expectSentence(verdict);
});

test('the tables are large, and half of them is harmless', () => {
  const all = [...Object.values(themes).flat(), ...noSandboxCases, ...unknownOptionCases];
  const harmless = all.filter(([, kind]) => kind === 'allow').length + harmlessCommands.length;
  expect(all.length).toBeGreaterThan(1_400);
  expect(dangerousCommands.length).toBeGreaterThan(800);
  expect(harmlessCommands.length).toBeGreaterThan(700);
  expect(harmless).toBeGreaterThan((all.length + harmlessCommands.length) / 2);
});

/** Commands of a list of daily work that are asked about with a sandbox. Where a change lowers it, so is this number. */
const askedAtMost = 13;

test('few harmless commands are asked about, and none is denied', () => {
  const rulings = harmlessCommands.map((text) => assessShell(text, gateFacts()).kind);
  expect(rulings.filter((kind) => kind === 'deny')).toEqual([]);
  expect(rulings.filter((kind) => kind === 'ask').length).toBeLessThanOrEqual(askedAtMost);
});

/** Forms whose commands are read as they stand there. */
const forms: Readonly<Record<string, (text: string) => string>> = {
  'from a here-document': (text) => `bash <<'E'\n${text}\nE`,
  'from a here-string': (text) => `bash <<< '${text.replaceAll("'", String.raw`'\''`)}'`,
  'through a pipe': (text) => `cat <<'E' | sh\n${text}\nE`,
  'in each of several folders': (text) => `for d in packages/*; do (cd $d && ${text}); done`,
  'in a virtual environment': (text) => `source .venv/bin/activate && ${text}`,
  'behind a change of listed files': (text) => `git ls-files | xargs sed -i 's/a/b/'; ${text}`,
};

test.each(Object.entries(forms))('no dangerous command runs unasked %s', (_, form) => {
  // From a folder below, the folder above is in the workspace.
  const commands = dangerousCommands.filter((text) => !/\.\.$/.test(text));
  const unasked = commands.filter((text) => assessShell(form(text), gateFacts()).kind === 'allow');
  expect(unasked).toEqual([]);
});

test.each(dangerousCommands)('never runs unasked: %j', (text) => {
  expect(assessShell(text, gateFacts()).kind).not.toBe('allow');
  expect(assessShell(text, gateFacts({ sandboxed: false })).kind).not.toBe('allow');
});
