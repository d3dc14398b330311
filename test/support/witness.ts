import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { linesOf } from './rig.ts';

/** Shell that writes down what a program received; what follows it is the program. */
export const witness =
  'cat > "prompt-$HEDDLE_SUBTASK_ID-$HEDDLE_ATTEMPT.txt"; ' +
  'echo "$HEDDLE_SUBTASK_ID $HEDDLE_ATTEMPT $HEDDLE_TIER $HEDDLE_THINKING $HEDDLE_IDEMPOTENCY_KEY" >> runs.log';

/** Shell that fails in attempt n with the n-th word, and succeeds after the last one. The word is the failure's signature. */
export const failsWith = (...words: string[]): string =>
  `${witness}; set -- ${words.join(' ')}; [ $HEDDLE_ATTEMPT -gt $# ] && { echo done; exit; }; ` +
  'eval "word=\\${$HEDDLE_ATTEMPT}"; echo "the $word broke" >&2; exit 1';

export interface Run {
  subtask: string;
  attempt: number;
  tier: number;
  thinking: boolean;
  key: string;
}

/** Everything that ran, in the order of its start. */
export function runsIn(workspace: string): Run[] {
  return linesOf(join(workspace, 'runs.log')).map((line) => {
    const [subtask = '', attempt, tier, thinking, key = ''] = line.split(' ');
    return { subtask, attempt: Number(attempt), tier: Number(tier), thinking: thinking === '1', key };
  });
}

export const namesOf = (workspace: string): string[] => runsIn(workspace).map(({ subtask }) => subtask);

/** The prompt as the program received it. */
export const promptIn = (workspace: string, subtask: string, attempt = 1): string =>
  readFileSync(join(workspace, `prompt-${subtask}-${attempt}.txt`), 'utf8');

/** Waits for something that a program does to the world. What is asked of others is asked less and less often: each question costs. */
export async function until(what: () => boolean | Promise<boolean>, patience = 20_000): Promise<void> {
  const deadline = Date.now() + patience;
  for (let pause = 20; ;) {
    const answer = what();
    if (await answer) return;
    if (Date.now() > deadline) throw new Error(`waited in vain: ${what.toString()}`);
    await sleep(pause);
    if (answer instanceof Promise) pause = Math.min(2 * pause, 300);
  }
}
