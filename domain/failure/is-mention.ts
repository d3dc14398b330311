/* Distinguishes an error that happened from an error that a sentence, a test's name or a document merely mentions. */

/** Words that turn the rest of a sentence into a description or an instruction; not as part of a host or a path. */
const describes =
  /(?<![\w@./-])(?:should|shouldn't|handles?|handling|returns?|expects?|expected|expecting|tests?|specs?|describes?|documents?|documented|docs?|documentation|readme|explains?|mentions?|throws|rejects|simulates?|mocks?|mocked|stubs?|emits?|renders?|covers?|examples?|e\.g\.|such as|instead of|rather than|whether|unless|in case|avoid|prevents?|supports?|adds?|added|implements?|implemented|fix(?:es|ed)?|refactor(?:ed|s)?|todo|fixme|asserts?|assertion|given|scenario|verif(?:y|ies) that|checks? that|retr(?:y|ies) (?:on|when|after)|treats?|ignor(?:e|es|ing)|was skipped|grep|chapter|section)(?![\w/-]|\.\w)/i;

/** Words that do so only directly before the error. */
const describesNext =
  /\b(?:when|whenever|if|on|for|about|any|every|each|as|not|no longer|never|without|isn't|wasn't|aren't|like|of)\s+(?:an? |the |HTTP ){0,2}$/i;
const blames = /\b(?:because|result|instance) of\s+(?:an? |the |HTTP ){0,2}$/i;

/** Verbs with a mentioned error as their subject. */
const described =
  /^["'`)\]]{0,2}\s{1,3}(?:responses?|replies|errors\b|handling|handlers?|cases?|statuses|pages?|tests?|scenarios?|branch(?:es)?|paths?|logic|middleware|retries|(?:is|are|gets?) (?:now |correctly |properly )?(?:returned|thrown|handled|expected|raised|retried|ignored|shown|logged|tested|documented|covered)|should|means?\b|in (?:the )?(?:docs?|readme|tests?|comments?|code)\b|as expected)/i;

/** A condition after the error makes it a description, unless the sentence complains. */
const condition = /^["'`)\]]{0,2}\s{1,3}(?:when|whenever|if|unless)\b/i;
const complains = /error|fail|fatal|exception|unable|cannot|could not|denied/i;

/** Characters after the error that are read. */
const lookahead = 60;

/** Decides if the text from `start` to `end` of a line is stated as a fact. */
export function isStatedAsFact(line: string, start: number, end: number): boolean {
  const sentence = line.slice(sentenceStart(line, start), start);
  if (describes.test(sentence)) return false;
  if (describesNext.test(sentence) && !blames.test(sentence)) return false;
  const after = line.slice(end, end + lookahead);
  return !described.test(after) && (complains.test(sentence) || !condition.test(after));
}

function sentenceStart(line: string, before: number): number {
  let start = 0;
  for (const { index } of line.slice(0, before).matchAll(/[.!?]\s/g)) start = index + 2;
  return start;
}
