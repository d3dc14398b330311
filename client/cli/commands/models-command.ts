import { modelRoles } from '../../../domain/llm/model-schema.ts';
import type { Model } from '../../../domain/types/llm.ts';
import { formatDuration } from '../../../domain/text/duration.ts';
import { checkModels } from '../../models/check-models.ts';
import { describeModels } from '../../models/describe-models.ts';
import { listModels, listRoutes, tiers } from '../../models/list-models.ts';
import type { ModelCheck } from '../../ports/models.ts';
import { plainLine } from '../../terminal/text/terminal-text.ts';
import type { Context } from '../shared/context.ts';
import { exits } from '../shared/exit-codes.ts';
import { noteModels } from '../shared/note-models.ts';
import { renderTable, type Row } from '../../terminal/render/table.ts';

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
    output.print('There are no models: set the key of a service, or write a config with `heddle init --model NAME`.');
  else printTables(context, models, checks);
  const ok = [...(checks?.values() ?? [])].every((check) => check.ok);
  return ok ? exits.done : exits.failed;
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

const modelRow = ({ name, tier, provider, id, roles, price }: Model): Row => ({
  cells: [
    name,
    String(tier),
    provider.name,
    plainLine(id),
    roles.length === modelRoles.length ? 'all' : roles.join(', '),
    // USD for a million tokens. A price that nobody knows is not zero.
    price === undefined ? 'unknown' : `${price.in}/${price.out}`,
  ],
});

/** A weaker model than the tier asks for is named with its own. */
function roleRows(models: readonly Model[]): Row[] {
  const routes = listRoutes(models);
  return modelRoles.map((role) => ({
    cells: [
      role,
      ...routes
        .filter((route) => route.role === role)
        .map(({ model, fallsShort }) => {
          if (model === null) return '-';
          return fallsShort ? `${model.name} (only tier ${model.tier})` : model.name;
        }),
    ],
  }));
}

function checkRow([{ name, price }, { ok, error = '', latencyMs, tokens, costUsd }]: [Model, ModelCheck]): Row {
  if (!ok) return { cells: [name, plainLine(error)], style: 'red' };
  return {
    cells: [name, 'ok', formatDuration(latencyMs), String(tokens), price === undefined ? 'unknown' : String(costUsd)],
  };
}
