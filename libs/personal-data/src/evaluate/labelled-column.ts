import type { ColumnFacts } from '../column-facts.js';
import type { Kind } from '../kind.js';

/** A column with what somebody who reads it would say it holds. */
export interface LabelledColumn extends ColumnFacts {
  /** `none`: nothing of persons. `either`: people would disagree; whatever is found there counts for nothing. */
  readonly label: Kind | 'none' | 'either';
}
