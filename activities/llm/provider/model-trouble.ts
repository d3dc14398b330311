import type { ErrorCode } from '../../../domain/errors/error-codes.ts';
import { buildFailure } from '../../../domain/failure/build-failure.ts';
import type { FailureType } from '../../../domain/types/basic/failure-types.ts';
import { redactRequest } from './redact-request.ts';
import { ModelError, type ModelRequest } from '../ports/model.ts';

/** The trouble that a call without a reply can have met. */
export type ModelFailureType = Extract<
  FailureType,
  | 'rate-limited'
  | 'overloaded'
  | 'context-overflow'
  | 'auth'
  | 'subscription'
  | 'safety'
  | 'environment'
  | 'context-missing'
  | 'tool-failed'
  | 'format-invalid'
>;

/** The call that an error is about. Its texts and its key never enter the error. */
export interface KeyedRequest {
  request: ModelRequest;
  key: string | undefined;
}

interface FailureText {
  summary: string;
  cause?: string;
  fix?: string;
}

/** The texts that people read. `by` is the provider, as a sentence begins. */
const failureTexts: Record<ModelFailureType, (by: string, subject: KeyedRequest) => FailureText> = {
  'rate-limited': (by) => ({ summary: `${by} takes no more requests for now.` }),
  overloaded: (by) => ({ summary: `${by} is overloaded or not available.` }),
  'context-overflow': (by, { request }) => ({
    summary: `The request is larger than the model ${request.model.name} can take.`,
    fix: `Work on less at a time. If the model can take more or less than ${request.model.context} tokens, correct \`context\` in its table.`,
  }),
  auth: (by, { request }) => ({
    summary: `${by} refused the credentials.`,
    cause: `The key ${request.model.provider.keyEnv === undefined ? '' : `in ${request.model.provider.keyEnv} `}is missing, wrong, or may not use the model ${request.model.name} of the provider ${request.model.provider.name}.`,
    fix: `Set ${variable(request)} to a key that may use the model, and answer from that shell.`,
  }),
  subscription: (by) => ({
    summary: `${by} has no credit for this account, or its plan does not cover the request.`,
    fix: 'Add credit to the account, or change its plan.',
  }),
  safety: (by) => ({
    summary: `${by} refused the content of the request.`,
    cause: 'The model or its service refused the content.',
    fix: 'Reword what is asked for, or choose another model.',
  }),
  environment: (by) => ({
    summary: `${by} cannot be reached.`,
    cause: 'The network, or the host of the model, is not responding.',
  }),
  'context-missing': (by, { request }) => ({
    summary: `${by} does not know the model, or its API is not at this address.`,
    cause: 'The id of the model or the address of its provider is wrong.',
    fix: `Check \`id\` of the model ${request.model.name} and \`baseUrl\` of the provider ${request.model.provider.name}.`,
  }),
  'tool-failed': (by, { request }) => ({
    summary: `${by} refused the request as invalid.`,
    cause: 'The model or its service does not take such a request.',
    fix: `If it is refused again, check the settings of the model ${request.model.name}: \`thinking\`, \`output\`, \`context\`.`,
  }),
  'format-invalid': (by) => ({
    summary: `${by} returned something that is not a reply.`,
    cause: 'The code of the provider is wrong.',
    fix: 'Correct the provider of your own.',
  }),
};

const variable = ({ model }: ModelRequest): string => model.provider.keyEnv ?? 'a variable that `keyEnv` names';

/** The provider, as a sentence begins. */
export const formatProvider = ({ request }: KeyedRequest): string => `The provider ${request.model.provider.name}`;

export interface ModelFailureFacts {
  status?: number;
  /** The provider's own names for it. */
  names?: readonly string[];
  /** The provider's own words: hidden where they repeat the request. */
  providerText?: string;
  /** Instead of the words of the table. */
  summary?: string;
  cause?: string;
  fix?: string;
  retryAfter?: number;
  code?: ErrorCode;
  /** The provider may have worked, and count it. */
  mayCost?: true;
}

export function modelError(
  trouble: ModelFailureType,
  subject: KeyedRequest,
  facts: ModelFailureFacts = {},
): ModelError {
  const { status, names = [], providerText = '', code } = facts;
  const plain = failureTexts[trouble](formatProvider(subject), subject);
  const redact = (text: string): string => redactRequest(text, subject.request, subject.key);
  const labels = [...(status === undefined ? [] : [`HTTP ${status}`]), ...names.map(redact)].join(' ');
  const details = [labels, redact(providerText)].filter((part) => part !== '').join(': ');
  const failure = buildFailure(trouble, {
    ...plain,
    ...(facts.cause === undefined ? {} : { cause: facts.cause }),
    ...(facts.fix === undefined ? {} : { fix: facts.fix }),
    summary: facts.summary ?? plain.summary,
    details,
    code,
    // Without the provider's words: they count tokens, name requests, and differ each time.
    signed: `model ${code ?? labels}`,
  });
  return new ModelError(failure, facts);
}

/** Discards a reply that cannot be used, however much of it came. */
export function voidReply(subject: KeyedRequest, summary: string, received = ''): ModelError {
  return modelError('overloaded', subject, { summary, providerText: received, names: ['stream-cut'], mayCost: true });
}
