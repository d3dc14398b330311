import type { FailureRule } from './failure-rule.ts';
import { formsStatus, saysStatus } from './http-status.ts';

/* What services and the models behind them answer. A limit that a person must lift comes before one that passes. */

export const serviceRules: readonly FailureRule[] = [
  {
    type: 'safety',
    cause: 'The model or its service refused the content.',
    said: [
      /\bcontent[ _-](?:filter(?:ed|ing)?|management|moderation)(?: policy)?\b/i,
      /\b(?:rejected|blocked|flagged|filtered) (?:by|as a result of|due to|for) (?:our |the |its )?(?:\w+ )?(?:safety|moderation|content|usage polic)/i,
      /\bviolat(?:es|ed|ing|ion of) (?:our |the |its )?(?:\w+ )?(?:usage|content|safety|acceptable use) polic(?:y|ies)\b/i,
      /\bstopped (?:because of|due to|for) (?:the )?(?:safety|prohibited content)\b/i,
    ],
    formed: [
      /["']?(?:finishReason|finish_reason|blockReason|block_reason|stop_reason)["']?\s{0,3}[:=]\s{0,3}["']?(?:SAFETY|PROHIBITED_CONTENT|BLOCKLIST|SPII|content_filter|refusal)\b/,
      /\bResponsibleAIPolicyViolation\b/,
    ],
  },
  {
    type: 'subscription',
    said: [
      ...saysStatus(402),
      /\b(?:invalid|expired|inactive|no active) subscription\b/i,
      /\bsubscription (?:is |has )?(?:been )?(?:required|expired|inactive|invalid|not active|cancelled|canceled|past due)\b/i,
      /\bcredit balance is too low\b/i,
      /\b(?:insufficient|not enough|out of|no (?:remaining|more)) (?:credits?|balance|funds)\b/i,
      /\bexceeded your (?:current|monthly|included) (?:quota|usage|credits?)\b/i,
      /\b(?:usage|spending|billing|monthly) (?:hard )?limit (?:has been |was |is )?(?:reached|exceeded)\b/i,
      /\b(?:hit|reached|exceeded) your (?:\w+ )?(?:usage|spending|billing|plan|monthly) limit\b/i,
      /\bbilling (?:is |has )?(?:not (?:been )?(?:active|enabled)|disabled|to be enabled)\b/i,
      /\baccount is not active\b/i,
      /\b(?:upgrade|update) your (?:plan|billing|subscription) (?:to|in order to|before)\b/i,
    ],
    formed: [
      /["'](?:insufficient_quota|billing_not_active|billing_hard_limit_reached|billing_error)["']/,
      ...formsStatus(402),
    ],
  },
  {
    type: 'context-overflow',
    said: [
      /\b(?:maximum|max) context (?:length|window|size)\b/i,
      /\bcontext (?:length|window|size)(?: limit)? (?:is |was |has been )?exceeded\b/i,
      /\bexceed(?:s|ed|ing)? (?:the |your )?(?:model(?:'s|s)? |available |maximum |max )*(?:context|token|input)[ -](?:length|window|size|limit|count)/i,
      /\b(?:prompt|input|conversation|request) is too (?:long|large)(?= for|: |\.|$| \()/i,
      /\binput (?:token count|length).{0,60}\bexceeds?\b/i,
      /\brequest too large for \S+/i,
      /\bran out of room in the model's context\b/i,
    ],
    formed: [/["']?context_length_exceeded["']?/],
  },
  {
    type: 'budget',
    cause: 'The money or the tokens that the program was allowed to spend are spent.',
    said: [
      /\b(?:max(?:imum)?|cost|token|spend(?:ing)?) budget (?:of \S+ )?(?:has been |was |is )?(?:reached|exceeded|exhausted|used up|spent)\b/i,
      /\b(?:reached|exceeded|exhausted|hit) (?:the |its |your )?(?:max(?:imum)? )?(?:cost |token )?budget\b/i,
      /\bbudget has been exceeded\b/i,
      /\bmax(?:imum)? cost (?:of \S+ )?(?:reached|exceeded)\b/i,
    ],
    formed: [/["']error_max_budget_usd["']/],
  },
  {
    type: 'rate-limited',
    said: [
      ...saysStatus(429),
      /\b(?:exceeded|hit|reached|over) (?:the |your |its |a |an )?(?:\w+ ){0,2}(?:rate[ -]?limits?|(?:request|token)s? limit)\b/i,
      /\brate[ -]?limit(?:s|ing)? (?:was |has been |is |been )?(?:exceeded|reached|hit)\b/i,
      /\b(?:you are being|you have been|been|being|was|were|are|is|got|client|request(?: was)?|API) rate[ -]limited\b/i,
      /^(?:error: )?rate[ -]?limited?\b(?=[:.!,;]|$)/i,
      /\brate limit(?: exceeded)? (?:for|on) \S+ in organization\b/i,
      /\btoo many requests\b/i,
      /\b(?:quota|limit).{0,80}\bper (?:minute|second|hour)\b/i,
      /\bquota exceeded for (?:quota metric|metric)\b/i,
      /\bresource has been exhausted\b/i,
      /\bthrottl(?:ed|ing)(?: exception)?: /i,
      /\brequest (?:was |has been )?throttled\b/i,
    ],
    formed: [
      ...formsStatus(429),
      /["'](?:rate_limit_error|rate_limit_exceeded|RESOURCE_EXHAUSTED)["']/,
      /\btoomanyrequests: /,
    ],
  },
  {
    type: 'auth',
    said: [
      ...saysStatus(401, 407),
      /\bauthentication(?: |_)(?:failed|required|error|failure|is required|has failed)\b/i,
      /\b(?:invalid|bad|missing|incorrect|expired|no|wrong) (?:or \w+ )?(?:(?:username or )?password|credentials?|(?:x-)?api[ -]?key|(?:access|auth|authentication|bearer|oauth|refresh) token)\b/i,
      /\b(?:api[ -]?key|(?:access|auth|oauth|bearer|refresh) token|credentials?)(?: \S+)? (?:is |are |has |have |was |were )?(?:missing|invalid|expired|required|not set|not found|not provided|been revoked|revoked|not valid|incorrect|rejected)\b/i,
      /\b(?:unable to locate|could not (?:find|load)|couldn't find|no valid|cannot find|did not find) (?:\w+ ){0,2}credentials\b/i,
      /\bnot (?:logged|signed) in\b/i,
      /\b(?:login|log-in|sign-in) required\b/i,
      /\b(?:you must|you need to|please|must) (?:be logged in|log in|login|authenticate|sign in|run \S+ (?:auth )?login)\b/i,
      /\bcould not read (?:username|password) for\b/i,
      /\bpermission denied \(publickey\b/i,
      /\bunauthori[sz]ed: (?:authentication|incorrect|access token|bad)/i,
      /\brequires? authentication\b/i,
      /\bbad credentials\b/i,
    ],
    formed: [
      ...formsStatus(401, 407),
      /["'](?:authentication_error|invalid_api_key|UNAUTHENTICATED|API_KEY_INVALID)["']/,
      /^npm (?:error|ERR!) code ENEEDAUTH\b/,
    ],
  },
  {
    type: 'overloaded',
    said: [
      ...saysStatus(500, 502, 503, 504, 529),
      /\b(?:model|server|service|engine|API|backend) is (?:currently |temporarily )?(?:overloaded|unavailable|at capacity|busy)\b/i,
      /^(?:\S{0,40} ?error: )?overloaded$/i,
      /\bservice (?:is )?(?:temporarily )?unavailable\b/i,
      /\binternal server error\b/i,
      /\bbad gateway\b/i,
      /\bgateway time-?out\b/i,
      /\bstream (?:was )?(?:disconnected|closed|cut|interrupted|ended) (?:before|without|unexpectedly|prematurely|early)\b/i,
      /\b(?:premature close|incomplete chunked read|peer closed connection without sending complete message body)\b/i,
      /\bupstream connect error\b/i,
      /\bmodel (?:call|request|stream) (?:was )?(?:timed out|cut|interrupted)\b/i,
    ],
    formed: [
      ...formsStatus(500, 502, 503, 504, 529),
      /["'](?:overloaded_error|api_error|server_error|UNAVAILABLE|ERR_STREAM_PREMATURE_CLOSE)["']/,
    ],
  },
];
