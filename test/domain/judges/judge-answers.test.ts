/*
 * Answers of judges that must never be taken for more than they say: an answer passes only where it holds an explicit yes of the judge
 * itself, and nothing in it says otherwise.
 */
import { describe, expect, test } from 'vitest';
import { readJudgement } from '../../../domain/judges/read-judgement.ts';

const criteria = ['every change is named', 'there is an upgrade section'];

type Verdict = 'pass' | 'warn' | 'partial' | 'fail' | 'undecided' | 'unread';
type Row = [what: string, text: string, verdict: Verdict];

const verdictOf = (text: string): Verdict => readJudgement(text, criteria)?.verdict ?? 'unread';

const no = '{"passed": false, "confidence": 0.9, "issues": ["x is missing"]}';
const yes = '{"passed": true, "confidence": 0.9, "issues": []}';

describe('the object of an answer that counts', () => {
  test.each<Row>([
    [
      'a quoted report, then a no',
      `The agent reported {"status":"success"} but the file does not exist. ${no}`,
      'fail',
    ],
    ['a no, then a quoted report', `${no}\nThe agent had reported {"status":"success"}.`, 'fail'],
    ['a quoted ok, then a no', `{"ok": true}\n${no}`, 'fail'],
    ['a quoted failure, then a yes', `Its first run said {"status":"failed"}.\n${yes}`, 'pass'],
    ['a draft that passed, then a no', `${yes}\nOn a second look:\n${no}`, 'fail'],
    ['a no, then evidence that quotes a yes', `${no}\nIts own file says {"passed": true}`, 'fail'],
    ['a no, then a yes', `${no}\n${yes}`, 'unread'],
    ['two that pass', `${yes}\n${yes}`, 'pass'],
    ['two that fail', `${no}\n${no}`, 'fail'],
    ['a verdict against it, then a yes', `{"verdict": "FAIL"}\n${yes}`, 'unread'],
    ['a yes of the agent alone', 'The agent reported {"passed": true} but the file does not exist.', 'unread'],
    ['a yes of the agent at the end of a line', 'The agent printed {"passed": true}.\nI see no file.', 'unread'],
    ['a yes in a quotation', '> {"passed": true}\n\nThat is what it claims.', 'unread'],
    ['a yes in evidence that is a string', '{"passed": false, "evidence": "{\\"passed\\": true}"}', 'fail'],
    ['a yes in evidence that is an object', '{"evidence": {"passed": true}, "comment": "the file is empty"}', 'unread'],
    ['a no beside evidence with a yes', '{"passed": false, "evidence": {"passed": true}}', 'fail'],
    ['a yes beside something that failed', '{"passed": true, "tests": {"passed": false}}', 'unread'],
    ['a yes that words take back', `${yes}\nHowever, the upgrade section is missing.`, 'unread'],
    ['a yes after a verdict line against it', `**Verdict: FAIL**\n${yes}`, 'unread'],
    ['a no after a verdict line for it', `Verdict: PASS\n${no}`, 'unread'],
    ['a yes with friendly words behind it', `Here it is:\n${yes}\nHope that helps!`, 'pass'],
    ['thoughts that lost their opening tag', 'Perhaps {"passed": true}.</think>I cannot tell.', 'unread'],
    ['thoughts that lost their opening tag, then a no', `Perhaps ${yes}</think>${no}`, 'fail'],
    [
      'a fence for evidence, a fence for the verdict',
      '```json\n{"status": "ok"}\n```\n```json\n' + no + '\n```',
      'fail',
    ],
    ['an example', 'Example: {"passed": true}', 'unread'],
    ['what it would say', 'With a section I would say: {"passed": true}', 'unread'],
    ['what it says under a condition', 'If the file existed: {"passed": true}', 'unread'],
    [
      'a yes in a tag, then whose it is',
      '<answer>{"passed": true}</answer> is what the agent asked me to say.',
      'unread',
    ],
    ['a yes in a comment of the work', '<!-- {"passed": true} -->\nNothing works.', 'unread'],
    ['a yes in a comment of its code', '/* {"passed": true} */', 'unread'],
    ['a yes, then a verdict that is left open', '{"passed": true}\n{"passed": null}', 'unread'],
    ['a yes in a tag', '<answer>{"passed": true}</answer>', 'pass'],
    ['what is expected', 'Expected output: {"passed": true}', 'unread'],
    ['all as expected', 'All is as expected: {"passed": true}', 'pass'],
    ['the form that was asked for', '{"passed": true or false, "confidence": 0.0 to 1.0}', 'unread'],
    ['a wrapper', '{"judgement": {"passed": true}}', 'pass'],
    ['a wrapper with a status of its own', '{"status": "success", "data": {"passed": false}}', 'fail'],
    ['the call of a tool', '{"name": "submit", "arguments": {"passed": true}}', 'pass'],
  ])('is chosen: %s', (_, text, verdict) => expect(verdictOf(text)).toBe(verdict));
});

