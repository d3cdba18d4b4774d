import type { EntityManager, EntityTarget, FindManyOptions, FindOptionsOrder, ObjectLiteral } from 'typeorm';

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
