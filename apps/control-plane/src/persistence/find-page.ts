import type { EntityManager, EntityTarget, FindManyOptions, FindOptionsOrder, ObjectLiteral } from 'typeorm';

import type { Page } from '../http/dto/page.dto.js';

/** `where` and `order` should be those of an index: then the count reads that index only, whatever else a row holds. */
export interface PagedRows<T extends ObjectLiteral> extends Omit<FindManyOptions<T>, 'skip' | 'take'> {
  readonly order: FindOptionsOrder<T>;
}

/** @returns the rows of a page and how many there are in all. A page past the end is empty and reads no row */
export async function findPage<T extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<T>,
  rows: PagedRows<T>,
  { page, perPage }: Page,
): Promise<[T[], number]> {
  const total = await manager.count(entity, rows.where === undefined ? {} : { where: rows.where });
  const skip = (page - 1) * perPage;
  if (skip >= total) return [[], total];
  return [await manager.find(entity, { ...rows, skip, take: perPage }), total];
}
