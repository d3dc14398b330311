import { resolveLinks } from '../../../activities/files/resolve-links.ts';
import type { GateFacts } from '../../../domain/model/gate.ts';

/** What the gates of a test know: no rules, nothing allowed for good, commands in a sandbox. */
export const gatesOf = (workspace: string, given: Partial<GateFacts> = {}): GateFacts => ({
  workspace,
  readRoots: [],
  forbidden: [],
  sandboxed: true,
  rules: { allow: [], ask: [], deny: [] },
  allowed: [],
  resolve: resolveLinks,
  ...given,
});