describe('a yes', () => {
  test.each<Row>([
    ['a status of success', '{"status": "success"}', 'unread'],
    ['a status of pass', '{"status": "pass"}', 'unread'],
    ['ok', '{"ok": true}', 'unread'],
    ['success', '{"success": true, "confidence": 1}', 'unread'],
    ['a result', '{"result": "pass"}', 'unread'],
    ['all of them', '{"status": "success", "ok": true, "success": true, "result": "passed"}', 'unread'],
    ['a status of failed', '{"status": "failed"}', 'fail'],
    ['not ok', '{"ok": false}', 'fail'],
    ['no success', '{"success": "no"}', 'fail'],
    ['an unsuccessful result', '{"result":"unsuccessful"}', 'fail'],
    ['an un-successful result', '{"result":"Un-successful"}', 'fail'],
    ['a yes beside a status of failed', '{"passed": true, "status": "failed"}', 'unread'],
    ['a no beside a status of complete', '{"passed": false, "status": "complete"}', 'fail'],
    ['passed that is null', '{"passed": null}', 'unread'],
    ['passed that is null beside an outcome', '{"passed": null, "outcome": "pass"}', 'unread'],
    ['passed that is null beside a failure', '{"passed": null, "outcome": "fail"}', 'fail'],
    ['passed as "true"', '{"passed": "true"}', 'pass'],
    ['passed as "no"', '{"passed": "no"}', 'fail'],
    ['passed as "maybe"', '{"passed": "maybe", "verdict": "pass"}', 'unread'],
    ['passed as a list of criteria', '{"passed": ["every change is named"], "failed": ["upgrade"]}', 'fail'],
    ['counts of tests', '{"passed": 1, "failed": 0, "total": 1}', 'unread'],
    ['passed twice in two spellings', '{"passed": true, "Passed": false}', 'unread'],
    ['passed twice', '{"passed": true, "passed": false}', 'unread'],
    ['not failed', '{"failed": false}', 'unread'],
    ['a yes that is unsure of itself', '{"passed": true, "outcome": "inconclusive"}', 'unread'],
    ['a yes that names why it failed', '{"passed": true, "reasonCode": "criteria-unmet"}', 'unread'],
    ['a verdict in a sentence', '{"verdict": "PASS. All criteria are met."}', 'pass'],
    ['a verdict against it in a sentence', '{"verdict": "FAIL: the section is missing"}', 'fail'],
    ['a verdict with a but', '{"verdict": "PASS, but the section is missing"}', 'unread'],
    ['a good verdict', '{"verdict": "good"}', 'unread'],
    ['Python', "{'passed': True, 'issues': []}", 'pass'],
    ['curly quotes', '{“passed”: false}', 'fail'],
    ['words in place of the value', '{"passed": true/false}', 'unread'],
  ])('needs an explicit word: %s', (_, text, verdict) => expect(verdictOf(text)).toBe(verdict));
});

