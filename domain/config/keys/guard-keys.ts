import { defaultGuards } from '../../plan/select-guards.ts';
import type { ConfigKey } from './config-key.ts';

const { sandbox, gates, readRoots } = defaultGuards;

const aboutRules =
  'Rules such as "shell:npm test", "git:commit", "write:docs/**" or "web:docs.python.org". First deny, then ask, then allow; the lists of all sources add up.';

/** `[sandbox]` limits the commands of agents. */
export const sandboxKeys = [
  {
    key: 'sandbox.mode',
    about: "Where an agent's commands run: auto, require, container or off.",
    value: sandbox.mode,
  },
  { key: 'sandbox.network', about: 'Network access of these commands.', value: sandbox.network },
  {
    key: 'sandbox.read',
    about: 'Folders outside the workspace that these commands and the tools may read, relative to this file.',
    value: readRoots,
  },
] as const satisfies readonly ConfigKey[];

/** `[gates]` sets the calls of agents, and the programs of a plan, that are allowed, asked about or denied. */
export const gateKeys = [
  { key: 'gates.allow', about: aboutRules, value: gates.allow },
  { key: 'gates.ask', about: aboutRules, value: gates.ask },
  { key: 'gates.deny', about: aboutRules, value: gates.deny },
] as const satisfies readonly ConfigKey[];

/** `[web]` sets the hosts of a network of one's own that `web_fetch` may read. */
export const webKeys = [
  {
    key: 'web.internal',
    about:
      'Hosts with their port, such as "wiki.corp:443", that may be on this machine or in a private network. A rule `web:HOST` of `[gates]` is needed too.',
    value: [],
  },
] as const satisfies readonly ConfigKey[];
