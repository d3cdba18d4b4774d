import type { RowCounts, Verification, VerificationCheck } from '@understudy/sync-job';

import {
  enumName,
  enumValue,
  VerificationKind,
  type RowCounts as WireRows,
  type Verification as WireVerification,
} from '../schema/index.js';
import { count, defined, wireCount } from '../wire-values.js';

/** The result of each check after a copy, as the control plane receives it. Row counts refer to whole tables. */
export interface AgentVerification {
  readonly checks: readonly {
    /** Lower-case name of the VerificationKind. */
    readonly kind: string;
    readonly tableIndex: number;
    readonly columnIndex?: number;
    readonly ok: boolean;
    readonly lookedAt: number;
    readonly rows?: RowCounts;
  }[];
}

/** Leaves out checks that have passed if there are too many for one message. */
export function wireVerification({ checks }: Verification) {
  const isFitting = checks.length <= MAX_CHECKS;
  const sent = isFitting
    ? checks
    : checks.toSorted((a, b) => Number(a.ok) - Number(b.ok)).slice(0, MAX_CHECKS);
  return { checks: sent.map(wireCheck) };
}

/** 40,000 checks and the counts of 20,000 tables are smaller than the largest message of an agent, which has 2 MiB. */
const MAX_CHECKS = 40_000;

function wireCheck(check: VerificationCheck) {
  const { tableIndex, ok } = check;
  const common = { kind: enumValue(VerificationKind, check.kind), tableIndex, ok };
  if (check.kind !== 'row_count')
    return { ...common, lookedAt: check.lookedAt, ...defined({ columnIndex: check.columnIndex }) };
  const { source, copied, target } = check.rows;
  const rows = { source: wireCount(source), copied: wireCount(copied), target: wireCount(target) };
  return { ...common, rows };
}

export function verificationOf({ checks }: WireVerification): AgentVerification {
  return {
    checks: checks.map(({ kind, tableIndex, columnIndex, ok, lookedAt, rows }) => ({
      kind: enumName(VerificationKind, kind) ?? 'unknown',
      ...{ tableIndex, ok, lookedAt },
      ...defined({ columnIndex, rows: rows && rowsOf(rows) }),
    })),
  };
}

function rowsOf({ source, copied, target }: WireRows): RowCounts {
  return { source: count(source), copied: count(copied), target: count(target) };
}
