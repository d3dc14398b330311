import type { Check, CheckContext } from './check.ts';

/** Nothing on stdout is a failure only where output was the result: no deliverables, no verify commands, and no file changed. */
export const checkOutput: Check = async (context) => {
  if (!outputWasTheResult(context) || !isBlank(context)) return [];
  const { input, root, stdout } = context;
  const { hasChanged, checks } = input;
  // A diff is asked for as output, and what was printed and lost may have said anything.
  const looks = hasChanged !== undefined && !checks.diff && stdout.kind !== 'unreadable';
  if (looks && (await hasChanged(root))) return [];
  const files = looks ? ' and no file of the workspace changed,' : '';
  const message = `${whyBlank(context)},${files} and the output is the result; print it.`;
  return [{ code: 'empty-output', severity: 'hard', message }];
};

const whyBlank = ({ stdout }: Pick<CheckContext, 'stdout'>): string =>
  stdout.kind === 'unreadable'
    ? 'The standard output could not be kept'
    : 'The program printed nothing on standard output';

export function outputWasTheResult({ input }: Pick<CheckContext, 'input'>): boolean {
  return input.checks.deliverables.length === 0 && input.checks.verify.length === 0;
}

/** White space is nothing, and so is what nobody has any more; the notes of a completion contract are something, even when nothing was printed (an activity's). */
export function isBlank({ input, stdout }: Pick<CheckContext, 'input' | 'stdout'>): boolean {
  if ((input.execution.contract?.notes ?? '').trim() !== '') return false;
  return stdout.kind === 'unreadable' || (stdout.kind === 'text' && stdout.text.trim() === '');
}
