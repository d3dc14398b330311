import { join } from 'node:path';
import { Artifacts } from '../activities/artifacts/artifacts.ts';
import type { AgentParts } from '../activities/agent/run-agent.ts';
import { mayExist } from '../activities/system/may-exist.ts';
import { resolveLinks } from '../activities/files/resolve-links.ts';
import { FileStore } from '../activities/store/file-store.ts';
import { createToolRegistry } from '../activities/tools/built-in-tools.ts';

interface Wanted {
  /** The home, and the folder that each turn reads in. */
  root: string;
  workspace: string;
  attempt: number;
  turns: number;
}

/** An agent of the bench, but for its log and its models: its tools read, no command runs, no gate is asked, and nobody looks on. */
export function agentParts({ root, workspace, attempt, turns }: Wanted): Omit<AgentParts, 'log' | 'models'> {
  const rules = { allow: [], ask: [], deny: [] };
  const store = new FileStore(join(root, 'store'));
  return {
    registry: createToolRegistry(),
    store,
    context: {
      ...{
        workspace,
        readRoots: [],
        guarded: { own: [], programs: [] },
        fixedDeliverables: [],
        readOriginal: () => Promise.resolve(undefined),
      },
      commands: {
        sandboxed: false,
        walled: false,
        reachesMachine: false,
        keepsSettings: false,
        run: () => Promise.reject(new Error('no command is expected')),
      },
      gates: {
        ...{ workspace, readRoots: [], forbidden: [], sandboxed: false, walled: false, rules, allowed: [] },
        resolve: resolveLinks,
        exists: mayExist,
      },
      web: { internal: [], folder: join(root, 'pages'), redact: (text) => text },
      artifacts: new Artifacts({ manifest: join(root, 'artifacts.jsonl'), store, subtask: 'bench', attempt }),
    },
    owner: {
      asker: { task: 'bench', role: 'executor', subtask: 'bench', attempt },
      readNews: () => Promise.resolve({ paused: false, steering: [] }),
      redact: (text) => text,
    },
    signal: new AbortController().signal,
    iterations: turns + 1,
    timeout: 60 * 60_000,
    ceiling: {},
    resume: null,
    onTurn: () => undefined,
    onAnswer: () => undefined,
    onRefusal: () => undefined,
    onPermit: () => undefined,
    onCompaction: () => undefined,
  };
}
