// Programs write records into a file. What counts is what a program of ours finds in the sources.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pagesOf } from './support.ts';
import { shellPlan, useRig } from '../../support/rig.ts';

const rig = useRig();

const line = (record: Record<string, string>): string =>
  `printf '%s\\n' '${JSON.stringify(record)}' >> "$HEDDLE_EVIDENCE_FILE"`;

test('a program records claims, and what it wrote itself confirms none of them', async () => {
  const workspace = rig.workspace();
  writeFileSync(join(workspace, 'data.txt'), 'one\ntwo   three\nfour\n');
  const plan = shellPlan(
    {
      gather: {
        sh: [
          'echo "made by me" > own.txt',
          line({ text: 'across lines', source: 'data.txt', quote: 'one two three four' }),
          line({ text: 'own work', source: 'own.txt', quote: 'made by me' }),
          line({ text: 'no quote', source: 'data.txt' }),
          line({ text: 'invented', source: 'data.txt', quote: 'five six' }),
          line({ text: 'looked for', source: 'none' }),
          'echo "no json" >> "$HEDDLE_EVIDENCE_FILE"',
          'echo done',
        ].join('\n'),
      },
    },
    { workspace },
  );
  const task = await rig.start(plan);
  await task.result();
  const pages = await pagesOf(rig, task);
  expect(pages[0]?.records.map(({ claim, quality, quoteFound }) => [claim, quality, quoteFound])).toEqual([
    ['across lines', 'confirmed', undefined],
    ['own work', 'claimed', undefined],
    ['no quote', 'claimed', undefined],
    ['invented', 'claimed', false],
    ['looked for', 'not-found', undefined],
  ]);
  const [attempt] = await task.attempts();
  expect(attempt?.verdict).toBe('unchecked');
});
