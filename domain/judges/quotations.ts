/** A person or program that did the work, with a verb of speech. */
const reported =
  /\b(?:agents?|executor|program|author|worker|files?|logs?|script|tests?|output|it|its|they|he|she)\b.{0,80}\b(?:report|claim|sa(?:y|id)|print|wr(?:ite|ote)|output|return|state|contain|show|answer|read)/iu;
/** Phrases about what an answer could be, not what it is. */
const supposed =
  /\b(?:examples?|e\.g|for instance|formats?|templates?|schemas?|would|could|instead)\b|^\W*if\b|\bexpected (?:output|answer|reply|response|result|verdict|json)\b/iu;

/** Recognises a sentence that introduces someone else's words or a possible answer: neither is the judge's own verdict. */
export const isAboutOthers = (sentence: string): boolean => reported.test(sentence) || supposed.test(sentence);
