import { modelRoles } from '../../../domain/llm/model-schema.ts';
import { fallsShort, routeModel } from '../../../domain/llm/route-model.ts';
import type { Model, ModelRole } from '../../../domain/types/llm.ts';
import type { Tier } from '../../../domain/types/subtask.ts';
import { formatDuration } from '../../../domain/text/duration.ts';
import type { ModelCheck } from '../../ports/models.ts';
import { trustedHere } from '../../start/trusted-here.ts';
import { plainLine } from '../../terminal/text/terminal-text.ts';
import type { Context } from '../shared/context.ts';
import { exits } from '../shared/exit-codes.ts';
import { renderTable, type Row } from '../../terminal/render/table.ts';
import { configHere } from './config-here.ts';

export interface ModelsOptions {
  check?: boolean;
  config?: string[];
}

const tiers: readonly Tier[] = [1, 2, 3];

/** `heddle models`: what would serve each role and tier from this folder; with `--check`, whether it answers. */
export async function modelsCommand(context: Context, options: ModelsOptions): Promise<number> {
  const { ports, output } = context;
  const { models } = (await configHere(ports, options.config ?? [], (files) => trustedHere(files, ports.env))).config;
  const checks = options.check === true ? await checkAll(context, models) : undefined;
  if (output.json)
    output.data({ models: models.map((model) => shown(model, checks?.get(model))), routes: listRoutes(models) });
  else if (models.length === 0) output.print('There are no models: add a table `[models.NAME]` to heddle.toml.');
  else printTables(context, models, checks);
  const ok = [...(checks?.values() ?? [])].every((check) => check.ok);
  return ok ? exits.done : exits.failed;
}

/** One after the other: models of one machine would slow each other down. */
async function checkAll({ ports, output }: Context, models: readonly Model[]): Promise<Map<Model, ModelCheck>> {
  const checks = new Map<Model, ModelCheck>();
  for (const model of models) {
    if (output.live) output.note(`Asking ${plainLine(model.name)}`);
    checks.set(model, await ports.checkModel(model));
  }
  return checks;
}

const shown = ({ name, provider, id, tier, roles }: Model, check: ModelCheck | undefined): object => ({
  name,
  provider: provider.name,
  id,
  tier,
  roles,
  ...check,
});

const listRoutes = (models: readonly Model[]): object[] =>
  modelRoles.flatMap((role) =>
    tiers.map((tier) => ({ role, tier, model: routeModel(models, { role, tier })?.name ?? null })),
  );

function printTables({ output }: Context, models: readonly Model[], checks: Map<Model, ModelCheck> | undefined): void {
  const table = (rows: Row[]): string[] => renderTable(rows, output.width, output.paint);
  const head = (...cells: string[]): Row => ({ cells, style: 'dim' });
  output.print(
    ...table([head('MODEL', 'TIER', 'PROVIDER', 'ID', 'ROLES'), ...models.map(modelRow)]),
    '',
    ...table([head('ROLE', 'TIER 1', 'TIER 2', 'TIER 3'), ...modelRoles.map((role) => roleRow(models, role))]),
    ...(checks === undefined
      ? []
      : ['', ...table([head('MODEL', 'ANSWER', 'TIME', 'TOKENS', 'USD'), ...[...checks].map(checkRow)])]),
  );
}

const modelRow = ({ name, tier, provider, id, roles }: Model): Row => ({
  cells: [
    name,
    String(tier),
    provider.name,
    plainLine(id),
    roles.length === modelRoles.length ? 'all' : roles.join(', '),
  ],
});

/** A weaker model than the tier asks for is named with its own. */
const roleRow = (models: readonly Model[], role: ModelRole): Row => ({
  cells: [
    role,
    ...tiers.map((tier) => {
      const model = routeModel(models, { role, tier });
      if (model === undefined) return '-';
      return fallsShort(model, tier) ? `${model.name} (only tier ${model.tier})` : model.name;
    }),
  ],
});

function checkRow([{ name }, { ok, error = '', latencyMs, tokens, costUsd }]: [Model, ModelCheck]): Row {
  if (!ok) return { cells: [name, plainLine(error)], style: 'red' };
  return { cells: [name, 'ok', formatDuration(latencyMs), String(tokens), String(costUsd)] };
}
