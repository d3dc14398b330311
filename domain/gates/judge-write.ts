import { isSecretPath } from '../workspace/secret-path.ts';
import type { GateFacts, Verdict } from './gate.ts';

export function judgeWrite(
  change: { tool: string; paths: readonly string[]; deletesFolder?: boolean },
  _facts: Pick<GateFacts, 'rules' | 'allowed'>,
): Verdict {
  const secret = change.paths.find(isSecretPath);
  if (secret !== undefined)
    return { kind: 'ask', danger: 'secret', why: `It changes ${secret}, where secrets are kept.`, signature: null };
  if (change.paths.some((path) => path.split('/').at(-1)?.toLowerCase() === 'heddle.toml'))
    return { kind: 'ask', danger: 'config', why: 'It changes heddle.toml.', signature: null };
  return change.deletesFolder === true
    ? { kind: 'ask', danger: 'delete', why: 'It deletes a folder with all that is in it.', signature: null }
    : { kind: 'allow' };
}
