import { IsIn, Matches } from 'class-validator';

import { Documented } from '../http/decorators/documented.js';
import { Optional } from '../http/decorators/optional.js';
import { expected } from '../http/kind-of.js';
import { PageQuery } from '../http/page.dto.js';
import { LOCALE } from './check-uploaded-model.js';

export const MODEL_FILTERS = ['builtin', 'custom', 'private', 'all'] as const;
export type ModelFilter = (typeof MODEL_FILTERS)[number];

export class ListModelsQuery extends PageQuery {
  @Documented('Models of this locale alone (`<lang>_<REGION>`).', { examples: ['en_US'] })
  @Optional()
  @Matches(LOCALE, expected('a locale like en_US'))
  locale?: string;

  /** Those that agents trained are in `private` alone. */
  @Documented('Models of this kind; those that agents trained are in `private` alone.', { default: 'all' })
  @Optional()
  @IsIn(MODEL_FILTERS, expected(`one of ${MODEL_FILTERS.join(', ')}`))
  type?: ModelFilter;
}