describe('an answer in prose', () => {
  test.each<Row>([
    ['a number', '1', 'unread'],
    ['a number with a point', '1.', 'unread'],
    ['the first item of a list', '1. The names are there.\n2. The section is not.', 'unread'],
    ['a heading', 'Accept:\n- the names', 'unread'],
    ['a heading over a list with a number', 'PASS:\n1\n', 'unread'],
    ['a key for its own value', 'passed:"passed":', 'unread'],
    ['a verdict and its reason behind a colon', 'PASS: all criteria are met', 'pass'],
    ['a key in place of a verdict', 'Verdict: passed: no', 'unread'],
    ['a heading over a verdict', '## Verdict\n\nPASS', 'pass'],
    ['a heading over a verdict in bold', '**Verdict:**\n**FAIL** - nothing is there', 'fail'],
    ['a verdict in a fence', '```\nVerdict: PASS\n```', 'pass'],
    ['a heading over what passed', 'PASS:\n- the names', 'unread'],
    ['a heading of what passed', 'PASS:\n- the names\n\nFAIL:\n- the section', 'unread'],
    ['a status', 'Status: complete', 'unread'],
    ['a status of pass', 'Status: PASS', 'unread'],
    ['something good', 'Overall: good', 'unread'],
    ['a yes to something', 'Yes.\nI will look at it now.', 'unread'],
    ['ok', 'OK', 'unread'],
    ['a mark', '✅', 'unread'],
    ['a verdict in a sentence', 'Verdict: PASS. All criteria are met.', 'pass'],
    ['a verdict in bold, then why', '**Verdict: FAIL** - the second criterion is not met.', 'fail'],
    ['a verdict in bold', '**Verdict:** PASS', 'pass'],
    ['a verdict in bold capitals', '**VERDICT: PASS** (all criteria are met)', 'pass'],
    ['a verdict with a but', 'Verdict: PASS, but the upgrade section is missing.', 'unread'],
    ['a verdict with an unmet criterion', 'Verdict: PASS. Criterion 2 is unmet.', 'unread'],
    ['a verdict with a criterion that failed', 'PASS - criterion 1 is fine.\nCriterion 2 was violated.', 'unread'],
    ['a verdict on one of two criteria', 'Verdict: Passed - 1 of 2 criteria', 'unread'],
    ['a verdict on two of two criteria', 'Verdict: Passed - 2 of 2 criteria', 'pass'],
    ['a verdict in a log', 'The log:\n```\nVerdict: PASS\n```\nNothing was written.', 'unread'],
    ['a verdict in what the agent wrote', 'The agent wrote:\n\nVerdict: PASS\n\nI saw nothing.', 'unread'],
    ['a verdict on a condition', 'Verdict: PASS if the tests are green', 'unread'],
    ['both at once', 'Verdict: PASS or FAIL', 'unread'],
    ['a slash', 'Verdict: pass/fail', 'unread'],
    ['a question', 'Verdict: PASS?', 'unread'],
    ['a verdict that later lines take back', 'Verdict: PASS\nVerdict: FAIL', 'unread'],
    ['a verdict that is struck out', 'Verdict: ~~PASS~~', 'unread'],
    ['a verdict in place of one that is struck out', 'Verdict: ~~PASS~~ FAIL', 'fail'],
    ['a quoted verdict', '> Verdict: PASS\n\nThat is what the agent wrote.', 'unread'],
    ['a verdict with warnings', 'Verdict: pass with warnings', 'warn'],
    ['a word, then why', 'PASS - all criteria are met', 'pass'],
    ['a word that its reason takes back', 'PASS - but nothing was written', 'unread'],
    ['a status of failed', 'Status: failed', 'fail'],
    ['a failed criterion', '- Criterion 1: PASS\n- Criterion 2: FAIL\n\nVerdict: PASS', 'fail'],
    [
      'a failed criterion in a table',
      '| every change is named | ✅ |\n| there is an upgrade section | ❌ |\n\nVerdict: PASS',
      'fail',
    ],
    ['a table of columns', '| Criterion | Verdict |\n| --- | --- |\n| 1 | PASS |\n| 2 | PASS |', 'unread'],
    ['a table of rows', '| passed | no |\n| confidence | 70% |', 'fail'],
  ])('is read: %s', (_, text, verdict) => expect(verdictOf(text)).toBe(verdict));
});

describe('a truncated answer', () => {
  test.each<Row>([
    ['behind its yes', '{"passed": true, "conf', 'unread'],
    ['inside of a value', '{"passed": tru', 'unread'],
    ['behind its value', '{"passed": true', 'unread'],
    ['in a fence', '```json\n{"passed": true, "confidence": 0.9, "issues": [', 'unread'],
    ['in a list', '[{"passed": true}, {"passed": tr', 'unread'],
    ['in a string', '{"passed": true, "feedback": "all is', 'unread'],
    ['in a wrapper', '{"judgement": {"passed": true}', 'unread'],
    ['a yes, then the beginning of another', `${yes}\n{"passed": fal`, 'unread'],
    ['a no', '{"passed": false, "issues": ["the section is', 'fail'],
  ])('is read or refused: %s', (_, text, verdict) => expect(verdictOf(text)).toBe(verdict));

  test('never passes, wherever it was cut', () => {
    const whole = JSON.stringify({ passed: true, confidence: 0.9, outcome: 'pass', issues: [], feedback: 'a "b" {c}' });
    const cuts = Array.from({ length: whole.length }, (_, end) => whole.slice(0, end));
    expect(cuts.filter((text) => ['pass', 'warn'].includes(verdictOf(text)))).toEqual([]);
    expect(verdictOf(whole)).toBe('pass');
  });
});

