import type { PackedPlan, PackedRow, PackedRowKind, Plan, PlanRow } from '../types/plan.ts';

/** A list that stores equal values once. */
class Interned<T> {
  readonly values: T[] = [];
  private readonly places = new Map<string, number>();

  intern(value: T): number {
    const key = JSON.stringify(value);
    const existing = this.places.get(key);
    if (existing !== undefined) return existing;
    this.places.set(key, this.values.length);
    return this.values.push(value) - 1;
  }
}

/** Packs a plan for Temporal: for the result of `prepareTask`, and for the next run. */
export function packPlan({ version, rows, pages, definitions, written }: Plan): PackedPlan {
  const calls = new Interned<PlanRow['call']>();
  const recoveries = new Interned<PlanRow['recovery']>();
  const ladders = new Interned<NonNullable<PlanRow['ladder']>>();
  const deliverables = new Interned<string>();
  const kinds = new Interned<PackedRowKind>();
  const places = new Map(rows.map(({ id }, index) => [id, index]));
  const internKind = ({
    tier,
    maxAttempts,
    synthesis,
    commands,
    critical,
    remediation,
    phase,
    isolation,
    verification,
    evidence,
    whenUnchecked,
    ...row
  }: PlanRow): PackedRowKind => ({
    tier,
    maxAttempts,
    synthesis,
    commands,
    ...(critical === undefined ? {} : { critical }),
    ...(remediation === undefined ? {} : { remediation }),
    ...(phase === undefined ? {} : { phase }),
    ...(isolation === undefined ? {} : { isolation }),
    ...(verification === undefined ? {} : { verification }),
    ...(evidence === undefined ? {} : { evidence }),
    ...(whenUnchecked === undefined ? {} : { whenUnchecked }),
    call: calls.intern(row.call),
    recovery: recoveries.intern(row.recovery),
    ...(row.ladder === undefined ? {} : { ladder: ladders.intern(row.ladder) }),
  });
  const packed = rows.map((row): PackedRow => ({
    id: row.id,
    kind: kinds.intern(internKind(row)),
    ...(row.dependsOn.length === 0 ? {} : { dependsOn: row.dependsOn.map((id) => requireDefined(places.get(id), id)) }),
    ...(row.deliverables.length === 0
      ? {}
      : { deliverables: row.deliverables.map((path) => deliverables.intern(path)) }),
    ...(row.askedChecks === undefined ? {} : { askedChecks: row.askedChecks }),
  }));
  return {
    version,
    rows: packed,
    kinds: kinds.values,
    calls: calls.values,
    recoveries: recoveries.values,
    ladders: ladders.values,
    deliverables: deliverables.values,
    pages,
    definitions,
    ...(written === undefined ? {} : { written }),
  };
}

export function unpackPlan(packed: PackedPlan): Plan {
  const { version, rows, kinds, calls, recoveries, ladders, deliverables, pages, definitions } = packed;
  const { written, transcript } = packed;
  const unpacked = rows.map(({ id, kind, ...row }): PlanRow => {
    const { call, recovery, ladder, ...rest } = requireDefined(kinds[kind], kind);
    return {
      id,
      ...rest,
      dependsOn: (row.dependsOn ?? []).map((place) => requireDefined(rows[place], place).id),
      deliverables: (row.deliverables ?? []).map((place) => requireDefined(deliverables[place], place)),
      call: requireDefined(calls[call], call),
      recovery: requireDefined(recoveries[recovery], recovery),
      ...(ladder === undefined ? {} : { ladder: requireDefined(ladders[ladder], ladder) }),
      ...(row.askedChecks === undefined ? {} : { askedChecks: row.askedChecks }),
    };
  });
  return {
    ...{ version, rows: unpacked, pages, definitions },
    ...(written === undefined ? {} : { written }),
    ...(transcript === undefined ? {} : { transcript }),
  };
}

/** Plans are packed after they were checked, so a missing entry is damage and never means "none". */
function requireDefined<T>(value: T | undefined, place: number | string): T {
  if (value === undefined) throw new Error(`the plan refers to ${place}, which it does not have`);
  return value;
}
