import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createToolRegistry } from '../../../../activities/tools/built-in-tools.ts';
import { readArguments } from '../../../../activities/tools/common/read-arguments.ts';
import { performEffect, planEffect, runReading } from '../../../../activities/tools/run-tool.ts';
import type { Tool, ToolOutcome, ToolContext } from '../../../../activities/tools/common/tool.ts';
import { toolNames, type BuiltInTool } from '../../../../domain/executors/agent.ts';
import { temporaryFolder } from '../../execute/program/support.ts';
import { placeAt } from '../../../support/tool-place.ts';

/** A workspace with a folder beside it that nobody may touch, and tools that work in it as the loop lets them. */
export interface ToolRig {
  workspace: string;
  outside: string;
  place: ToolContext;
  at: (path: string) => string;
  write: (files: Record<string, string | Buffer>) => void;
  call: (name: BuiltInTool, args: unknown, more?: Partial<ToolContext>) => Promise<ToolOutcome>;
}

export async function makeRig(): Promise<ToolRig> {
  const folder = await temporaryFolder();
  const [workspace, outside] = ['work', 'outside'].map((name) => join(folder, name)) as [string, string];
  mkdirSync(workspace);
  mkdirSync(outside);
  writeFileSync(join(outside, 'secret.txt'), 'classified\n');
  const place = placeAt(realpathSync(workspace));
  const at = (path: string): string => join(workspace, path);
  return {
    workspace,
    outside,
    place,
    at,
    write: (files) => {
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(at(path)), { recursive: true });
        writeFileSync(at(path), content);
      }
    },
    call: (name, args, more = {}) => callTool(name, JSON.stringify(args), { ...place, ...more }),
  };
}

export function toolOf(name: string): Tool {
  const tool = createToolRegistry().find(name, toolNames);
  if (typeof tool === 'string') throw new Error(tool);
  return tool;
}

/** One call from the model's text to its outcome. */
export async function callTool(name: string, input: string, place: ToolContext): Promise<ToolOutcome> {
  const tool = toolOf(name);
  const read = readArguments(tool, input);
  if (read.kind === 'invalid') return { ok: false, text: read.text };
  if (tool.kind === 'loop') return { ok: true, text: '' };
  if (tool.kind === 'reads') return runReading(tool, read.args, place);
  const planned = await planEffect(tool, read.args, place);
  if ('ok' in planned) return planned;
  const performed = await performEffect(tool, read.args, planned, place);
  return performed.kind === 'ended' ? performed.outcome : { ok: false, text: `unknown: ${performed.why}` };
}
