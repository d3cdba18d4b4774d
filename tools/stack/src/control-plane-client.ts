/** The fields of a sync job that the tools of this repository use. The API returns more. */
export interface SyncJob {
  readonly id: string;
  readonly status: 'pending' | 'running' | 'completed' | 'failed';
  readonly rows_processed: number;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  readonly progress: {
    readonly phase: string | null;
    readonly rows_done: number;
    readonly rows_total: number | null;
    readonly rows_per_second: number | null;
    readonly bytes_per_second: number | null;
    readonly estimated_end: string | null;
  };
  readonly table_progress: readonly {
    name: string;
    rows_processed: number;
    rows_total: number | null;
    status: string;
  }[];
  /** Duration of each phase. Empty until the job has completed. */
  readonly phases: readonly { readonly phase: string; readonly seconds: number }[];
  readonly verification: {
    readonly ok: boolean;
    readonly checks: readonly { readonly check: string }[];
  } | null;
  readonly models: readonly { name: string; hash: string }[];
  readonly warnings: readonly { code: string; message: string }[];
  readonly error: { code: string; message: string } | null;
}

/** The fields of a snapshot that the tools use. */
export interface Snapshot {
  readonly id: string;
  readonly status: string;
  readonly size_bytes: number;
  readonly error?: { readonly message: string } | null;
}

/** The fields of a restore that the tools use. */
export interface SnapshotRestore {
  readonly restore_id: string;
  readonly status: string;
  readonly error?: { readonly message: string } | null;
}

/**
 * A thin client of the REST API for the tools of this repository. It sends the requests that a user would
 * send with curl.
 */
export class ControlPlaneClient {
  /** @param baseUrl URL that ends in /v1 */
  constructor(
    private readonly baseUrl: string,
    private readonly token: string,
  ) {}

  async createSyncJob(request: object): Promise<SyncJob> {
    return this.call('POST', '/sync/jobs', request);
  }

  async syncJob(id: string): Promise<SyncJob> {
    return this.call('GET', `/sync/jobs/${id}`);
  }

  async createSnapshot(request: object): Promise<Snapshot> {
    return this.call('POST', '/snapshots', request);
  }

  async snapshot(id: string): Promise<Snapshot> {
    return this.call('GET', `/snapshots/${id}`);
  }

  async deleteSnapshot(id: string): Promise<void> {
    await this.call('DELETE', `/snapshots/${id}`);
  }

  async restoreSnapshot(id: string, request: object): Promise<SnapshotRestore> {
    return this.call('POST', `/snapshots/${id}/restore`, request);
  }

  async restore(id: string, restoreId: string): Promise<SnapshotRestore> {
    return this.call('GET', `/snapshots/${id}/restores/${restoreId}`);
  }

  private async call<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const content = (await response.json()) as { data: T } | { error: object };
    if ('error' in content)
      throw new Error(
        `${method} ${path} returned ${response.status}: ${JSON.stringify(content.error, null, 2)}`,
      );
    return content.data;
  }
}
