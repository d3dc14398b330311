import { estimateTokenCount } from 'tokenx';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { replaceFile } from '../../activities/system/durable-file.ts';
import { createToolRegistry } from '../../activities/tools/built-in-tools.ts';
import { toolNames } from '../../domain/executors/agent.ts';
import { systemPrompt } from '../../activities/prompts/system-prompt.ts';
import { leadTurns, turnSides, turnText, type Place } from './lead.ts';

/** A turn of either loop, and one durable write of 20 KB: as a whole file that takes a name, and as an append. */
export const turnSteps = [...turnSides, 'replaced', 'appended'] as const;
export type TurnStep = (typeof turnSteps)[number];

/** Milliseconds of each, in their order. */
export type TurnRound = Record<TurnStep, number[]>;

export interface TurnResults {
  turns: number;
  load: number;
  rounds: TurnRound[];
  /** Tokens, by estimate, of what every call carries besides the conversation. */
  tokens: { system: number; schemas: number };
}

/** All of them take their turns one after the other, who goes first changes: what else the machine does hits all alike. */
export async function measureTurns(turns: number, rounds: number): Promise<TurnResults> {
  const load = loadavg()[0] ?? NaN;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'heddle-bench-turns-')));
  try {
    const place = { root: join(folder, 'home'), workspace: join(folder, 'workspace'), file: 'lines.txt' };
    mkdirSync(place.workspace);
    writeFileSync(join(place.workspace, place.file), 'a line of the file\n'.repeat(turns));
    // Compiled and warm.
    await measureRound(turns, place);
    const measured: TurnRound[] = [];
    for (let round = 1; round <= rounds; round += 1) measured.push(await measureRound(turns, place));
    return { turns, load, rounds: measured, tokens: ownTokens() };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureRound(turns: number, place: Place): Promise<TurnRound> {
  const taken: TurnRound = { memory: [], durable: [], replaced: [], appended: [] };
  const memory = await leadTurns('memory', turns, place);
  const durable = await leadTurns('durable', turns, place);
  const log = await open(join(place.root, 'appended'), 'w');
  const steps: Record<TurnStep, () => Promise<number>> = {
    memory: () => memory.turn(),
    durable: () => durable.turn(),
    replaced: () => timed(() => replaceFile(join(place.root, 'replaced'), turnText, { durable: true })),
    appended: () =>
      timed(async () => {
        await log.appendFile(turnText);
        await log.datasync();
      }),
  };
  for (let turn = 0; turn < turns; turn += 1) {
    const first = turn % turnSteps.length;
    for (const step of [...turnSteps.slice(first), ...turnSteps.slice(0, first)]) taken[step].push(await steps[step]());
  }
  await Promise.all([memory.close(), durable.close(), log.close()]);
  return taken;
}

async function timed(work: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

function ownTokens(): TurnResults['tokens'] {
  const schemas = JSON.stringify(createToolRegistry().schemas(toolNames));
  return { system: estimateTokenCount(systemPrompt('executor', {})), schemas: estimateTokenCount(schemas) };
}
