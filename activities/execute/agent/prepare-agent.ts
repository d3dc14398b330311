import type { FrameContent } from '../../agent/resume-conversation.ts';
import { buildFailure } from '../../../domain/failure/build-failure.ts';
import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import { offerTools } from '../../../domain/gates/offer-tools.ts';
import { defaultContext } from '../../../domain/types/basic/compaction-rules.ts';
import type { ForeignSchema } from '../../../domain/servers/name-tools.ts';
import type { Failure } from '../../../domain/types/basic/failure.ts';
import { routeModel } from '../../../domain/llm/route-model.ts';
import { agentState } from '../../../domain/prompts/agent-prompt.ts';
import { formatProjectNotes } from '../../../domain/prompts/project-notes.ts';
import { buildPrompt } from '../../../domain/prompts/prompt.ts';
import type { Store } from '../../store/store.ts';
import type { ToolRegistry } from '../../tools/common/tool-registry.ts';
import { systemPrompt } from '../../prompts/system-prompt.ts';
import { loadNotes } from '../../pages/load-notes.ts';
import { loadPromptEvidence } from '../../evidence/prompt-evidence.ts';
import { loadResults } from '../../pages/load-results.ts';
import type { AgentAttempt } from '../../attempt/attempt.ts';

/** It cannot begin, and why. */
export class AgentPreparationError extends Error {
  override readonly name = 'AgentPreparationError';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.summary);
    this.failure = failure;
  }
}

/** Builds the frame of a conversation: the model, the tools and the first message, for the whole attempt. */
export async function prepareAgent(
  attempt: AgentAttempt,
  {
    store,
    registry,
    redact,
    foreign = [],
  }: {
    store: Pick<Store, 'get'>;
    registry: Pick<ToolRegistry, 'schemas'>;
    redact: (text: string) => string;
    foreign?: readonly ForeignSchema[];
  },
): Promise<FrameContent> {
  const {
    input,
    executor,
    agent,
    goal,
    subtask,
    models,
    readRoots,
    context,
    prompts,
    projectNotes,
    gates,
    lessons = [],
  } = attempt;
  const { model: name } = executor;
  const model = routeModel(models, { role: 'executor', tier: input.tier, ...(name === undefined ? {} : { name }) });
  if (model === undefined) {
    const which = name === undefined ? 'serves `executor`' : `is named "${name}" and serves \`executor\``;
    throw new AgentPreparationError(
      buildFailure('context-missing', { summary: `The task has no model that ${which}.` }),
    );
  }
  const compactor = routeModel(models, { role: 'compactor', tier: input.tier });
  const dependencies = await fromStore('The result of a dependency', () => loadResults(store, input.inputs));
  const notes = await fromStore("The project's notes", () => loadNotes(store, projectNotes));
  const evidence = await fromStore('The evidence of the task', () =>
    loadPromptEvidence(store, { subtask, input, folder: attempt.workspace }),
  );
  const { context: promptContext } = input;
  const prompt = buildPrompt({
    goal,
    subtask,
    attempt: input.attempt,
    context: promptContext,
    dependencies,
    lessons,
    evidence,
  });
  const state = agentState({ subtaskId: subtask.id, attempt: input.attempt, brief: agent.brief, readRoots });
  return {
    system: redact(systemPrompt('executor', {}, prompts)),
    first: redact(
      [prompt, ...(notes === undefined ? [] : [formatProjectNotes(notes, model.context)]), state].join('\n\n'),
    ),
    tools: [...registry.schemas(offerTools(executor.tools, gates)), ...foreign],
    model,
    thinking: input.thinking,
    maxOutput: Math.round(model.output * agent.outputFactor),
    ...(agent.steered === undefined ? {} : { steered: agent.steered }),
    context: { ...defaultContext, ...context },
    ...(compactor === undefined ? {} : { compactor, compactorSystem: redact(systemPrompt('compactor', {}, prompts)) }),
  };
}

async function fromStore<Value>(what: string, read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof HeddleError)) throw error;
    const summary = `${what} cannot be read: ${error.message} (${error.code}).`;
    throw new AgentPreparationError(buildFailure('context-missing', { summary }));
  }
}
