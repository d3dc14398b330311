import {
  allHandlersFinished,
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  setWorkflowOptions,
  workflowInfo,
} from '@temporalio/workflow';
import { correct, emptyMemory, forget, remember } from '../domain/memory/memory.ts';
import type { ProjectMemory } from '../domain/model/memory.ts';
import { checkFix, checkImport, checkSignature } from '../domain/memory/messages.ts';
import { escapeMarkdown, sayCount } from '../domain/text/text.ts';
import * as messages from './project-messages.ts';
import { refusing } from './refuse.ts';

/** Tasks whose lessons were taken are remembered, so that a repeated signal does not count twice. */
const taughtTasks = 200;

interface Carried {
  memory: ProjectMemory;
  taught: string[];
}

/** The memory of a project: a workflow that lives as long as the project, and continues as new before it grows. */
export async function project(input: { project: string }, carried?: Carried): Promise<void> {
  let memory = carried?.memory ?? emptyMemory(input.project);
  const taught = carried?.taught ?? [];
  const show = (): void => setCurrentDetails(describe(memory));
  const become = (changed: ProjectMemory): ProjectMemory => {
    memory = changed;
    show();
    return memory;
  };
  const { projectDescriptions: descriptions } = messages;
  setHandler(messages.memory, () => memory, { description: descriptions.memory });
  setHandler(
    messages.learn,
    (lesson) => {
      if (taught.includes(lesson.taskId)) return;
      taught.push(lesson.taskId);
      if (taught.length > taughtTasks) taught.shift();
      become(remember(memory, lesson));
    },
    { description: descriptions.learn },
  );
  setHandler(messages.forgetSignature, ({ signature }) => become(forget(memory, signature)), {
    description: descriptions.forget,
    validator: (payload: unknown) => refusing(() => checkSignature(memory, payload)),
  });
  setHandler(messages.setSignature, (fix) => become(correct(memory, fix)), {
    description: descriptions.set,
    validator: (payload: unknown) => refusing(() => checkFix(payload)),
  });
  setHandler(messages.importMemory, (foreign) => become(remember(memory, { ...foreign, taskId: '' })), {
    description: descriptions.import,
    validator: (payload: unknown) => refusing(() => checkImport(payload)),
  });
  show();
  await condition(() => workflowInfo().continueAsNewSuggested);
  await condition(allHandlersFinished);
  await continueAsNew<typeof project>(input, { memory, taught });
}

// It outlives every version of the code, so it moves to the next one: pinned, it would hold its first worker for ever.
// The server refuses the behaviour of a worker that has no version.
setWorkflowOptions(() => {
  const versioned = (workflowInfo().currentDeploymentVersion?.deploymentName ?? '') !== '';
  return versioned ? { versioningBehavior: 'AUTO_UPGRADE' } : {};
}, project);

function describe(memory: ProjectMemory): string {
  const rows = memory.signatures
    .slice(-15)
    .reverse()
    .map(({ signature, count, fixedAtRung, hint }) => {
      const fixed = fixedAtRung === null ? 'not fixed yet' : `fixed at rung ${fixedAtRung}`;
      return `- ${signature}: seen ${count} times, ${fixed}${hint === '' ? '' : `, ${escapeMarkdown(hint.slice(0, 120))}`}`;
    });
  return [`**${escapeMarkdown(memory.project)}** knows ${sayCount(memory.signatures.length, 'failure')}`, ...rows].join(
    '\n',
  );
}
