/** What the faults read of a job. */
export interface JobView {
  readonly id: string;
  readonly status: 'pending' | 'running' | 'completed' | 'failed';
  readonly rows_processed: number;
  readonly attempts: number;
  readonly agent_id: string | null;
  readonly error: { readonly code: string } | null;
  readonly warnings: readonly { readonly code: string }[];
}

export function hasEnded({ status }: JobView): boolean {
  return status === 'completed' || status === 'failed';
}
