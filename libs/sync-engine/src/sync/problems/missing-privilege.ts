import type { SqlName } from '../../postgres/sql-name.js';

/** What the role of a connection lacks, on the table of the problem unless `object` names another thing. */
export interface MissingPrivilege {
  readonly privilege:
    | 'select'
    | 'insert'
    | 'truncate'
    | 'references'
    | 'usage'
    | 'create'
    | 'ownership'
    | 'bypass_row_security';
  readonly objectKind: 'table' | 'schema' | 'sequence' | 'database';
  readonly schema?: SqlName;
  readonly object?: SqlName;
  readonly role?: SqlName;
  readonly owner?: SqlName;
}
