import { realpath } from 'node:fs/promises';

import { readTargets } from '../../domain/evidence/read-targets.ts';
import type { PromptEvidence } from '../../domain/prompts/evidence-blocks.ts';
import type { InputRef } from '../../domain/types/attempt.ts';
import type { EvidenceRecord, InheritedPage, TargetRules } from '../../domain/types/basic/evidence.ts';
import type { Ref } from '../../domain/types/basic/ref.ts';
import type { Subtask } from '../../domain/types/subtask.ts';
import type { Store } from '../store/store.ts';
import { openPage } from './keep-attempt.ts';
import { loadEvidence } from './pages.ts';
import { readTextInside } from './read-text-inside.ts';

/** The part of an attempt's input that tells where evidence is. */
interface PromptInput {
  subtaskId: string;
  evidence?: Ref;
  inputs: readonly InputRef[];
  taskEvidence?: readonly InheritedPage[];
}

/** Collects the evidence that the prompt of an attempt tells of; undefined where there is none and none is owed. */
export async function loadPromptEvidence(
  store: Pick<Store, 'get'>,
  { subtask, input, folder }: { subtask: Subtask; input: PromptInput; folder: string },
): Promise<PromptEvidence | undefined> {
  const { evidence: rules } = subtask;
  const { evidence, taskEvidence = [] } = input;
  const hasPages =
    evidence !== undefined || taskEvidence.length > 0 || input.inputs.some((each) => each.evidence !== undefined);
  if (rules === undefined && !hasPages) return undefined;
  const { records, missing, inherited } = await openPage(store, input);
  const handed: EvidenceRecord[] = [];
  for (const { subtask: owner, page } of joinPages(inherited, taskEvidence))
    handed.push(...(await loadEvidence(store, page, owner)).records);
  const lists = [rules, rules?.shared].filter((each) => each !== undefined);
  const targets: string[] = [];
  for (const list of lists) targets.push(...(await listTargets(folder, list)));
  return { records: [...records, ...handed], missing, targets: [...new Set(targets)] };
}

/** Each subtask once, those that were handed down first. */
const joinPages = (inherited: readonly InheritedPage[], ofTask: readonly InheritedPage[]): InheritedPage[] => {
  const near = new Set(inherited.map(({ subtask }) => subtask));
  return [...inherited, ...ofTask.filter(({ subtask }) => !near.has(subtask))];
};

/** A file of targets that is not there yet names none: the check says what is wrong with it. */
async function listTargets(folder: string, { targets, targetsFrom }: TargetRules): Promise<string[]> {
  if (targetsFrom === undefined) return targets;
  const root = await realpath(folder).catch(() => folder);
  const text = await readTextInside(root, targetsFrom);
  return (text === undefined ? undefined : readTargets(text)) ?? [];
}
