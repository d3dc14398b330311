import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/client';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { emptyMemory } from '../../domain/memory/memory.ts';
import { isLessonId } from '../../domain/lessons/lesson-words.ts';
import { readAdd, readFix, readImport } from '../../domain/memory/messages.ts';
import { buildProjectWorkflowId, workflowTypes } from '../../domain/names/names.ts';
import type { ProjectMemory } from '../../domain/types/basic/memory.ts';
import { planLimits } from '../../domain/input/limits.ts';
import * as messages from '../../workflows/project/messages.ts';
import { updateWorker } from '../temporal/ask-worker.ts';
import { explainError } from '../temporal/explain-error.ts';
import { clientLimits } from '../limits/client-limits.ts';

/** The memory of one project, for people: list, correct, forget, export, import. */
export class ProjectHandle {
  readonly project: string;
  private readonly client: Client;
  private readonly taskQueue: string;

  constructor(client: Client, project: string, taskQueue: string) {
    if (project.trim() === '' || project.length > planLimits.name) {
      throw new HeddleError({
        code: 'MESSAGE_INVALID',
        message: `the name of a project has 1 to ${planLimits.name} characters`,
      });
    }
    this.client = client;
    this.project = project;
    this.taskQueue = taskQueue;
  }

  /** A project without a memory knows nothing; that is no error. */
  async memory(): Promise<ProjectMemory> {
    try {
      return await this.bounded(() => this.handle.query(messages.memory));
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return emptyMemory(this.project);
      throw explainError(error, { taskQueue: this.taskQueue });
    }
  }

  /** Forgets a signature, or a lesson by its id. */
  async forget(name: string): Promise<ProjectMemory> {
    const what = isLessonId(name) ? { id: name } : { signature: name };
    return this.change(() => this.handle.executeUpdate(messages.forgetSignature, { args: [what] }));
  }

  /** Adds a lesson of a person's own. */
  async addLesson(text: string): Promise<ProjectMemory> {
    const lesson = readAdd({ text });
    await this.ensure();
    return this.change(() => this.handle.executeUpdate(messages.addLesson, { args: [{ text: lesson }] }));
  }

  /** Accepts a lesson that waits, or takes a retired one back. */
  async acceptLesson(id: string): Promise<ProjectMemory> {
    return this.change(() => this.handle.executeUpdate(messages.acceptLesson, { args: [{ id }] }));
  }

  /** Corrects the text of a lesson. */
  async setLesson(id: string, text: string): Promise<ProjectMemory> {
    return this.change(() => this.handle.executeUpdate(messages.setSignature, { args: [{ id, text }] }));
  }

  async set(fix: { signature: string; rung?: number; hint?: string }): Promise<ProjectMemory> {
    const read = readFix(fix);
    await this.ensure();
    return this.change(() => this.handle.executeUpdate(messages.setSignature, { args: [read] }));
  }

  /** Adds the memory of another project, in the form that `memory` has. Checked before it is sent: a large one would not arrive. */
  async import(memory: messages.ImportedMemory): Promise<ProjectMemory> {
    const read = readImport(memory);
    await this.ensure();
    return this.change(() => this.handle.executeUpdate(messages.importMemory, { args: [read] }));
  }

  private get handle() {
    return this.client.workflow.getHandle(buildProjectWorkflowId(this.project));
  }

  private async ensure(): Promise<void> {
    try {
      await this.client.workflow.start(workflowTypes.project, {
        workflowId: buildProjectWorkflowId(this.project),
        taskQueue: this.taskQueue,
        args: [{ project: this.project }],
        workflowIdConflictPolicy: 'USE_EXISTING',
        staticSummary: `Memory of ${this.project}`,
      });
    } catch (error) {
      throw explainError(error, { taskQueue: this.taskQueue });
    }
  }

  /** An update answers with counts alone, so the memory is read afterwards. */
  private async change(update: () => Promise<unknown>): Promise<ProjectMemory> {
    try {
      await updateWorker(this.client, clientLimits.memory.deadline, update);
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) {
        throw new HeddleError({
          code: 'PROJECT_NOT_FOUND',
          message: `There is no memory of a project ${this.project}`,
          hint: 'A project gets one at the first failure in one of its tasks.',
        });
      }
      throw explainError(error, { taskQueue: this.taskQueue });
    }
    return this.memory();
  }

  private bounded<T>(call: () => Promise<T>): Promise<T> {
    return this.client.withDeadline(Date.now() + clientLimits.memory.deadline, call);
  }
}
