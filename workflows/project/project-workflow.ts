import {
  allHandlersFinished,
  condition,
  continueAsNew,
  log,
  setCurrentDetails,
  setHandler,
  setWorkflowOptions,
  workflowInfo,
} from '@temporalio/workflow';
import { readCarried } from '../../domain/memory/carried.ts';
import { describeMemory } from '../../domain/memory/describe.ts';
import {
  readAccept,
  readAdd,
  readFix,
  readForget,
  readImport,
  readLessonFix,
  readTeaching,
} from '../../domain/memory/messages.ts';
import { accept, add, rewrite } from '../../domain/memory/project-lessons.ts';
import { resolveProjectName } from '../../domain/memory/project-id.ts';
import {
  changed,
  correct,
  forget,
  buildMemoryView,
  recordRefusal,
  takeImport,
  takeTeaching,
} from '../../domain/memory/project-state.ts';
import type { ProjectState } from '../../domain/types/basic/memory.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import * as messages from './messages.ts';
import { decodeRaw, serveQuery } from '../shared/raw-message.ts';
import { refusing } from '../shared/refuse.ts';

/**
 * The workflow `project`: the memory of a project. It lives as long as the project, and continues as new before it grows.
 *
 * @example
 * ```ts
 * await client.workflow.start('project', { workflowId: 'project-website', taskQueue: 'heddle', args: [{ project: 'website' }] });
 * ```
 */
export async function project(input: { project: string }, carried?: ProjectState): Promise<void> {
  const name = resolveProjectName(input, workflowInfo().workflowId);
  let state = readCarried(carried, name, Date.now());
  const become = (next: ProjectState): void => {
    state = next;
    setCurrentDetails(describeMemory(state));
  };
  serve({ state: () => state, become });
  become(state);
  await condition(() => workflowInfo().continueAsNewSuggested);
  await condition(allHandlersFinished);
  await continueAsNew<typeof project>({ project: name }, state);
}

// It outlives every version of the code, so it moves to the next one: pinned, it would hold its first worker for ever.
// The server refuses the behaviour of a worker that has no version.
setWorkflowOptions(() => {
  const versioned = (workflowInfo().currentDeploymentVersion?.deploymentName ?? '') !== '';
  return versioned ? { versioningBehavior: 'AUTO_UPGRADE' } : {};
}, project);

interface Memory {
  state: () => ProjectState;
  become: (next: ProjectState) => void;
}

function serve({ state, become }: Memory): void {
  const { projectDescriptions: descriptions } = messages;
  /** A handler reads its message again: on replay no validator runs, and a later version may be stricter than the one that took it. */
  const change = (next: () => ProjectState) =>
    refusing(() => {
      become(next());
      return changed(state());
    });
  serveQuery(messages.memory, () => buildMemoryView(state()), descriptions.memory);
  setHandler(messages.learn, (...[argument]: unknown[]) => become(learned(state(), argument)), {
    description: descriptions.learn,
  });
  /** A message that changes the memory. Its validator tries the change, so that a person hears why it is refused. */
  const served = (description: string, next: (payload: unknown) => ProjectState) =>
    [
      (payload: unknown) => change(() => next(payload)),
      { description, validator: (payload: unknown) => void refusing(() => next(payload)) },
    ] as const;
  const view = () => buildMemoryView(state());
  setHandler(messages.addLesson, ...served(descriptions.add, (given) => add(state(), readAdd(given), Date.now())));
  setHandler(
    messages.acceptLesson,
    ...served(descriptions.accept, (given) => accept(state(), readAccept(view(), given), Date.now())),
  );
  setHandler(
    messages.forgetSignature,
    ...served(descriptions.forget, (given) => forget(state(), readForget(view(), given), Date.now())),
  );
  setHandler(messages.setSignature, ...served(descriptions.set, (given) => corrected(state(), given)));
  setHandler(
    messages.importMemory,
    ...served(descriptions.import, (given) => takeImport(state(), readImport(given), Date.now())),
  );
}

/** A correction of a lesson, or of a signature. */
function corrected(state: ProjectState, payload: unknown): ProjectState {
  const lesson = readLessonFix(buildMemoryView(state), payload);
  if (lesson !== undefined) return rewrite(state, lesson.id, lesson.text, Date.now());
  return correct(state, readFix(payload), Date.now());
}

/** A signal cannot be refused, and a throw here would fail every workflow task to come: what cannot be taken is counted and shown. */
function learned(state: ProjectState, argument: unknown): ProjectState {
  try {
    const now = Date.now();
    return takeTeaching(state, readTeaching(decodeRaw(argument), now), now);
  } catch (error) {
    if (error instanceof HeddleError) return recordRefusal(state, `learn: ${error.message} (${error.code})`);
    log.error('what a task taught broke the memory', { error });
    return recordRefusal(state, 'learn: a mistake of ours (INTERNAL)');
  }
}
