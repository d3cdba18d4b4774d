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

export function wireVerification({ checks }: Verification) {
  return { checks: checks.map(wireCheck) };
}

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
