import type { IconName } from './icon.tsx';

export type Tone = 'run' | 'ask' | 'done' | 'fail' | 'idle';

interface Sign {
  tone: Tone;
  icon: IconName;
  word: string;
}

const signs: Readonly<Record<string, Sign>> = {
  pending: { tone: 'idle', icon: 'idle', word: 'not started' },
  planning: { tone: 'run', icon: 'run', word: 'planning' },
  running: { tone: 'run', icon: 'run', word: 'running' },
  retrying: { tone: 'run', icon: 'soon', word: 'trying again' },
  remediating: { tone: 'run', icon: 'soon', word: 'being repaired' },
  waiting: { tone: 'ask', icon: 'ask', word: 'waits for you' },
  paused: { tone: 'ask', icon: 'pause', word: 'paused' },
  completed: { tone: 'done', icon: 'ok', word: 'done' },
  passed: { tone: 'done', icon: 'ok', word: 'passed' },
  failed: { tone: 'fail', icon: 'no', word: 'failed' },
  blocked: { tone: 'fail', icon: 'no', word: 'blocked' },
  skipped: { tone: 'idle', icon: 'skip', word: 'skipped' },
  cancelled: { tone: 'idle', icon: 'skip', word: 'cancelled' },
  cancelling: { tone: 'idle', icon: 'skip', word: 'being cancelled' },
};

/** The sign, the colour and the word of a state. A state without a row is shown by its own name. */
export const signOf = (state: string): Sign => signs[state] ?? { tone: 'idle', icon: 'idle', word: state };

interface KindSign {
  icon: IconName;
  word: string;
}

/** The sign of a question: what it is about, in words. */
export function signOfQuestion({ kind, action }: { kind: string; action?: unknown }): KindSign {
  if (kind === 'approval')
    return action === undefined
      ? { icon: 'ask', word: 'Result to accept' }
      : { icon: 'gate', word: 'Asks before it acts' };
  if (kind === 'plan') return { icon: 'plan', word: 'Plan to approve' };
  if (kind === 'budget') return { icon: 'coin', word: 'Limit reached' };
  if (kind === 'question') return { icon: 'ask', word: 'Asks you' };
  return { icon: 'ask', word: 'Waits for you' };
}
