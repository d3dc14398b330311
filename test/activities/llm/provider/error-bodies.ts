/* Errors as the services send them. */
import type { SpokenReply } from './wires.ts';
import type { FailureType } from '../../../../domain/types/basic/failure-types.ts';

export interface ErrorCase {
  what: string;
  kind: SpokenReply['kind'];
  status: number;
  body: unknown;
  headers?: Record<string, string>;
  type: FailureType;
  /** Milliseconds. */
  wait?: number;
}

const anthropic = (type: string, message: string) => ({
  type: 'error',
  error: { type, message },
  request_id: 'req_011CSHoEeqs5C35K2UUqR7Fy',
});
const openai = (message: string, type: string, code: string | null = null, param: string | null = null) => ({
  error: { message, type, param, code },
});

const ofAnthropic: Omit<ErrorCase, 'kind'>[] = [
  {
    what: 'a rate limit with seconds',
    status: 429,
    headers: { 'retry-after': '17' },
    wait: 17_000,
    type: 'rate-limited',
    body: anthropic(
      'rate_limit_error',
      "This request would exceed your organization's rate limit of 40,000 input tokens per minute.",
    ),
  },
  { what: 'overload', status: 529, type: 'overloaded', body: anthropic('overloaded_error', 'Overloaded') },
  { what: 'an internal error', status: 500, type: 'overloaded', body: anthropic('api_error', 'Internal server error') },
  {
    what: 'a timeout of theirs',
    status: 504,
    type: 'overloaded',
    body: anthropic('timeout_error', 'Request timed out'),
  },
  {
    what: 'an overflow',
    status: 400,
    type: 'context-overflow',
    body: anthropic('invalid_request_error', 'prompt is too long: 214517 tokens > 200000 maximum'),
  },
  {
    what: 'an overflow with the reply',
    status: 400,
    type: 'context-overflow',
    body: anthropic(
      'invalid_request_error',
      'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length or `max_tokens` and try again',
    ),
  },
  {
    what: 'a body that is too large',
    status: 413,
    type: 'context-overflow',
    body: anthropic('request_too_large', 'Request exceeds the maximum size'),
  },
  { what: 'a wrong key', status: 401, type: 'auth', body: anthropic('authentication_error', 'invalid x-api-key') },
  {
    what: 'a key that may not',
    status: 403,
    type: 'auth',
    body: anthropic('permission_error', 'Your API key does not have permission to use the specified resource.'),
  },
  {
    what: 'no credit',
    status: 400,
    type: 'subscription',
    body: anthropic(
      'invalid_request_error',
      'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
    ),
  },
  {
    what: 'a billing error',
    status: 402,
    type: 'subscription',
    body: anthropic('billing_error', 'There is an issue with your billing.'),
  },
  {
    what: 'an unknown model',
    status: 404,
    type: 'context-missing',
    body: anthropic('not_found_error', 'model: claude-haiku-9'),
  },
  {
    what: 'content that is filtered',
    status: 400,
    type: 'safety',
    body: anthropic('invalid_request_error', 'Output blocked by content filtering policy'),
  },
  {
    what: 'a request that is not valid',
    status: 400,
    type: 'tool-failed',
    body: anthropic('invalid_request_error', 'messages.1.content.0.tool_use.id: String should match pattern'),
  },
];

const ofOpenai: Omit<ErrorCase, 'kind'>[] = [
  {
    what: 'a rate limit with milliseconds',
    status: 429,
    headers: { 'retry-after-ms': '1250', 'retry-after': '2' },
    wait: 1_250,
    type: 'rate-limited',
    body: openai(
      'Rate limit reached for gpt-5 in organization org-x on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000. Please try again in 2s.',
      'tokens',
      'rate_limit_exceeded',
    ),
  },
  {
    what: 'a rate limit that only its words date',
    status: 429,
    wait: 6_120,
    type: 'rate-limited',
    body: openai('Rate limit reached for requests. Please try again in 6.12s.', 'requests', 'rate_limit_exceeded'),
  },
  {
    what: 'more than is allowed at once',
    status: 429,
    type: 'context-overflow',
    body: openai(
      'Request too large for gpt-5 in organization org-x on tokens per min (TPM): Limit 30000, Requested 40000.',
      'tokens',
      'rate_limit_exceeded',
    ),
  },
  {
    what: 'no quota, as a rate limit',
    status: 429,
    type: 'subscription',
    body: openai(
      'You exceeded your current quota, please check your plan and billing details.',
      'insufficient_quota',
      'insufficient_quota',
    ),
  },
  {
    what: 'an overflow',
    status: 400,
    type: 'context-overflow',
    body: openai(
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 131230 tokens.",
      'invalid_request_error',
      'context_length_exceeded',
      'messages',
    ),
  },
  {
    what: 'a wrong key',
    status: 401,
    type: 'auth',
    body: openai('Incorrect API key provided: sk-test-****cdef.', 'invalid_request_error', 'invalid_api_key'),
  },
  {
    what: 'a country that is not served',
    status: 403,
    type: 'auth',
    body: openai(
      'Country, region, or territory not supported',
      'request_forbidden',
      'unsupported_country_region_territory',
    ),
  },
  {
    what: 'an unknown model',
    status: 404,
    type: 'context-missing',
    body: openai(
      'The model `gpt-9` does not exist or you do not have access to it.',
      'invalid_request_error',
      'model_not_found',
    ),
  },
  {
    what: 'content against the policy',
    status: 400,
    type: 'safety',
    body: openai(
      'Your request was rejected as a result of our safety system.',
      'invalid_request_error',
      'content_policy_violation',
    ),
  },
  {
    what: 'content that Azure filters',
    status: 400,
    type: 'safety',
    body: {
      error: {
        message: "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
        type: null,
        param: 'prompt',
        code: 'content_filter',
        status: 400,
      },
    },
  },
  {
    what: 'a server error',
    status: 500,
    type: 'overloaded',
    body: openai('The server had an error while processing your request. Sorry about that!', 'server_error'),
  },
  {
    what: 'a busy engine',
    status: 503,
    type: 'overloaded',
    headers: { 'retry-after': 'Fri, 31 Dec 2100 23:59:59 GMT' },
    wait: 24 * 60 * 60_000,
    body: openai('The engine is currently overloaded, please try again later', 'server_error'),
  },
  {
    what: 'a parameter that it does not take',
    status: 400,
    type: 'tool-failed',
    body: openai(
      "Unsupported parameter: 'max_tokens' is not supported with this model.",
      'invalid_request_error',
      'unsupported_parameter',
      'max_tokens',
    ),
  },
];

