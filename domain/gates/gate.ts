export type { Danger, GateFacts, GateRules, Verdict } from '../model/gate.ts';
