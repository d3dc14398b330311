import type { Redactor } from '../redact/redactor.ts';
import type { TextInspector } from './inspect/text-inspector.ts';

/**
 * A parser quotes a text as it likes, in pieces that nobody could recognise as part of a secret: of a text that holds one, only the
 * lines are told. The text is inspected as it is: a rule against keys in files must see them.
 */
export function redactInspector(inspector: TextInspector, redactor: Redactor): TextInspector {
  return {
    ...inspector,
    inspect: async (job) => {
      const result = await inspector.inspect(job);
      if (result.end !== 'done' || result.findings.length === 0 || !redactor.finds(job.text)) return result;
      return { ...result, findings: result.findings.map(keepLineNumber) };
    },
  };
}

const notShown = 'not shown, because the text contains the value of a variable that is kept secret';

/** `line 3: text`, or a parser's `... at line 3, column 5`. */
function keepLineNumber(finding: string): string {
  const line = /\bline (\d{1,7})\b/.exec(finding)?.[1];
  return line === undefined ? notShown : `line ${line}: ${notShown}`;
}