const ofCompatible: Omit<ErrorCase, 'kind'>[] = [
  {
    what: 'no balance at DeepSeek',
    status: 402,
    type: 'subscription',
    body: openai('Insufficient Balance', 'unknown_error', 'invalid_request_error'),
  },
  {
    what: 'no balance at Moonshot',
    status: 429,
    type: 'subscription',
    body: openai(
      'Your account org-1 is suspended due to insufficient balance, please recharge your account',
      'exceeded_current_quota_error',
    ),
  },
  {
    what: 'a limit of Google',
    status: 429,
    wait: 20_000,
    type: 'rate-limited',
    body: [
      {
        error: {
          code: 429,
          message: 'You exceeded your current quota, please check your plan and billing details.',
          status: 'RESOURCE_EXHAUSTED',
          details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '20s' }],
        },
      },
    ],
  },
  {
    what: 'a wrong key at Google',
    status: 400,
    type: 'auth',
    body: [
      { error: { code: 400, message: 'API key not valid. Please pass a valid API key.', status: 'INVALID_ARGUMENT' } },
    ],
  },
  {
    what: 'an overflow of llama.cpp',
    status: 400,
    type: 'context-overflow',
    body: {
      error: {
        code: 400,
        message: 'the request exceeds the available context size, try increasing it',
        type: 'exceed_context_size_error',
      },
    },
  },
  {
    what: 'an overflow of vLLM',
    status: 400,
    type: 'context-overflow',
    body: {
      object: 'error',
      message: "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.",
      type: 'BadRequestError',
      param: null,
      code: 400,
    },
  },
  {
    what: 'a list of FastAPI',
    status: 422,
    type: 'tool-failed',
    body: { detail: [{ type: 'missing', loc: ['body', 'messages'], msg: 'Field required', input: { model: 'x' } }] },
  },
  {
    what: 'a gateway with a page',
    status: 502,
    type: 'overloaded',
    headers: { 'content-type': 'text/html' },
    body: '<html><head><title>502 Bad Gateway</title></head></html>',
  },
  { what: 'a gateway without a word', status: 503, type: 'overloaded', body: '' },
  { what: 'a code of Cloudflare', status: 524, type: 'overloaded', body: 'error code: 524' },
  { what: 'a redirect', status: 307, headers: { location: 'http://127.0.0.1:1/' }, type: 'context-missing', body: '' },
  { what: 'a method that is not there', status: 405, type: 'context-missing', body: { detail: 'Method Not Allowed' } },
];

const ofOllama: Omit<ErrorCase, 'kind'>[] = [
  { what: 'an unknown model', status: 404, type: 'context-missing', body: { error: "model 'llama9' not found" } },
  {
    what: 'tools that a model cannot use',
    status: 400,
    type: 'tool-failed',
    body: { error: 'library/gemma:latest does not support tools' },
  },
  {
    what: 'a full queue',
    status: 503,
    type: 'overloaded',
    body: { error: 'server busy, please try again.  maximum pending requests exceeded' },
  },
  {
    what: 'a model that cannot be loaded',
    status: 500,
    type: 'overloaded',
    body: { error: 'llama runner process has terminated: exit status 2' },
  },
  {
    what: 'an overflow',
    status: 400,
    type: 'context-overflow',
    body: { error: 'the input length exceeds the context length' },
  },
  { what: 'no key at the cloud', status: 401, type: 'auth', body: { error: 'unauthorized' } },
];

export const errorCases: readonly ErrorCase[] = [
  ...ofAnthropic.map((one) => ({ ...one, kind: 'anthropic' as const })),
  ...ofOpenai.map((one) => ({ ...one, kind: 'openai' as const })),
  ...ofCompatible.map((one) => ({ ...one, kind: 'openai-compatible' as const })),
  ...ofOllama.map((one) => ({ ...one, kind: 'ollama' as const })),
];
