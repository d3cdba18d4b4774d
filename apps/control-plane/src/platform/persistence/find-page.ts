import { parseInstant } from '@understudy/sync-job';
import {
  And,
  LessThan,
  MoreThanOrEqual,
  type EntityManager,
  type EntityTarget,
  type FindManyOptions,
  type FindOperator,
  type FindOptionsOrder,
  type ObjectLiteral,
} from 'typeorm';

import { pageOf, type Paged, type PageQuery } from '../http/dto/page.dto.js';

/**
 * The query for a page. `where` and `order` should match an index, so that the count reads only this index.
 */
export interface PagedRows<T extends ObjectLiteral> extends Omit<FindManyOptions<T>, 'skip' | 'take'> {
  readonly order: FindOptionsOrder<T>;
}

/** @returns the rows of a page and the total number of rows. A page past the end is empty and reads no row */
export async function findPage<T extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<T>,
  query: PageQuery,
  options: PagedRows<T>,
): Promise<Paged<'rows', T>> {
  const { page, perPage } = pageOf(query);
  const total = await manager.count(entity, options.where === undefined ? {} : { where: options.where });
  const skip = (page - 1) * perPage;
  const rows = skip >= total ? [] : await manager.find(entity, { ...options, skip, take: perPage });
  return { rows, total, page, per_page: perPage };
}

/**
 * Returns the condition of a column that is in a range of time.
 * @param after the first instant of the range, as `IsInstant` accepts it
 * @param before the first instant after the range
 * @returns undefined if the range has no end
 */
export function inTimeRange(after?: string, before?: string): FindOperator<Date> | undefined {
  const [from, to] = [parseInstant(after), parseInstant(before)];
  const bounds = [...(from ? [MoreThanOrEqual(from)] : []), ...(to ? [LessThan(to)] : [])];
  return bounds.length === 0 ? undefined : And(...bounds);
}
