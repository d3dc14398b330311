import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ScriptReply } from '../../../activities/llm/scripted/script.ts';
import { calls, finishes } from '../../support/scripted-models.ts';

/** An npm project whose test fails. */
export function writeFailingProject(folder: string): void {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'sum', scripts: { test: 'node test.cjs' } }));
  writeFileSync(join(folder, 'sum.cjs'), 'module.exports = (a, b) => a - b;\n');
  writeFileSync(join(folder, 'test.cjs'), "if (require('./sum.cjs')(2, 2) !== 4) throw new Error('wrong sum');\n");
}

const plan = { subtasks: [{ id: 'fix', description: 'Correct sum.cjs', verify: ['npm test'] }] };

/** Plans the goal, looks at the project as every plan begins, corrects the file and reports. */
export const correctingReplies: ScriptReply[] = [
  { text: JSON.stringify(plan) },
  finishes('looked'),
  calls(['write_file', { path: 'sum.cjs', content: 'module.exports = (a, b) => a + b;\n' }]),
  finishes('corrected', ['sum.cjs']),
];
