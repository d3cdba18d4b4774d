import { join, resolve } from 'node:path';

export interface StackOptions {
  /** Folder of this stack. Default: `.understudy` in the checkout. */
  readonly dataDir?: string;
  /** Plan of the organisation. It applies only when the organisation is created. Default: business. */
  readonly plan?: string;
  /** Further settings of the control plane (`UNDERSTUDY_…`), in addition to those of the stack. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Further settings of the agent, in addition to those of the stack. */
  readonly agentSettings?: Readonly<Record<string, string>>;
  /** Receives progress messages of one line each. Default: ignored. */
  readonly log?: (line: string) => void;
  /** Aborts `stackUp`, which then stops everything that it has started. */
  readonly signal?: AbortSignal;
}

/** Path of the checkout that this program belongs to. */
export const CHECKOUT = resolve(import.meta.dirname, '../../../..');

export function stackFolder(options: Pick<StackOptions, 'dataDir'>): string {
  return resolve(options.dataDir ?? join(CHECKOUT, '.understudy'));
}
