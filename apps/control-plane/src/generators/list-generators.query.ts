import { Matches } from 'class-validator';

import { Documented } from '../http/dto/documented.js';
import { Optional, expected } from '../http/dto/field-validators.js';
import { PageQuery } from '../http/dto/page.dto.js';

export class ListGeneratorsQuery extends PageQuery {
  @Documented('All versions of this one.', { examples: ['@acme/people:greeting'] })
  @Optional()
  @Matches(/^@[^@/]{1,100}\/[^@/]{1,100}$/, expected('a name like @acme/people:nickname'))
  name?: string;

  @Documented('Those of this namespace.', { examples: ['acme'] })
  @Optional()
  @Matches(/^[a-z0-9][a-z0-9-]{0,99}$/, expected('a namespace like acme'))
  namespace?: string;
}
