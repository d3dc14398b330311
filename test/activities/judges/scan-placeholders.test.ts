/* Claims of a judge against files: only files that were looked at as a whole can contradict one. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { scanForPlaceholders } from '../../../activities/judges/scan-placeholders.ts';
import { createTextInspector } from '../../../activities/verify/inspect/text-inspector.ts';
import { limits } from '../../../domain/limits/domain-limits.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'heddle-scan-')));
const inspector = createTextInspector();
afterAll(async () => {
  await inspector.close();
  rmSync(root, { recursive: true, force: true });
});

const contents: Record<string, string | Buffer> = {
  clean: 'all is written\n',
  open: 'first\nTODO: the rest\n',
  todos: 'A list of todos.\n',
  letter: 'Dear {{company}},\n',
  small: '// todo later\n',
  binary: Buffer.from([0, 1, 2]),
  large: 'x'.repeat(400_000),
};
for (const [name, content] of Object.entries(contents)) writeFileSync(join(root, name), content);

const { scan: caps } = limits.judge;

test.each<[what: string, files: string[], claimed: string[], given: object, expected: string]>([
  ['a clean file', ['clean'], [], {}, 'contradicted'],
  ['two clean files', ['clean', 'todos'], ['clean'], {}, 'contradicted'],
  ['a placeholder', ['clean', 'open'], [], {}, 'confirmed'],
  ['a placeholder in a file that only the judge names', ['clean'], ['open'], {}, 'confirmed'],
  ['a file that is not there', ['clean'], ['missing'], {}, 'uncovered'],
  ['a literal that only the judge names', ['clean', 'letter'], [], { literals: ['{{Company}}'] }, 'confirmed'],
  ['a marker in small letters', ['clean', 'small'], [], { literals: ['TODO'] }, 'confirmed'],
  ['another literal', ['clean', 'letter'], [], { literals: ['{{name}}'] }, 'contradicted'],
  ['a file outside', ['clean'], ['../../etc/passwd'], {}, 'uncovered'],
  ['no file at all', [], [], {}, 'uncovered'],
  ['what was printed', [], [], { output: 'all is said' }, 'contradicted'],
  ['a placeholder in what was printed', [], [], { output: 'TBD' }, 'confirmed'],
  ['a file that is no text', ['clean', 'binary'], [], {}, 'uncovered'],
  ['a file that is too large', ['clean', 'large'], [], {}, 'uncovered'],
  ['a folder that was not read to its end', ['clean'], [], { isIncomplete: true }, 'uncovered'],
  ['more files than are read', ['clean', 'todos'], [], { caps: { ...caps, files: 1 } }, 'uncovered'],
  ['more bytes than are read', ['clean', 'todos'], [], { caps: { ...caps, bytes: 20 } }, 'uncovered'],
  ['no time', ['clean'], [], { caps: { ...caps, time: -1 } }, 'uncovered'],
])('%s', async (_, files, claimed, given, expected) => {
  const { signal } = new AbortController();
  const { caps: own, literals, ...rest } = { caps, literals: ['TBD'], output: '', isIncomplete: false, ...given };
  const evidence = { root, files: files.map((path) => ({ path, real: join(root, path) })), ...rest };
  expect(await scanForPlaceholders(evidence, { literals, paths: claimed }, { caps: own, inspector, signal })).toBe(
    expected,
  );
});
