import { onlyReads } from '../servers/hints.ts';
import type { ToolOrigin } from '../types/basic/tool-server.ts';
import type { GateFacts, GateRuling } from '../types/basic/gate.ts';
import { ask, deny, quoteWord, type GateFinding } from './findings/finding.ts';
import { readRules, toolRules } from './match-rules.ts';

/** A tool that is not Heddle's. */
export interface ForeignTool extends Pick<ToolOrigin, 'server' | 'hints'> {
  name: string;
}

/**
 * The ruling about a call of a tool of a server. What it does is known by its own word alone, so its name decides, and its hints. A rule
 * that names exactly this tool lifts the question about one that destroys; a rule with a star does not.
 */
export function assessTool(tool: ForeignTool, { rules, allowed }: Pick<GateFacts, 'rules' | 'allowed'>): GateRuling {
  const ruling = findByRules(tool, rules);
  const isLifted = ruling.kind === 'ask' && ruling.signature !== null && allowed.includes(ruling.signature);
  return isLifted ? { kind: 'allow' } : ruling;
}

function findByRules({ name, server, hints }: ForeignTool, given: GateFacts['rules']): GateFinding | { kind: 'allow' } {
  const rules = toolRules(name, readRules(given));
  if (rules.deny !== undefined) return deny(`A rule of the config forbids it: ${quoteWord(rules.deny)}.`);
  if (rules.ask !== undefined)
    return ask('rule', `A rule of the config asks about it: ${quoteWord(rules.ask)}.`, `tool ${name}`);
  if (rules.allow === 'exact') return { kind: 'allow' };
  const which = `${quoteWord(name)} of ${quoteWord(server)}`;
  if (hints.destructive === true)
    return ask('destructive', `${which} says of itself that what it does cannot be taken back.`);
  if (onlyReads(hints) || rules.allow === 'pattern') return { kind: 'allow' };
  return ask('tool', `${which} may change something, and only the server knows what.`, name);
}
