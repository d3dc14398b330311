import { estimateTokenCount } from 'tokenx';
import { sumTokens } from '../../domain/conversation/spending.ts';
import type { Grant } from '../../domain/types/agent.ts';
import type { ResourceUsage } from '../../domain/types/outcome.ts';
import type { DiagnoseInput } from '../../domain/types/planner.ts';
import type { SpentBefore } from '../../domain/types/judgement.ts';
import type { Subtask, Tier } from '../../domain/types/subtask.ts';
import { computeCost } from '../../domain/llm/price.ts';
import { plannerTier, routeModel } from '../../domain/llm/route-model.ts';
import type { PlanBrief } from '../../domain/planner/planner-input.ts';
import type { Ref } from '../../domain/types/basic/ref.ts';
import type { AskerConfig } from './redact-input.ts';
import { nothingUsed } from '../../domain/llm/usage.ts';
import { isCancelled } from '../temporal/cancellation.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import { RequestLedger, type LedgerReply, type LedgerEntry } from '../llm/requests/request-ledger.ts';
import { RequestSpending } from '../llm/requests/request-spending.ts';
import { sendRequest } from '../llm/requests/send-request.ts';
import { systemPrompt } from '../prompts/system-prompt.ts';
import { definitionFrom } from '../pages/plan-pages.ts';
import { createRedact } from './redact-input.ts';
import type { PlanParts } from './plan-task.ts';

const { spare, answer: longest } = activityLimits.planner;

interface Question {
  prompt: 'diagnosis' | 'escalation' | 'extractor';
  /** The role of the model that is asked, and the tier at which it is looked for. */
  role: 'planner' | 'extractor';
  tier: Tier;
  /** The config that the task froze. */
  config: AskerConfig;
  /** By what is to be done. */
  request: (definition: Subtask) => string;
  /** Tokens of the answer; requests, of which a second one is only for a crash; milliseconds of one. */
  output: number;
  requests: number;
  timeout: number;
  /** Tells it apart from what plans. */
  part?: string;
}

/** One question about failures to a model that does not do the work. Its answer is kept: a question whose answer a crash took is asked once more. */
export async function askOnce(
  parts: PlanParts,
  input: Pick<DiagnoseInput, 'taskId' | 'subtaskId' | 'attempt' | 'chain' | 'plan' | 'grant'>,
  question: Question,
  signal: AbortSignal,
): Promise<SpentBefore & { replyText: string | null }> {
  const { store, secrets } = parts;
  const { taskId: task, subtaskId: subtask, attempt, chain, grant } = input;
  const { prompt, role, tier, config, requests, part } = question;
  const model = routeModel(config.models, { role, tier });
  if (model === undefined) return { replyText: null, used: nothingUsed, models: [] };
  const { subtask: definition, variables } = await definitionFrom(store, input.plan, subtask);
  const redact = createRedact(secrets, config, variables);
  const ledger = new RequestLedger(store, { task, who: 'planner', stem: [chain, prompt, subtask, attempt] });
  const spending = new RequestSpending(role, { used: nothingUsed, models: [] }, { grant });
  const ended = (answer?: LedgerReply) => ({
    replyText: answer?.kind === 'said' ? answer.text : null,
    used: spending.used,
    models: spending.models,
  });
  const entries = await ledger.entries(1);
  for (const [index, entry] of entries.entries()) spending.charge(String(index + 1), entry);
  const last = entries.at(-1)?.answer;
  if (last !== undefined || entries.length >= requests || spending.lacks().length > 0) return ended(last);
  const system = redact(systemPrompt(prompt, {}, config.values.prompts));
  const text = redact(question.request(definition));
  const maxOutput = Math.min(model.output, question.output);
  const size = estimateTokenCount(`${system}${text}`);
  if (size > model.context - maxOutput - spare) return ended();
  const reserve = { input: size, output: maxOutput, cached: 0, reasoning: 0 };
  const ledgerRequest = { model: model.name, tokens: sumTokens(reserve), costUsd: computeCost(reserve, model.price) };
  if (!fits(ledgerRequest, spending.used, grant)) return ended();
  const place = { run: 1, request: entries.length + 1 };
  await ledger.ask(place, ledgerRequest);
  spending.charge(String(place.request), { request: ledgerRequest });
  const asker = { task, subtask, role, turn: 1, ...(part === undefined ? {} : { part }) };
  const request = { model, system, messages: [{ from: 'user' as const, text }], maxOutput, asker };
  const sent = sendRequest(parts.models, request, { signal, redact, timeout: question.timeout, longest });
  const replied = await sent.catch((error: unknown) => {
    if (!isCancelled()) throw error;
    return null;
  });
  if (replied === null) return ended();
  const { answer } = replied;
  await ledger.settle(place, answer);
  spending.charge(String(place.request), { request: ledgerRequest, answer });
  return ended(answer);
}

/** Returns true if the whole reserve of a request is granted. */
const fits = (
  request: LedgerEntry['request'],
  used: ResourceUsage,
  { tokens = Infinity, costUsd = Infinity }: Grant,
): boolean => used.tokens + request.tokens <= tokens && used.costUsd + request.costUsd <= costUsd;

/** The model that plans, as a question's asker. */
export async function askPlanner(
  store: Pick<PlanParts['store'], 'get'>,
  brief: Ref,
): Promise<Pick<Question, 'role' | 'tier' | 'config'>> {
  const { config } = JSON.parse((await store.get(brief)).toString()) as PlanBrief;
  return { role: 'planner', tier: plannerTier, config };
}
