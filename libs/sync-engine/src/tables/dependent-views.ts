import {
  MATERIALIZED_VIEWS,
  TABLES_AROUND,
  USES_OF_VIEWS,
  parseTableName,
  schemasAndNames,
  type Client,
} from '@understudy/postgres';
import type { SyncJobCommand, TableName } from '@understudy/sync-job';

/** A materialized view of the target that has rows and depends on tables of the job. */
export interface DependentView extends TableName {
  readonly node: string;
  readonly oid: string;
  /** Whether the role may refresh the view. */
  readonly mayRefresh: boolean;
  /** The nodes of everything that the view uses, directly or through views and functions. */
  readonly uses: ReadonlySet<string>;
}

/**
 * Finds the materialized views that depend on a job's tables, each after the ones that it uses. A view that
 * reads a table only through a function whose body is a text is not found, because the catalogs do not contain
 * this use.
 */
export async function dependentViews(
  client: Client,
  { tables }: Pick<SyncJobCommand, 'tables'>,
): Promise<readonly DependentView[]> {
  const { rows: views } = await client.query<Omit<DependentView, 'uses'>>(MATERIALIZED_VIEWS);
  if (views.length === 0) return [];
  const names = tables.flatMap(({ name }) => parseTableName(name) ?? []);
  const around = await client.query<{ node: string }>(TABLES_AROUND, schemasAndNames(names));
  const { rows: uses } = await client.query<{ node: string; uses: string }>(USES_OF_VIEWS);
  return inOrder(views, new Set(around.rows.map(({ node }) => node)), uses);
}

function inOrder(
  views: readonly Omit<DependentView, 'uses'>[],
  tables: ReadonlySet<string>,
  uses: readonly { readonly node: string; readonly uses: string }[],
): readonly DependentView[] {
  const usedBy = new Map<string, string[]>();
  for (const { node, uses: used } of uses) usedBy.set(node, [...(usedBy.get(node) ?? []), used]);
  const reached = (start: string) => {
    const nodes = new Set([start]);
    for (const node of nodes) for (const used of usedBy.get(node) ?? []) nodes.add(used);
    nodes.delete(start);
    return nodes;
  };
  const all = views.map((view) => ({ ...view, uses: reached(view.node) }));
  // A view uses more nodes than each view that it uses, so this order is one of dependence.
  return all
    .filter((view) => [...view.uses].some((node) => tables.has(node)))
    .toSorted((a, b) => a.uses.size - b.uses.size);
}
