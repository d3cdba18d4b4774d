import { type FieldProblem, startOfUtcDay } from '@understudy/sync-job';
import { useCallback, useEffect, useState } from 'react';

import type { PlaygroundEngine } from '../../engine/playground-engine.js';
import type { RuleProblems } from '../form/check-form.js';
import type { TableForm } from '../form/job-form.js';

type Columns = TableForm['columns'];
type Results = ReadonlyMap<Columns, readonly FieldProblem[]>;

/** One request checks at least one table, and further ones until it has this many columns. */
const BATCH_COLUMNS = 400;

export interface CheckedRules {
  /** A new function after each result. */
  readonly problemsOf: RuleProblems;
  /** `failed` if the worker cannot check rules. The server checks them in any case. */
  readonly state: 'checking' | 'done' | 'failed';
}

/** Checks the rules of the tables in the worker. Only tables whose columns changed are checked again. */
export function useRuleProblems(engine: PlaygroundEngine, tables: readonly TableForm[]): CheckedRules {
  const [results, setResults] = useState<Results>(new Map());
  const [hasFailed, setFailed] = useState(false);
  const isDone = tables.every(({ columns }) => results.has(columns));
  useEffect(() => {
    let isCurrent = true;
    const check = async (): Promise<void> => {
      let rest = tables.filter(({ columns }) => !results.has(columns));
      while (isCurrent && rest.length > 0) {
        const batch = firstBatch(rest);
        const response = await engine.ask({
          kind: 'rules',
          tables: batch.map(({ columns }) => writtenRules(columns)),
          nowMs: startOfUtcDay(new Date()).getTime(),
        });
        if (response.kind !== 'rules') {
          if (isCurrent) setFailed(response.kind !== 'replaced');
          return;
        }
        setFailed(false);
        setResults((before) => {
          const kept = isCurrent ? tables.flatMap(({ columns }) => entryOf(before, columns)) : before;
          return new Map([
            ...kept,
            ...batch.map(({ columns }, at) => [columns, response.problems[at] ?? []] as const),
          ]);
        });
        rest = rest.slice(batch.length);
      }
    };
    void check();
    return () => {
      isCurrent = false;
    };
    // The results only prevent a second check of the same tables. A new result needs no new check.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [engine, tables]);
  const problemsOf = useCallback((columns: Columns) => results.get(columns), [results]);
  if (isDone) return { problemsOf, state: 'done' };
  return { problemsOf, state: hasFailed ? 'failed' : 'checking' };
}

function entryOf(results: Results, columns: Columns): (readonly [Columns, readonly FieldProblem[]])[] {
  const problems = results.get(columns);
  return problems === undefined ? [] : [[columns, problems]];
}

function firstBatch(tables: readonly TableForm[]): readonly TableForm[] {
  let size = 0;
  const end = tables.findIndex(({ columns }, index) => {
    size += columns.length;
    return index > 0 && size > BATCH_COLUMNS;
  });
  return end < 0 ? tables : tables.slice(0, end);
}

function writtenRules(columns: Columns) {
  return columns.flatMap(({ name, rule }) =>
    rule === undefined || rule === null ? [] : [[name, rule] as const],
  );
}
