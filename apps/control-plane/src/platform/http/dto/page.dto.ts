import { Matches } from 'class-validator';

import { Documented } from './documented.js';
import { Optional, expected } from './field-validators.js';

export const DEFAULT_PER_PAGE = 20;

/** The query parameters of every list. */
export class PageQuery {
  @Documented('Page number; a page past the end is empty.', {
    type: 'integer',
    minimum: 1,
    maximum: 999_999_999,
    default: 1,
  })
  @Optional()
  @Matches(/^[1-9]\d{0,8}$/, expected('an integer from 1 to 999999999'))
  page?: string;

  @Documented('Items per page.', { type: 'integer', minimum: 1, maximum: 100, default: DEFAULT_PER_PAGE })
  @Optional()
  @Matches(/^([1-9]\d?|100)$/, expected('an integer from 1 to 100'))
  per_page?: string;
}

export interface Page {
  readonly page: number;
  readonly perPage: number;
}

export function pageOf({ page, per_page }: PageQuery): Page {
  return { page: Number(page ?? 1), perPage: Number(per_page ?? DEFAULT_PER_PAGE) };
}

/** The response of every list. `Key` is the name of the field with the items. */
export type Paged<Key extends string, Item> = { readonly [key in Key]: readonly Item[] } & {
  readonly total: number;
  readonly page: number;
  readonly per_page: number;
};
