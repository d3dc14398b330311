/*
 * The keys that judges use. Keys are read in any case and spelling; what each may say is told here, once.
 */

export function flatKey(key: string): string {
  return key.toLowerCase().replace(/[^a-z0-9]/g, '');
}

const keys = (...names: string[]): ReadonlySet<string> =>
  new Set(names.flatMap((each) => each.split('|')).map(flatKey));

/** The key that is asked for: an object with it goes before all others. */
export const passedKeys = keys('passed|pass|is passed|has passed|did pass');
/** What also names a verdict. */
export const verdictKeys = keys(
  'verdict|outcome|decision|judgement|judgment|approved|accepted|acceptable|conclusion|evaluation|assessment',
  'overall|overall verdict|final verdict|final answer|final decision',
);
/** What may be said of anything: a no under such a key counts, a yes never does. */
export const weakKeys = keys('status|ok|success|result|valid|state|answer|complete|completed|done');
/** A yes under them is a no; a no is nothing. */
export const refusalKeys = keys('failed|fail|rejected|is failed|has failed');
/** In an entry for one criterion. */
export const metKeys = keys('met|is met|satisfied|fulfilled|is satisfied');
/** Entries that are there are criteria that failed. */
export const unmetKeys = keys(
  'unmet criteria|failed criteria|criteria unmet|criteria failed|criteria not met|unmet|not met|unsatisfied criteria',
);
/** Tables that hold the answer itself. */
export const wrapperKeys = keys(
  'verdict|judgement|judgment|result|response|answer|output|evaluation|assessment|review|decision|data|json|final|final answer',
  'arguments|parameters|input|content|value|final verdict|overall',
);
export const criteriaKeys = keys(
  'criteria|results|checks|evaluations|criteria results|criterion results|per criterion|by criterion|requirements|checklist',
  'acceptance criteria|criteria checks|criteria status|criteria evaluation|criteria assessment|assessments',
);
/** What is said of all criteria at once, or of one by its number. A no counts; a yes is no verdict. */
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
export const criterionKeys = 'criterion|criteria|criterion number|criterion index|criterion id|number|id'.split('|');
export const pathKeys = 'path|file|filename|file path|location'.split('|');

/** Keys with their values, in the order of the answer; two keys that mean the same are both there. */
export type Fields = readonly (readonly [key: string, value: unknown])[];

export const isTable = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const fieldsOf = (value: object): Fields =>
  Object.entries(value).map(([key, each]): [string, unknown] => [flatKey(key), each]);

/** The value of the first of the names that has one. */
export function firstOf(fields: Fields, names: readonly string[]): unknown {
  for (const name of names.map(flatKey)) {
    const value = fields.find(([key, each]) => key === name && each !== undefined && each !== null)?.[1];
    if (value !== undefined) return value;
  }
  return undefined;
}

/** `{"passed": 1, "failed": 0}` counts tests, and judges nothing. */
export const isCount = (fields: Fields): boolean =>
  fields.some(([key, value]) => countKeys.has(key) && typeof value === 'number');
