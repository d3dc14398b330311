import { failureTypes, type FailureType } from '../types/basic/failure-types.ts';

/**
 * Names that the sources of failures use: types of model APIs, classes of exceptions, codes of a verifier. They are written as
 * `normaliseReason` returns them. A failure type is its own name.
 */
const named: Readonly<Partial<Record<FailureType, readonly string[]>>> = {
  'rate-limited': [
    'rate-limit',
    'rate-limited',
    'rate-limit-exceeded',
    'rate-limit-reached',
    'ratelimit',
    'ratelimit-exceeded',
    'resource-exhausted',
    'too-many-requests',
    'throttled',
    'throttling',
    'throttled-client',
    'tokens-exceeded-per-minute',
    'requests-per-minute-exceeded',
  ],
  overloaded: [
    'api-timeout',
    'server',
    'internal',
    'internal-server',
    'internal-failure',
    'service-unavailable',
    'unavailable',
    'bad-gateway',
    'gateway-timeout',
    'deadline-exceeded',
    'engine-overloaded',
    'model-not-ready',
    'model-stream-errored',
    'premature-close',
    'incomplete-read',
    'remote-protocol',
    'stream-cut',
    'transient',
  ],
  'context-overflow': [
    'context-length-exceeded',
    'context-window-exceeded',
    'model-context-window-exceeded',
    'prompt-too-long',
    'string-above-max-length',
    'request-too-large',
  ],
  auth: [
    'authentication',
    'authentication-failed',
    'unauthenticated',
    'unauthorized',
    'unauthorised',
    'invalid-api-key',
    'api-key-invalid',
    'invalid-credentials',
    'missing-credentials',
    'no-credentials',
    'credentials-provider',
    'default-credentials',
    'token-expired',
    'expired-token',
    'invalid-token',
    'invalid-client-token-id',
    'unrecognized-client',
    'login-required',
  ],
  permission: ['permission-denied', 'access-denied', 'forbidden', 'unauthorized-operation', 'not-authorized'],
  subscription: [
    'insufficient-quota',
    'billing',
    'billing-not-active',
    'billing-hard-limit-reached',
    'payment-required',
    'credit-balance-too-low',
    'subscription-required',
    'usage-limit-reached',
    'plan-limit-reached',
  ],
  safety: [
    'content-filter',
    'content-filtered',
    'content-policy',
    'content-policy-violation',
    'responsible-ai-policy-violation',
    'prohibited-content',
    'blocked-prompt',
    'stop-candidate',
    'refusal',
    'guardrail-intervened',
  ],
  budget: ['budget-exceeded', 'max-budget', 'error-max-budget-usd', 'max-cost-exceeded', 'spending-limit-reached'],
  environment: [
    'connection',
    'connection-refused',
    'connection-reset',
    'connection-aborted',
    'connect-timeout',
    'connection-timeout',
    'new-connection',
    'max-retry',
    'api-connection',
    'name-resolution',
    'unknown-host',
    'no-route-to-host',
    'disk-full',
    'out-of-disk',
    'lock-held',
    'lock-timeout',
  ],
  'format-invalid': ['output-parser', 'invalid-json', 'schema-mismatch', 'invalid-output', 'invalid-tool-call'],
  'diff-invalid': ['patch-failed', 'patch-does-not-apply'],
  'merge-conflict': ['conflicting-changes', 'unmerged-files'],
  'empty-output': ['empty-response', 'no-output', 'no-object-generated', 'empty-response-body'],
  'context-missing': [
    'missing-config',
    'config-not-found',
    'missing-configuration',
    'not-configured',
    'command-not-found',
  ],
  'evidence-gap': ['missing-evidence', 'no-evidence', 'insufficient-evidence', 'unsupported-claim', 'no-source'],
  'unconfirmed-data': ['unverified-data', 'unconfirmed', 'unconfirmed-claim', 'unverified-claim', 'data-not-confirmed'],
  'verifier-unreadable': [
    'verdict-unreadable',
    'verifier-unparseable',
    'unparseable-verdict',
    'invalid-verdict',
    'verifier-parse-failed',
  ],
  cancelled: ['canceled', 'abort', 'aborted', 'user-cancelled', 'operation-cancelled', 'task-cancelled'],
  blocked: ['impossible', 'conflicting-requirements', 'needs-human', 'needs-input'],
};

const typesByReason = new Map<string, FailureType>([
  ...Object.entries(named).flatMap(([type, reasons]) =>
    reasons.map((reason): [string, FailureType] => [reason, type as FailureType]),
  ),
  ...failureTypes.map((type): [string, FailureType] => [type, type]),
]);

/** `openai.RateLimitError`, `rate_limit_error` and `RATE LIMIT` become one name. */
function normaliseReason(reason: string): string {
  return reason
    .slice(0, longestReason)
    .replace(/^.*[.:/]/s, '')
    .replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '-')
    .toLowerCase()
    .replace(/[\s_-]+/g, '-')
    .replace(/-(?:error|exception|fault|failure)$/, '');
}

/** The longest name, in characters; a longer text is not a name. */
const longestReason = 100;

/** Returns the failure type of a source's own name; undefined for an unknown name. */
export function parseReason(reason: string): FailureType | undefined {
  return typesByReason.get(normaliseReason(reason));
}
