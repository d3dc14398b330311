/* The test command of a project, as its files name it. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { projectTests, runsProjectTest, testFiles } from '../../../domain/checks/project-test.ts';

const findTests = (files: Record<string, string>, names: string[] = []): string[] =>
  projectTests(new Map(Object.entries(files)), new Set(names)).map(({ command }) => command);

const scripts = (test: unknown): string => JSON.stringify({ scripts: { test } });

describe('the test command of a project', () => {
  test.each<[string, Record<string, string>, string[], string[]]>([
    ['a script of package.json', { 'package.json': scripts('vitest run') }, [], ['npm test']],
    ['pnpm by its lock file', { 'package.json': scripts('vitest') }, ['pnpm-lock.yaml'], ['pnpm test']],
    ['yarn by its lock file', { 'package.json': scripts('jest') }, ['yarn.lock'], ['yarn test']],
    ['bun by its lock file', { 'package.json': scripts('bun test') }, ['bun.lockb'], ['bun run test']],
    ["npm's placeholder", { 'package.json': scripts('echo "Error: no test specified" && exit 1') }, [], []],
    ['an empty script', { 'package.json': scripts(' ') }, [], []],
    ['a script that is no text', { 'package.json': scripts(['a']) }, [], []],
    ['scripts that are inherited', { 'package.json': '{"__proto__":{"scripts":{"test":"x"}}}' }, [], []],
    ['a package.json that is broken', { 'package.json': '{"scripts": {' }, [], []],
    ['a target test', { Makefile: 'all: build\n\ntest: all\n\tgo test\n' }, [], ['make test']],
    ['a target check', { Makefile: 'check lint:\n\ttrue\n' }, [], ['make check']],
    ['a variable that is called test', { Makefile: 'test := 1\ntest:=2\n' }, [], []],
    ['a recipe line that looks like a rule', { Makefile: 'all:\n\ttest: x\n' }, [], []],
    ['a section of pytest', { 'pyproject.toml': '[tool.pytest.ini_options]\n' }, [], ['pytest']],
    ['a dependency on pytest', { 'pyproject.toml': 'dev = ["pytest>=8"]\n' }, [], ['pytest']],
    ['a comment about pytest', { 'pyproject.toml': '# pytest some day\n[project]\n' }, [], []],
    ['a crate', { 'Cargo.toml': '[package]\nname = "x"\n' }, [], ['cargo test']],
    ['a Go module', { 'go.mod': 'module example.com/x\n' }, [], ['go test ./...']],
    [
      'several files, in their order',
      { 'go.mod': 'module x\n', Makefile: 'test:\n', 'package.json': scripts('x') },
      [],
      ['npm test', 'make test', 'go test ./...'],
    ],
  ])('is found for %s', (_, files, names, expected) => {
    expect(findTests(files, names)).toEqual(expected);
  });

  test('is searched in any text without an error', () => {
    fc.assert(
      fc.property(fc.constantFrom(...testFiles), fc.string({ unit: 'binary' }), (file, text) => {
        expect(findTests({ [file]: text }).length).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('a command that runs the test command of the project', () => {
  const npm = { command: 'npm test', file: 'package.json' };
  const make = { command: 'make test', file: 'Makefile' };
  const pytest = { command: 'pytest', file: 'pyproject.toml' };

  test.each([
    [npm, 'npm test'],
    [npm, 'npm test -- --run'],
    [npm, 'npm run test'],
    [npm, 'npm run-script test'],
    [npm, 'npm t'],
    [npm, 'npm --silent test'],
    [npm, 'yarn test'],
    [npm, 'pnpm run test'],
    [npm, 'CI=1 npm test'],
    [npm, 'cd . && npm test'],
    [npm, 'test -f a.md; npm run test | tail -1'],
    [npm, '(npm test)'],
    [make, 'make -s test'],
    [make, 'make test CI=1'],
    [pytest, 'pytest -q tests'],
    [pytest, 'python -m pytest'],
    [pytest, 'python3 -m pytest tests'],
    [{ command: 'go test ./...', file: 'go.mod' }, 'go test ./pkg'],
    [{ command: 'cargo test', file: 'Cargo.toml' }, 'cargo --quiet test'],
  ])('%j by %s', (project, command) => {
    expect(runsProjectTest(command, project)).toBe(true);
  });

  test.each([
    [npm, 'test -f package.json'],
    [npm, 'grep -q "npm test" README.md'],
    [npm, 'npm run lint'],
    [make, 'make lint'],
    [make, 'test -e make'],
    [pytest, 'grep -q pytest pyproject.toml'],
  ])('is not %j by %s', (project, command) => {
    expect(runsProjectTest(command, project)).toBe(false);
  });
});
