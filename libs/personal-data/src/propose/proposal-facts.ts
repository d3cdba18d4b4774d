import type { Detection } from '../detect/detection.js';
import type { TypeGroup } from '../detect/type-group.js';

/** What a rule has to fit. */
export interface ProposalFacts {
  readonly detection: Pick<Detection, 'kind' | 'country'>;
  readonly group: TypeGroup;
  /** The base type's name. */
  readonly type: string;
  readonly values: readonly string[];
  /** In characters. */
  readonly maxLength: number;
  /** Whether no value may stand there twice. */
  readonly isUnique: boolean;
  /** About how many rows there are. */
  readonly rows: number;
  readonly locale: string;
}
