import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/client';
import { HeddleError } from '../domain/heddle-error.ts';
import { emptyMemory } from '../domain/memory/memory.ts';
import type { ProjectMemory } from '../domain/model/memory.ts';
import { projectWorkflowIdOf, workflowTypes } from '../domain/names.ts';
import * as messages from '../workflows/project-messages.ts';
import { explainError } from './explain-error.ts';

const deadline = 10_000;

/** The memory of one project, for people: list, correct, forget, export, import. */
export class ProjectHandle {
  readonly project: string;
  private readonly client: Client;
  private readonly taskQueue: string;

  constructor(client: Client, project: string, taskQueue: string) {
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

  forget(signature: string): Promise<ProjectMemory> {
    return this.change(() => this.handle.executeUpdate(messages.forgetSignature, { args: [{ signature }] }));
  }

  async set(fix: { signature: string; rung?: number; hint?: string }): Promise<ProjectMemory> {
    await this.ensure();
    return this.change(() => this.handle.executeUpdate(messages.setSignature, { args: [fix] }));
  }

  /** Adds the memory of another project, in the form that `memory` has. */
  async import(memory: Pick<ProjectMemory, 'signatures' | 'answers'>): Promise<ProjectMemory> {
    await this.ensure();
    const { signatures, answers } = memory;
    return this.change(() => this.handle.executeUpdate(messages.importMemory, { args: [{ signatures, answers }] }));
  }

  private get handle() {
    return this.client.workflow.getHandle(projectWorkflowIdOf(this.project));
  }

  private async ensure(): Promise<void> {
    try {
      await this.client.workflow.start(workflowTypes.project, {
        workflowId: projectWorkflowIdOf(this.project),
        taskQueue: this.taskQueue,
        args: [{ project: this.project }],
        workflowIdConflictPolicy: 'USE_EXISTING',
        staticSummary: `Memory of ${this.project}`,
      });
    } catch (error) {
      throw explainError(error, { taskQueue: this.taskQueue });
    }
  }

  private async change<T>(update: () => Promise<T>): Promise<T> {
    try {
      return await this.bounded(update);
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) {
        throw new HeddleError({
          code: 'PROJECT_NOT_FOUND',
          message: `There is no memory of a project ${this.project}`,
          hint: 'A project has one from its first task that met a failure.',
        });
      }
      throw explainError(error, { taskQueue: this.taskQueue });
    }
  }

  private bounded<T>(call: () => Promise<T>): Promise<T> {
    return this.client.withDeadline(Date.now() + deadline, call);
  }
}
