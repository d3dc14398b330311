import type { GateFacts, Verdict } from './gate.ts';

export function judgeProgram(
  run: readonly string[],
  _facts: Pick<GateFacts, 'rules' | 'workspace' | 'resolve'>,
): Verdict {
  return /\brm -[rf]+/.test(run.join(' '))
    ? { kind: 'ask', danger: 'delete', why: 'It deletes a folder with all that is in it.', signature: null }
    : { kind: 'allow' };
}
