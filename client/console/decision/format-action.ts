import type { GatedAction } from '../../../domain/types/agent.ts';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const quote = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** A gated action as one would type it; the arguments as JSON where it is no command. Nothing is cut. */
export function formatExact({ tool, arguments: given }: Pick<GatedAction, 'tool' | 'arguments'>): string {
  if (Array.isArray(given)) return given.map((word) => quote(String(word))).join(' ');
  if (isRecord(given)) {
    if (tool === 'shell' && typeof given['command'] === 'string') return given['command'];
    const { args } = given;
    if (tool === 'git' && Array.isArray(args)) return ['git', ...args.map((word) => quote(String(word)))].join(' ');
    if (typeof given['command'] === 'string' && Object.keys(given).length === 1) return given['command'];
  }
  if (typeof given === 'string') return given;
  return `${tool} ${JSON.stringify(given, null, 2)}`;
}

const dangers: Readonly<Record<string, string>> = {
  delete: 'deleting',
  privilege: 'more rights',
  history: 'rewriting history',
  publish: 'publishing',
  device: 'disks and devices',
  sql: 'changing a database',
  permissions: 'opening permissions',
  tool: 'a tool of a server',
  destructive: 'what cannot be taken back',
};

export const formatDanger = (danger: string): string => dangers[danger] ?? danger;
