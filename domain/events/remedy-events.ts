import { formatCount, formatList } from '../text/text.ts';
import { formatDuration } from '../text/duration.ts';
import type { RemedyFacts } from '../types/events.ts';
import type { Describers } from './describers.ts';
import { withoutEnd } from './sentence.ts';

/** How owed evidence is shown. */
export const remedyEvents = {
  'remediation.queued': ({ type, subtask, item, released, dueInMs, expiresAt }) => {
    const { id, targets, attempts, blocking, reasons } = item;
    const meanwhile = released ? ' Its result is used meanwhile.' : '';
    return {
      ...{ type, subtask, item: id, targets, attempts, released, blocking, reasons, dueInMs },
      expiresAt: new Date(expiresAt).toISOString(),
      text: `${subtask} owes evidence for ${formatTargets(targets)}; it is looked for in ${formatDuration(dueInMs)}.${meanwhile}`,
    };
  },
  'remediation.done': ({ type, how, ...facts }) => {
    const done = how === 'confirmed' ? 'The evidence is found' : 'Claims without evidence are taken out';
    return { type, how, ...facts, text: `${done} in ${facts.subtask}${formatTries(facts)}.` };
  },
  'remediation.failed': ({ type, reason, ...facts }) => ({
    ...{ type, reason, ...facts },
    text: `${facts.subtask} still owes evidence for ${formatTargets(facts.targets)}${formatTries(facts)}: ${withoutEnd(reason)}.`,
  }),
  'remediation.expired': ({ type, reason, ...facts }) => ({
    ...{ type, reason, ...facts },
    text: `${facts.subtask} still owes evidence for ${formatTargets(facts.targets)}: ${withoutEnd(reason)}.`,
  }),
  'remediation.waived': ({ type, by, ...facts }) => ({
    ...{ type, by, ...facts },
    text: `${by ?? 'A person'} goes on without evidence for ${formatTargets(facts.targets)} in ${facts.subtask}.`,
  }),
  'remediation.dropped': ({ type, reason, ...facts }) => ({
    ...{ type, reason, ...facts },
    text: `Evidence for ${formatTargets(facts.targets)} in ${facts.subtask} is not looked for any more: ${withoutEnd(reason)}.`,
  }),
} satisfies Partial<Describers>;

const formatTargets = (targets: readonly string[]): string =>
  formatList(
    targets.map((target) => `"${target}"`),
    3,
  );

const formatTries = ({ attempts }: Pick<RemedyFacts, 'attempts'>): string =>
  attempts === 0 ? '' : ` after ${formatCount(attempts, 'attempt')}`;
