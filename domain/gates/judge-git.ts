import type { GateFacts, Verdict } from './gate.ts';

/** Nothing is known about it: a person decides. */
export function judgeGit(args: readonly string[], facts: GateFacts): Verdict {
  return facts.rules.deny.includes(`git:${args.join(' ')}`)
    ? { kind: 'deny', why: 'A rule of the config denies it.' }
    : { kind: 'ask', danger: 'unclear', why: 'Nothing is known about this call.', signature: null };
}
