import type { GateFacts, GateRuling, GateRules } from '../types/basic/gate.ts';
import { ask, deny, quoteWord, worst } from './findings/finding.ts';
import { readRules } from './match-rules.ts';
import { readRule } from './read-rules.ts';

/**
 * The ruling about a host of the web, in the form of `readHost`. The web is closed: a host that no rule allows or asks about is refused.
 */
export function assessWeb(host: string, { rules, allowed }: Pick<GateFacts, 'rules' | 'allowed'>): GateRuling {
  const read = readRules(rules);
  const fitting = (list: keyof typeof read) => read[list].find((rule) => rule.kind === 'web' && rule.fits(host));
  const denied = fitting('deny');
  if (denied !== undefined) return deny(`A rule of the config forbids ${quoteWord(host)}: ${quoteWord(denied.text)}.`);
  const asks = fitting('ask');
  if (asks !== undefined) {
    const why = `It reads a page of ${quoteWord(host)}, and a rule of the config asks about that: ${quoteWord(asks.text)}.`;
    const ruling = ask('web', why, host);
    const isAllowed = ruling.kind === 'ask' && ruling.signature !== null && allowed.includes(ruling.signature);
    return worst(isAllowed ? [] : [ruling]);
  }
  if (fitting('allow') !== undefined) return { kind: 'allow' };
  return deny(`No rule of the config allows ${quoteWord(host)}.`);
}

/** Without a rule that lets a host through there is no web: models are not sent the tool. */
export const opensWeb = ({ allow, ask: asks }: GateRules): boolean => [...allow, ...asks].some(isWebRule);

export const isWebRule = (text: string): boolean => readRule(text)?.kind === 'web';