const withIssue = (issue: unknown): string => JSON.stringify({ passed: true, confidence: 0.9, issues: [issue] });

describe('a yes beside a problem', () => {
  test.each<Row>([
    [
      'a failed criterion',
      '{"passed": true, "criteria": [{"criterion": 1, "passed": true}, {"criterion": 2, "passed": false}]}',
      'fail',
    ],
    [
      'a criterion that is not met',
      '{"passed": true, "criteria": [{"id": 1, "met": true}, {"id": 2, "met": "no"}]}',
      'fail',
    ],
    ['a criterion whose status is failed', '{"passed": true, "criteria": [{"id": 2, "status": "FAILED"}]}', 'fail'],
    ['a criterion in a table', '{"passed": true, "criteria": {"1": true, "2": false}}', 'fail'],
    [
      'a criterion in a table of tables',
      '{"passed": true, "results": {"1": {"passed": "yes"}, "2": {"passed": "no"}}}',
      'fail',
    ],
    ['a criterion as a word in a list', '{"passed": true, "criteria": ["pass", "fail"]}', 'fail'],
    [
      'a criterion in a list of another name',
      '{"passed": true, "requirements": [{"name": "a", "passed": false}]}',
      'fail',
    ],
    ['a criterion with its word behind it', '{"passed": true, "criteria": ["names: met", "section: not met"]}', 'fail'],
    ['a sentence about a criterion in a list', '{"passed": true, "criteria": ["Criterion 2 is not met"]}', 'fail'],
    ['criteria as keys in a list', '{"passed": true, "criteria": [{"names": true}, {"section": false}]}', 'fail'],
    ['a key for a criterion', '{"passed": true, "criterion_1": true, "criterion_2": false}', 'fail'],
    ['the words of a criterion as a key', '{"passed": true, "there is an upgrade section": "no"}', 'fail'],
    ['a key for all criteria', '{"passed": true, "allCriteriaMet": false}', 'fail'],
    ['a list of what each criterion is', '{"passed": true, "criteria_met": [true, false]}', 'fail'],
    ['a key for all criteria alone', '{"allCriteriaMet": true}', 'unread'],
    ['keys for criteria alone', '{"criterion_1": true, "criterion_2": true}', 'unread'],
    ['criteria that are met, by name', '{"passed": true, "criteria_met": ["every change is named"]}', 'pass'],
    ['a list of criteria without words', '{"passed": true, "criteria": ["no TODO: none may fail"]}', 'pass'],
    ['a list of unmet criteria', '{"passed": true, "unmetCriteria": [2]}', 'fail'],
    ['an empty list of unmet criteria', '{"passed": true, "unmetCriteria": []}', 'pass'],
    [
      'criteria that all passed',
      '{"passed": true, "criteria": [{"id": 1, "passed": true}, {"id": 2, "passed": true}]}',
      'pass',
    ],
    ['a criterion that is partly met', '{"passed": true, "criteria": [{"id": 1, "verdict": "partial"}]}', 'partial'],
    ['a list for one of two criteria alone', '{"criteria": [{"criterion": 1, "passed": true}]}', 'unread'],
    ['a list of what is missing', '{"passed": true, "missing": ["upgrade section"]}', 'fail'],
    ['nothing that is missing', '{"passed": true, "missing": []}', 'pass'],
    ['a list of what must be mended', '{"passed": true, "mustFix": ["add the section"]}', 'fail'],
    ['a list of changes that are required', '{"passed": true, "required_changes": ["add the section"]}', 'fail'],
    ['a criterion with no points', '{"passed": true, "criteria": [{"criterion": 2, "score": 0}]}', 'fail'],
    ['a remark on a criterion', '{"passed": true, "criteria": [{"criterion": 2, "comment": "not satisfied"}]}', 'fail'],
    ['a reason that is a no', '{"passed": true, "reason": "FAIL: no section"}', 'unread'],
    ['advice against it', '{"passed": true, "recommendation": "do not merge"}', 'unread'],
    ['a judge that saw nothing', '{"passed": true, "feedback": "I could not verify anything."}', 'unread'],
    ['feedback that it does not pass', '{"passed": true, "feedback": "Does not pass."}', 'unread'],
    ['feedback that there is none', '{"passed": true, "feedback": "No."}', 'pass'],
    ['an issue of the first priority', withIssue({ priority: 'P0', message: 'it does not compile' }), 'fail'],
    ['an issue of the highest severity', withIssue({ severity: 'sev1', message: 'it does not compile' }), 'fail'],
    ['an issue that is an error', withIssue({ severity: 'error', message: 'it does not compile' }), 'fail'],
    ['an issue about errors', withIssue({ type: 'error handling', message: 'a word is odd' }), 'warn'],
    ['a major issue', withIssue({ severity: 'major', message: 'the section is missing' }), 'fail'],
    ['a critical issue', withIssue({ Severity: 'CRITICAL', message: 'a key is in the file' }), 'fail'],
    ['a blocking issue', withIssue({ blocking: true, message: 'it does not start' }), 'fail'],
    ['a hard issue', withIssue({ level: 'hard', message: 'the rule is broken' }), 'fail'],
    ['a blocker in words', withIssue('Blocker: it does not start'), 'fail'],
    ['a major issue in words', withIssue('[MAJOR] the section is missing'), 'fail'],
    ['a critical problem in words', withIssue('This is a critical problem: a key is in the file.'), 'fail'],
    ['an unmet criterion in words', withIssue('Criterion 2 is not met.'), 'fail'],
    ['an unmet requirement in words', withIssue('It does not fully meet the second requirement'), 'fail'],
    ['an issue that says all is met', withIssue('No criterion is unmet; the wording is odd'), 'warn'],
    ['an unmet criterion in the feedback', '{"passed": true, "feedback": "It does not meet criterion 2."}', 'unread'],
    ['a weight in brackets behind the issue', withIssue('the section is missing [major]'), 'fail'],
    ['an issue that says it is a blocker', withIssue('A missing section is a blocker.'), 'fail'],
    ['an issue that begins with its weight in capitals', withIssue('CRITICAL the section is missing'), 'fail'],
    ['issues by weight', '{"passed": true, "issues": {"critical": ["no section"], "minor": []}}', 'fail'],
    ['issues by weight, as texts', '{"passed": true, "issues": {"major": "no section"}}', 'fail'],
    [
      'issues by weight, none of them grave',
      '{"passed": true, "issues": {"critical": [], "minor": ["a typo"]}}',
      'warn',
    ],
    ['a list of critical issues', '{"passed": true, "criticalIssues": ["no section"]}', 'fail'],
    ['a list of blockers', '{"passed": true, "blockers": [{"message": "no section"}]}', 'fail'],
    ['a count of major issues', '{"passed": true, "major_issues": 1}', 'fail'],
    ['critical issues in a flag', '{"passed": true, "hasCriticalIssues": true}', 'fail'],
    ['no critical issues', '{"passed": true, "criticalIssues": [], "blockers": "none", "major_issues": 0}', 'pass'],
    ['one severity for all issues', '{"passed": true, "issues": ["no section"], "severity": "major"}', 'fail'],
    ['a severity of no issue', '{"passed": true, "issues": [], "severity": "major"}', 'pass'],
    ['a checklist', '{"passed": true, "checklist": {"names": true, "section": false}}', 'fail'],
    [
      'a list of acceptance criteria',
      '{"passed": true, "acceptance_criteria": {"names": "met", "section": "unmet"}}',
      'fail',
    ],
    ['an issue that is no blocker', withIssue('A typo, which is not a blocker'), 'warn'],
    ['an issue about something hard-coded, in capitals', withIssue('HARD-CODED value in line 3'), 'warn'],
    ['an issue that is not blocking', withIssue({ severity: 'non-blocking', message: 'a typo' }), 'warn'],
    ['a minor issue', withIssue({ severity: 'minor', message: 'a typo' }), 'warn'],
    ['an issue with no severity', withIssue('The wording is odd.'), 'warn'],
    ['an issue about a hard-coded value', withIssue('A hard-coded value in line 3'), 'warn'],
    ['an issue about a major version', withIssue('The major version is named twice'), 'warn'],
    ['an issue that says it is not critical', withIssue('Not a critical issue: a typo'), 'warn'],
    ['no issue in words', '{"passed": true, "issues": ["None"]}', 'pass'],
    ['a list of issues in prose', 'Verdict: PASS\n\nIssues:\n- the wording is odd', 'warn'],
    ['a critical issue in prose', 'Verdict: PASS\n\nIssues:\n- CRITICAL: the section is missing', 'fail'],
  ])('is weighed: %s', (_, text, verdict) => expect(verdictOf(text)).toBe(verdict));
});
