/* An answer for good covers this much: the command that was asked about, and no other one of its program. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { GateRuling } from '../../../domain/types/basic/gate.ts';
import { assessShell } from '../../../domain/gates/assess-shell.ts';
import { assessWrite } from '../../../domain/gates/assess-write.ts';
import { isGateSignature } from '../../../domain/gates/findings/standing-signature.ts';
import { allowedForGood, askedEachTime } from './cases/allowed-for-good.ts';
import { gateFacts, noRules } from './support.ts';

const outside = (changes: Parameters<typeof gateFacts>[0] = {}): ReturnType<typeof gateFacts> =>
  gateFacts({ sandboxed: false, ...changes });

const signatureOf = (ruling: GateRuling): string | null => (ruling.kind === 'ask' ? ruling.signature : null);

/** The signatures that a person allows one after the other until the command runs. */
function allowAll(command: string): string[] {
  const allowed: string[] = [];
  for (let round = 0; round < 5; round += 1) {
    const signature = signatureOf(assessShell(command, outside({ allowed })));
    if (signature === null) return allowed;
    allowed.push(signature);
  }
  return allowed;
}

describe.each(allowedForGood)('%j allowed for good', (command, { covers = [], not = [], as }) => {
  test('is not asked about again', () => {
    const allowed = allowAll(command);
    expect(allowed).not.toEqual([]);
    expect(assessShell(command, outside({ allowed }))).toEqual({ kind: 'allow' });
    if (as !== undefined) expect(allowed).toEqual([as]);
  });

  test.each(covers)('covers %j', (other) => {
    expect(assessShell(other, outside({ allowed: allowAll(command) })).kind).toBe('allow');
  });

  test.each(not)('does not cover %j', (other) => {
    expect(assessShell(other, outside({ allowed: allowAll(command) })).kind).toBe('ask');
  });
});

test.each(askedEachTime)('%j is asked about each time', (command) => {
  expect(assessShell(command, outside())).toMatchObject({ kind: 'ask', signature: null });
});

/** Rules that are too wide to hold for good. */
test.each([
  ['gate:program:npx', 'npx eslint@9 .'],
  ['gate:program:npx', 'npx rimraf-like@1 x'],
  ['gate:program:php ./artisan', 'php artisan queue:flush'],
  ['gate:program:docker image', 'docker image rm x'],
  ['gate:program:npm run', 'npm run deploy'],
  ['gate:program:npm install', 'npm install left-pad'],
  ['gate:program:curl', 'curl https://example.com/x'],
  ['gate:program:python ./app.py', 'python app.py wipe'],
  ['gate:code:node -e', "node -e 'x()'"],
  ['gate:code:PATH', 'PATH=./bin ls'],
])('the stored rule %s does not cover %j', (stored, command) => {
  expect(assessShell(command, outside({ allowed: [stored] })).kind).toBe('ask');
});

test('an answer about a rule for writes names the file', () => {
  const rules = { ...noRules, ask: ['write:docs/**'] };
  const ruling = assessWrite({ tool: 'write_file', paths: ['docs/a.md'] }, { rules, allowed: [] });
  const allowed = [signatureOf(ruling) ?? ''];
  expect(allowed).toEqual(['gate:rule:write docs/a.md']);
  expect(assessWrite({ tool: 'edit_file', paths: ['docs/a.md'] }, { rules, allowed }).kind).toBe('allow');
  expect(assessWrite({ tool: 'write_file', paths: ['docs/b.md'] }, { rules, allowed }).kind).toBe('ask');
});

test('an answer about a rule for commands names the command', () => {
  const facts = { rules: { ...noRules, ask: ['shell:make'] } };
  const allowed = [signatureOf(assessShell('make test', gateFacts(facts))) ?? ''];
  expect(assessShell('make test', gateFacts({ ...facts, allowed })).kind).toBe('allow');
  expect(assessShell('make deploy', gateFacts({ ...facts, allowed })).kind).toBe('ask');
});

/** Words of any kind behind a program that nobody knows. */
const anyWord = fc.oneof(
  fc.stringMatching(/^[a-z@./:=-]{1,8}$/),
  fc.stringMatching(/^[ -~]{1,8}$/).map((text) => `'${text.replaceAll("'", '')}'`),
  fc.constantFrom('*.ts', "'*.ts'", '"a b"', 'a b', '--', '-x', 'é'),
);
const anyCommand = fc
  .tuple(fc.constantFrom('mytool', './run.sh', 'python app.py', 'npx cowsay'), fc.array(anyWord, { maxLength: 4 }))
  .map(([program, words]) => [program, ...words].join(' '));

test('no two different commands of an unknown program share a signature', () => {
  const seen = new Map<string, string>();
  fc.assert(
    fc.property(anyCommand, (command) => {
      const signature = signatureOf(assessShell(command, outside()));
      if (signature === null) return;
      expect(isGateSignature(signature)).toBe(true);
      const words = wordsOf(command);
      expect([signature, seen.get(signature) ?? words]).toEqual([signature, words]);
      seen.set(signature, words);
    }),
    { numRuns: 2_000 },
  );
});

/** The words as the shell hands them over: quotes are gone, and a pattern is marked. */
const wordsOf = (command: string): string =>
  JSON.stringify(
    (command.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? []).map((word) =>
      /^['"]/.test(word) || !/[*?[]/.test(word) ? word.replaceAll(/['"]/g, '') : `pattern ${word}`,
    ),
  );
