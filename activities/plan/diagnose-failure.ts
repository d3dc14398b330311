import { Context } from '@temporalio/activity';
import { estimateTokenCount } from 'tokenx';
import { tokensOf } from '../../domain/conversation/spending.ts';
import { limits } from '../../domain/limits.ts';
import type { DiagnoseInput, Diagnosed } from '../../domain/model/planning.ts';
import { priceOf } from '../../domain/models/price.ts';
import { plannerTier, routeModel } from '../../domain/models/route-model.ts';
import { diagnosisRequest, readDiagnosis } from '../../domain/planning/diagnosis.ts';
import type { PlanBrief } from '../../domain/planning/planned-input.ts';
import { nothingUsed } from '../../domain/task/used.ts';
import { asFailure } from '../execute/as-failure.ts';
import { activityLimits } from '../limits.ts';
import { redactorFor } from '../programs/redact-secrets.ts';
import { hideKnownSecrets } from '../redact/known-secrets.ts';
import { RequestLedger, type Answer, type Entry } from '../requests/request-ledger.ts';
import { RequestSpending } from '../requests/request-spending.ts';
import { sendRequest } from '../requests/send-request.ts';
import { systemPrompt } from '../system-prompt.ts';
import { definitionFrom } from '../task/plan-pages.ts';
import type { PlanParts } from './plan-task.ts';

const { spare, requestTimeout, answer: longest } = activityLimits.planner;
const { output, requests } = limits.diagnosis;

/** The activity `diagnoseFailure`: one request, whose answer is kept. One that a crash took is asked once more; trouble of the model is no trouble of the attempt. */
export function createDiagnoseFailure(parts: PlanParts): (input: DiagnoseInput) => Promise<Diagnosed> {
  return async function diagnoseFailure(input) {
    const { cancellationSignal: signal } = Context.current();
    try {
      return await diagnose(parts, input, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw asFailure(error);
    }
  };
}

async function diagnose(parts: PlanParts, input: DiagnoseInput, signal: AbortSignal): Promise<Diagnosed> {
  const { store, env } = parts;
  const { taskId: task, subtaskId: subtask, attempt, chain, grant, failures } = input;
  const { models, values } = (JSON.parse((await store.get(input.brief)).toString()) as PlanBrief).config;
  const model = routeModel(models, { role: 'planner', tier: plannerTier });
  if (model === undefined) return { diagnosis: null, used: nothingUsed, models: [] };
  const { subtask: definition, variables } = await definitionFrom(store, input.plan, subtask);
  const keys = models.flatMap(({ provider: { keyEnv } }) => (keyEnv === undefined ? [] : [keyEnv]));
  const redactor = redactorFor(env, [...keys, ...variables], values.redact?.harmless);
  const hide = (text: string): string => hideKnownSecrets(redactor.text(text));
  const ledger = new RequestLedger(store, { task, who: 'planner', stem: [chain, 'diagnosis', subtask, attempt] });
  const spending = new RequestSpending('planner', { used: nothingUsed, models: [] }, { grant });
  const ended = (answer?: Answer): Diagnosed => ({
    diagnosis: answer?.kind === 'said' ? readDiagnosis(answer.text) : null,
    used: spending.used,
    models: spending.models,
  });
  const entries = await ledger.entries(1);
  for (const [index, entry] of entries.entries()) charge(spending, index + 1, entry);
  const last = entries.at(-1)?.answer;
  if (last !== undefined || entries.length >= requests || spending.lacks().length > 0) return ended(last);
  const system = hide(systemPrompt('diagnosis', {}, values.prompts));
  const text = hide(diagnosisRequest(definition, failures));
  const maxOutput = Math.min(model.output, output);
  const size = estimateTokenCount(`${system}${text}`);
  if (size > model.context - maxOutput - spare) return ended();
  const reserve = { input: size, output: maxOutput, cached: 0, reasoning: 0 };
  const asked = { model: model.name, tokens: tokensOf(reserve), costUsd: priceOf(reserve, model.price) };
  const place = { run: 1, request: entries.length + 1 };
  await ledger.ask(place, asked);
  const { answer } = await sendRequest(
    parts.models,
    {
      model,
      system,
      messages: [{ from: 'user', text }],
      maxOutput,
      asker: { task, subtask, role: 'planner', turn: 1 },
    },
    { signal, hide, timeout: requestTimeout, longest },
  );
  await ledger.settle(place, answer);
  charge(spending, place.request, { asked, answer });
  return ended(answer);
}

/** What a request cost: all it may have taken, until its end is known. */
function charge(spending: RequestSpending, request: number, { asked, answer }: Entry): void {
  const name = String(request);
  spending.charge(name, asked);
  if (answer?.kind === 'said') {
    const { tokens, costUsd } = answer;
    spending.charge(name, { model: asked.model, tokens, costUsd });
  } else if (answer !== undefined && !answer.charged) spending.release(name);
}
