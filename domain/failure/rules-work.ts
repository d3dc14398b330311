import type { FailureRule } from './rule.ts';
import { headline, errorNamed } from './error-forms.ts';

/* Failures of an agent's own work: they climb the ladder, and their text helps the next attempt. */

export const workRules: readonly FailureRule[] = [
  {
    type: 'merge-conflict',
    sentences: [
      headline('merge conflicts?(?: in \\S{1,200})?'),
      /\bautomatic merge failed\b/i,
      /\bcould not apply [0-9a-f]{7,40}\b/i,
      /\bmerging is not possible because you have unmerged files\b/i,
      /\bunresolved (?:merge )?conflicts\b/i,
      /\bfix conflicts and then commit the result\b/i,
      /\b(?:resolve|fix) all conflicts manually\b/i,
      /\byou have (?:unmerged|conflicting) (?:paths|files)\b/i,
    ],
    formed: [/^CONFLICT \([a-z/ ]{3,40}\): /, /^error: could not apply [0-9a-f]{7,40}/, /^Text conflicts: \d/],
  },
  {
    type: 'diff-invalid',
    sentences: [
      /\bpatch does not apply\b/i,
      /\bcorrupt patch at (?:line|\S+:)/i,
      /\bpatch fragment without header\b/i,
      /\bno valid patches in input\b/i,
      /\bmalformed patch at line\b/i,
      /\bonly garbage was found in the patch input\b/i,
      /\bhunks? (?:#\d+ )?FAILED\b/,
      /\bfailed to apply (?:the )?(?:patch|diff|hunk)\b/i,
      /\b(?:patch|diff|hunk) (?:could not be|cannot be|was not|failed to) appl(?:ied|y)\b/i,
    ],
    formed: [/^error: patch failed: \S/, /^\d+ out of \d+ hunks? (?:FAILED|ignored)/],
  },
  {
    type: 'format-invalid',
    cause: 'An answer was not in the requested format.',
    fix: 'Answer in exactly the requested format: valid JSON where JSON is requested, without fences or words around it.',
    sentences: [
      /\b(?:response|output|reply|answer|result|message)(?: \w+){0,4} (?:is|was) not (?:a )?(?:valid )?(?:JSON|well[- ]formed|parsable|parseable)\b/i,
      /\b(?:failed to|could not|couldn't|unable to|cannot) (?:parse|decode) (?:the |its )?(?:\w+(?:'s)? ){0,2}(?:response|output|reply|answer|arguments|tool call|result)\b/i,
      /\b(?:invalid|malformed) (?:JSON|tool call|function call|output format)(?: \w+){0,3} (?:in|from|by|of) (?:the )?(?:model|agent|assistant|response|output|tool|LLM)(?:'s)?(?: response| output| reply)?\b/i,
      /\b(?:response|output|reply|answer|arguments)(?: \w+){0,3} (?:does|do|did) not (?:match|conform to|fit|satisfy) (?:the )?(?:\w+ )?(?:schema|format)\b/i,
      /\bdid not return (?:a )?valid (?:JSON|output|response)\b/i,
      /\b(?:output|response) validation (?:failed|error)\b/i,
    ],
    formed: [errorNamed('error_max_structured_output_retries'), /^(?:\w+\.)*OutputParserException\b/],
  },
  {
    type: 'empty-output',
    cause: 'The answer was empty.',
    sentences: [
      /\b(?:model|assistant|agent|API|LLM|provider)(?: \w+){0,2} (?:returned|gave|produced|sent) (?:an )?(?:empty|no|blank) (?:response|output|content|answer|message|text)\b/i,
      /\b(?:empty|blank) (?:response|completion|answer|message) (?:from|by|received from) (?:the )?(?:model|assistant|API|LLM|provider)\b/i,
      /\bno (?:output|content|text|response|candidates) (?:was |were )?(?:generated|produced|returned)\b/i,
    ],
  },
  {
    type: 'tool-failed',
    cause: 'The agent used up the turns that it was allowed.',
    fix: 'Do the core requirement first, with fewer tool calls, and finish before the turns run out.',
    sentences: [
      /\b(?:reached|exceeded|hit) (?:the )?(?:max(?:imum)?(?: number of)?|limit of) (?:\d+ )?(?:turns|iterations|steps|tool calls)\b/i,
      /\bmax(?:imum)?[ _-](?:number of )?(?:turns|iterations|steps) (?:\(?\d+\)? )?(?:reached|exceeded|hit)\b/i,
      /\b(?:turn|iteration|step|recursion) limit (?:of \d+ )?(?:was |has been )?(?:reached|exceeded|hit)\b/i,
    ],
    formed: [errorNamed('error_max_turns')],
  },
  {
    type: 'evidence-gap',
    sentences: [/\bmissing evidence for\b/i],
  },
  {
    type: 'blocked',
    cause: 'The program reports that it cannot continue.',
    sentences: [/^(?:status: ?)?blocked(?=: | - )/i],
  },
];

/** Read in the notes of a program's own report, nowhere else. */
export const blockedRules: readonly FailureRule[] = [
  {
    type: 'blocked',
    cause: 'The program reports that it cannot be done as asked.',
    sentences: [
      /^impossible\b/i,
      /\b(?:is|are|seems?|looks) impossible\b/i,
      /\bimpossible (?:to|as)\b/i,
      /\b(?:conflicting|contradictory|mutually exclusive|incompatible) (?:requirements|instructions|constraints|criteria)\b/i,
      /\b(?:requirements|instructions|constraints|criteria|goals)(?: \w+){0,3} (?:conflict|contradict|exclude)\b/i,
      /\bcannot be (?:done|completed|satisfied|met|fulfilled|implemented) as (?:it is |they are )?(?:specified|written|stated|described|asked)\b/i,
      /^(?:status: )?blocked\b(?= (?:by|on|because|until)|: | - |\.|$)/i,
    ],
  },
];
