import { Matches } from 'class-validator';

import { Documented } from '../../platform/http/dto/documented.js';
import { Optional, expected } from '../../platform/http/dto/field-validators.js';
import { PageQuery } from '../../platform/http/dto/page.dto.js';

export class ListGeneratorsQuery extends PageQuery {
  @Documented('Returns only versions of the composition with this name.', {
    examples: ['@acme/people:greeting'],
  })
  @Optional()
  @Matches(/^@[^@/]{1,100}\/[^@/]{1,100}$/, expected('a name like @acme/people:nickname'))
  name?: string;

  @Documented('Returns only compositions of this namespace. Ignored if `name` is given.', {
    examples: ['acme'],
  })
  @Optional()
  @Matches(/^[a-z0-9][a-z0-9-]{0,99}$/, expected('a namespace like acme'))
  namespace?: string;
}
