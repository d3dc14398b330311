/*
 * The keys that judges use, in any case and spelling, with the meaning of each.
 */

export function flatKey(key: string): string {
  return key.toLowerCase().replace(/[^a-z0-9]/g, '');
}

const keys = (...names: string[]): ReadonlySet<string> =>
  new Set(names.flatMap((each) => each.split('|')).map(flatKey));

/** The requested key: an object with it takes precedence over all others. */
export const passedKeys = keys('passed|pass|is passed|has passed|did pass');
/** Other keys that name a verdict. */
export const verdictKeys = keys(
  'verdict|outcome|decision|judgement|judgment|approved|accepted|acceptable|conclusion|evaluation|assessment',
  'overall|overall verdict|final verdict|final answer|final decision',
);
/** Keys that may be about anything: a no under them counts, a yes never does. */
export const weakKeys = keys('status|ok|success|result|valid|state|answer|complete|completed|done');
/** A yes under these keys is a no; a no means nothing. */
export const refusalKeys = keys('failed|fail|rejected|is failed|has failed');
/** Keys of an entry for one criterion. */
export const metKeys = keys('met|is met|satisfied|fulfilled|is satisfied');
/** Keys whose entries are failed criteria. */
export const unmetKeys = keys(
  'unmet criteria|failed criteria|criteria unmet|criteria failed|criteria not met|unmet|not met|unsatisfied criteria',
  'missing|missing criteria|must fix|must fixes|required changes|required fixes|changes required|fixes required',
);
/** Keys of objects that contain the answer itself. */
export const wrapperKeys = keys(
  'verdict|judgement|judgment|result|response|answer|output|evaluation|assessment|review|decision|data|json|final|final answer',
  'arguments|parameters|input|content|value|final verdict|overall',
);
export const criteriaKeys = keys(
  'criteria|results|checks|evaluations|criteria results|criterion results|per criterion|by criterion|requirements|checklist',
  'acceptance criteria|criteria checks|criteria status|criteria evaluation|criteria assessment|assessments',
);
/** Keys about all criteria at once, or about one by its number. A no counts; a yes is no verdict. */
export const summaryKey =
  /^(?:(?:all|every)?(?:criteri(?:a|on)|requirements?)(?:are|is|were|was)?(?:met|satisfied|fulfilled|passed)|criteri(?:a|on)\d{1,3})$/u;
const countKeys = keys('failed|total|skipped|errors|tests|count|pending|todo');

export const issueKeys = 'issues|problems|errors|findings|concerns|defects|failures|violations|issue'.split('|');
export const confidenceKeys = 'confidence|confidence score|confidence level|certainty|probability|sure'.split('|');
export const feedbackKeys =
  'feedback|suggestion|suggestions|advice|fix|fixes|recommendation|recommendations|explanation|reason|reasons|reasoning|rationale|comment|comments|summary|message'.split(
    '|',
  );
export const evidenceKeys =
  'missing evidence|evidence gaps|evidence missing|unsupported claims|unverified claims'.split('|');
export const reasonKeys = 'reason code|code|failure code|failure type|category'.split('|');
export const messageKeys =
  'message|issue|problem|text|description|finding|detail|details|reason|comment|explanation|feedback|title|name'.split(
    '|',
  );
/** Keys under which a judge grades one criterion: zero is a no. */
export const scoreKeys = keys('score|rating|points|grade');
export const criterionKeys = 'criterion|criteria|criterion number|criterion index|criterion id|number|id'.split('|');
export const pathKeys = 'path|file|filename|file path|location'.split('|');

/** Keys with their values, in the order of the answer; keys with the same meaning are all kept. */
export type AnswerFields = readonly (readonly [key: string, value: unknown])[];

export const listFields = (value: object): AnswerFields =>
  Object.entries(value).map(([key, each]): [string, unknown] => [flatKey(key), each]);

/** Returns the value of the first of the names that has one. */
export function findFirst(fields: AnswerFields, names: readonly string[]): unknown {
  for (const name of names.map(flatKey)) {
    const value = fields.find(([key, each]) => key === name && each !== undefined && each !== null)?.[1];
    if (value !== undefined) return value;
  }
  return undefined;
}

/** `{"passed": 1, "failed": 0}` counts tests, so it is no verdict. */
export const isCount = (fields: AnswerFields): boolean =>
  fields.some(([key, value]) => countKeys.has(key) && typeof value === 'number');
