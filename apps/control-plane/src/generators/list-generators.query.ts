import { Matches } from 'class-validator';

import { Optional } from '../http/decorators/optional.js';
import { expected } from '../http/kind-of.js';
import { PageQuery } from '../http/page.dto.js';

export class ListGeneratorsQuery extends PageQuery {
  /** All versions of one. */
  @Optional()
  @Matches(/^@[^@/]{1,100}\/[^@/]{1,100}$/, expected('a name like @acme/people:nickname'))
  name?: string;

  @Optional()
  @Matches(/^[a-z0-9][a-z0-9-]{0,99}$/, expected('a namespace like acme'))
  namespace?: string;
}
