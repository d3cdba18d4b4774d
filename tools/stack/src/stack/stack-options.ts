import { join, resolve } from 'node:path';

export interface StackOptions {
  /** Where everything of this stack lives. Default: `.understudy` in the checkout. */
  readonly dataDir?: string;
  /** Plan of the organisation, when it is made. Default: business. */
  readonly plan?: string;
  /** Settings of the control plane (`UNDERSTUDY_…`) besides those that the stack gives it. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Settings of the agent, likewise. */
  readonly agentSettings?: Readonly<Record<string, string>>;
  /** Hears what goes on, a line at a time. Default: nobody. */
  readonly say?: (line: string) => void;
  /** Gives `stackUp` up; what it has started so far is stopped. */
  readonly signal?: AbortSignal;
}

/** The folder of the checkout that this program belongs to. */
export const CHECKOUT = resolve(import.meta.dirname, '../../../..');

export function stackFolder(options: Pick<StackOptions, 'dataDir'>): string {
  return resolve(options.dataDir ?? join(CHECKOUT, '.understudy'));
}
