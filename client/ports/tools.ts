import type { ResolvedConfig } from '../../domain/config/layers.ts';
import type { Problem } from '../../domain/errors/heddle-error.ts';

/** A tool that agents of a folder have. */
export interface ToolReport {
  name: string;
  /** `heddle`, the name of a server, or the path of a file. */
  from: string;
  kind: 'reads' | 'mutates' | 'loop';
  /** The answer of the gates; `depends`: on what a call does. */
  gate: 'allow' | 'ask' | 'deny' | 'depends';
  /** Tokens of each model request, estimated. */
  tokens: number;
}

/** A server of tools, as it was listed. */
export interface ServerReport {
  name: string;
  ok: boolean;
  /** Number of its tools. */
  tools: number;
  startMs: number;
  /** Why it cannot be used, in words. */
  error?: string;
}

export interface ToolsReport {
  tools: ToolReport[];
  servers: ServerReport[];
  /** Problems that would refuse a task, those of servers aside. */
  problems: Problem[];
}

/** Tools that are not Heddle's, as they are on this machine. */
export interface ToolsPort {
  /** Lists all tools of a config; `check` starts every server, also where a fresh list is at hand. */
  listTools(config: Pick<ResolvedConfig, 'values'>, options: { check: boolean }): Promise<ToolsReport>;
  /** Serves a file of tools on the standard streams, until its client leaves. Returns the exit code. */
  serveTools(file: string): Promise<number>;
}
