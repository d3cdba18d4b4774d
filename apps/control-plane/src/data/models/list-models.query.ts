import { IsIn, Matches } from 'class-validator';

import { Documented } from '../../platform/http/dto/documented.js';
import { Optional, expected } from '../../platform/http/dto/field-validators.js';
import { PageQuery } from '../../platform/http/dto/page.dto.js';
import { LOCALE } from '../compute/models/check-uploaded-model.js';

export const MODEL_FILTERS = ['builtin', 'custom', 'private', 'all'] as const;
export type ModelFilter = (typeof MODEL_FILTERS)[number];

export const MODEL_KINDS = ['ngram', 'list', 'composition'] as const;
export type ModelKind = (typeof MODEL_KINDS)[number];

export class ListModelsQuery extends PageQuery {
  @Documented('Lists only models of this locale (`<lang>_<REGION>`).', { examples: ['en_US'] })
  @Optional()
  @Matches(LOCALE, expected('a locale like en_US'))
  locale?: string;

  @Documented('Origin of the models. Models that agents trained are listed only with `private`.', {
    default: 'all',
  })
  @Optional()
  @IsIn(MODEL_FILTERS, expected(`one of ${MODEL_FILTERS.join(', ')}`))
  type?: ModelFilter;

  @Documented('Lists only n-gram models, lists of values, or compositions.')
  @Optional()
  @IsIn(MODEL_KINDS, expected(`one of ${MODEL_KINDS.join(', ')}`))
  kind?: ModelKind;
}
