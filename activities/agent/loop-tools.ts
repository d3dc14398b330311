import * as z from 'zod';

import type { CompletionContract } from '../../domain/types/basic/completion-contract.ts';
import { readCompletionContract } from '../../domain/output/completion-contract.ts';
import { limits } from '../../domain/limits/domain-limits.ts';
import type { Ask } from '../../domain/types/agent.ts';
import { clip } from '../../domain/text/text.ts';

const question = z.object({ question: z.string(), options: z.array(z.string()).optional() });

/** Reads the question that `ask_user` asks a person. It is bounded, since it enters the history. */
export function readQuestion(call: string, args: unknown): Extract<Ask, { kind: 'question' }> {
  const { asked } = limits;
  const given = question.safeParse(args).data;
  return {
    kind: 'question',
    call,
    question: clip(given?.question ?? '', asked.question),
    options: (given?.options ?? []).slice(0, asked.options).map((text) => clip(text, asked.option)),
  };
}

/** Reads the report of `finish`. A cost in it is dropped: only our own count is used. */
export function readFinish(args: unknown): CompletionContract | undefined {
  const contract = readCompletionContract(args);
  if (contract === undefined) return undefined;
  const { status, notes, deliverablesTouched } = contract;
  return {
    status,
    ...(notes === undefined ? {} : { notes }),
    ...(deliverablesTouched === undefined ? {} : { deliverablesTouched }),
  };
}
