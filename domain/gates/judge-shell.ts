import type { GateFacts, Verdict } from './gate.ts';

/** Nothing is known about it: a person decides. */
export function judgeShell(command: string, facts: GateFacts): Verdict {
  return facts.rules.deny.includes(`shell:${command}`)
    ? { kind: 'deny', why: 'A rule of the config denies it.' }
    : { kind: 'ask', danger: 'unclear', why: 'Nothing is known about this command.', signature: null };
}
