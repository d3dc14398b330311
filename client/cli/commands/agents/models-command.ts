import { modelRoles } from '../../../../domain/llm/model-schema.ts';
import { hasKnownCost } from '../../../../domain/llm/price.ts';
import type { Model } from '../../../../domain/types/llm.ts';
import { formatDuration } from '../../../../domain/text/duration.ts';
import { checkModels } from '../../../models/check-models.ts';
import { describeModels } from '../../../models/describe-models.ts';
import { listModels, listRoutes, tiers } from '../../../models/list-models.ts';
import type { ModelCheck } from '../../../ports/models.ts';
import { plainLine } from '../../../terminal/text/terminal-text.ts';
import type { Context } from '../../shared/context.ts';
import { exits } from '../../shared/exit-codes.ts';
import { noteModels } from '../../shared/note-models.ts';
import { renderTable, type Row } from '../../../terminal/render/table.ts';

export interface ModelsOptions {
  check?: boolean;
  config?: string[];
}

/** `heddle models`: which model serves each role and tier from this folder; with `--check`, whether it answers. */
export async function modelsCommand(context: Context, options: ModelsOptions): Promise<number> {
  const { ports, output } = context;
  const { models, settings } = await listModels(ports, options.config ?? []);
  noteModels(context, settings);
  const onCheck = ({ name }: Model): void => {
    if (output.live) output.note(`Asking ${plainLine(name)}`);
  };
  const checks = options.check === true ? await checkModels(ports, models, onCheck) : undefined;
  if (output.json) output.data(describeModels(models, checks));
  else if (models.length === 0)
    output.print(
      'There are no models: set the key of a service, log in to an agent CLI, or write a config with `heddle init --model NAME`.',
    );
  else printTables(context, models, checks);
  if (!output.json) await printMachine(context);
  const ok = [...(checks?.values() ?? [])].every((check) => check.ok);
  return ok ? exits.done : exits.failed;
}

/** The keys, agent programs and model servers that are there, used or not: one of them may be what is missing. */
async function printMachine({ ports, output }: Context): Promise<void> {
  const { seen = [] } = (await ports.findModels({ all: true })) ?? {};
  if (seen.length === 0) return;
  const rows = seen.map((name): Row => ({ cells: [plainLine(name)] }));
  output.print('', ...renderTable([{ cells: ['ON THIS MACHINE'], style: 'dim' }, ...rows], output.width, output.paint));
}

function printTables({ output }: Context, models: readonly Model[], checks: Map<Model, ModelCheck> | undefined): void {
  const table = (rows: Row[]): string[] => renderTable(rows, output.width, output.paint);
  const head = (...cells: string[]): Row => ({ cells, style: 'dim' });
  output.print(
    ...table([head('MODEL', 'TIER', 'PROVIDER', 'ID', 'ROLES', 'USD IN/OUT'), ...models.map(modelRow)]),
    '',
    ...table([head('ROLE', ...tiers.map((tier) => `TIER ${tier}`)), ...roleRows(models)]),
    ...(checks === undefined
      ? []
      : ['', ...table([head('MODEL', 'ANSWER', 'TIME', 'TOKENS', 'USD'), ...[...checks].map(checkRow)])]),
  );
}

const modelRow = (model: Model): Row => ({
  cells: [
    model.name,
    String(model.tier),
    model.provider.name,
    plainLine(model.id),
    model.roles.length === modelRoles.length ? 'all' : model.roles.join(', '),
    describePrice(model),
  ],
});

/** USD for a million tokens. A price that nobody knows is not zero, and a program may report what it cost. */
function describePrice(model: Model): string {
  const { price } = model;
  if (price !== undefined) return `${price.in}/${price.out}`;
  return hasKnownCost(model) ? 'reported' : 'unknown';
}

/** A weaker model than the tier asks for is named with its own. */
function roleRows(models: readonly Model[]): Row[] {
  const routes = listRoutes(models);
  return modelRoles.map((role) => ({
    cells: [
      role,
      ...routes
        .filter((route) => route.role === role)
        .map(({ model, fallsShort }) => {
          if (model === null) return role === 'executor' ? describeWork(models) : '-';
          return fallsShort ? `${model.name} (only tier ${model.tier})` : model.name;
        }),
    ],
  }));
}

/** Models that are agent programs take no tools of ours: the program itself works. */
function describeWork(models: readonly Model[]): string {
  const program = models.find(({ provider }) => provider.program !== undefined)?.provider.program;
  return program === undefined ? '-' : `executor: ${program}`;
}

function checkRow([model, { ok, error = '', latencyMs, tokens, costUsd }]: [Model, ModelCheck]): Row {
  const { name } = model;
  if (!ok) return { cells: [name, plainLine(error)], style: 'red' };
  return {
    cells: [name, 'ok', formatDuration(latencyMs), String(tokens), hasKnownCost(model) ? String(costUsd) : 'unknown'],
  };
}
