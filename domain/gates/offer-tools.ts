import type { GateRules } from '../types/basic/gate.ts';
import { webTools } from '../executors/agent.ts';
import { opensWeb } from './assess-web.ts';

/** The tools of an executor that its model is sent: a tool for the web only where a rule lets some host through. */
export const offerTools = (names: readonly string[], gates: GateRules): string[] =>
  opensWeb(gates) ? [...names] : names.filter((name) => !webTools.has(name));
