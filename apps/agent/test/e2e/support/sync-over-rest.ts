import { waitFor } from '@understudy/testing';

/** A job in a response of the API. */
export interface JobView {
  readonly id: string;
  readonly status: string;
  readonly rows_processed: number;
  readonly error: {
    code: string;
    message: string;
    details: readonly { field: string; message: string }[];
  } | null;
  readonly warnings: readonly { code: string; message: string }[];
  readonly models: readonly { name: string; hash: string }[];
  readonly table_progress: readonly { name: string; rows_processed: number; status: string }[];
  readonly [other: string]: unknown;
}

/** The result of a snapshot or a restore, or the error code with which the API refused it. */
export interface SnapshotOutcome {
  readonly id: string;
  readonly status: string;
  readonly code: string | undefined;
}

/** A client of the REST API that keeps the text of every response. */
export class RecordingApi {
  readonly responses: string[] = [];

  constructor(
    private readonly baseUrl: string,
    private readonly token: string,
  ) {}

  async call(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: { data?: JobView; error?: unknown } }> {
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    this.responses.push(JSON.stringify([...response.headers]), text);
    return { status: response.status, body: JSON.parse(text) as { data?: JobView; error?: unknown } };
  }

  /** Creates a sync job and waits for its end. */
  async sync(request: {
    source: string;
    target: string;
    tables: readonly object[];
    dry_run?: boolean;
    replace?: 'database';
  }): Promise<JobView> {
    const { source, target, ...options } = request;
    const created = await this.call('POST', '/sync/jobs', {
      name: 'e2e',
      source: { type: 'postgresql', connection_string: source },
      target: { type: 'postgresql', connection_string: target },
      ...options,
    });
    const id = created.body.data?.id;
    if (created.status !== 201 || id === undefined)
      throw new Error(`POST returned status ${created.status}: ${JSON.stringify(created.body.error)}`);
    return waitFor(`job ${id} to end`, async () => {
      const job = (await this.call('GET', `/sync/jobs/${id}`)).body.data;
      return job !== undefined && (job.status === 'completed' || job.status === 'failed') && job;
    });
  }

  /** Reverts a sync job and waits for the end of the revert. */
  async revert(id: string): Promise<JobView> {
    const path = `/sync/jobs/${id}`;
    const { data, error } = (await this.call('POST', `${path}/revert`, {})).body;
    if (data === undefined) throw new Error(`the revert was refused: ${JSON.stringify(error)}`);
    return waitFor('the revert to end', async () => {
      const revert = (await this.call('GET', `${path}/reverts/${String(data['revert_id'])}`)).body.data;
      return revert !== undefined && revert.status !== 'pending' && revert;
    });
  }

  /** Creates a snapshot of a database and waits for its end. */
  snapshot(database: string): Promise<SnapshotOutcome> {
    return this.follow('/snapshots', { name: 'e2e', database }, ({ id }) => `/snapshots/${id}`);
  }

  /** Restores a snapshot into a database and waits for its end. */
  restore(id: string, target: string): Promise<SnapshotOutcome> {
    return this.follow(
      `/snapshots/${id}/restore`,
      { target_database: target },
      ({ restore_id }) => `/snapshots/${id}/restores/${String(restore_id)}`,
    );
  }

  private async follow(
    path: string,
    request: object,
    pathOf: (created: JobView) => string,
  ): Promise<SnapshotOutcome> {
    const { body } = await this.call('POST', path, request);
    const { data: created, error: refusal } = body;
    if (created === undefined) return { id: '', status: 'refused', code: (refusal as { code: string }).code };
    return waitFor(`${pathOf(created)} to end`, async () => {
      const { data } = (await this.call('GET', pathOf(created))).body;
      const hasEnded = data !== undefined && ['ready', 'completed', 'failed'].includes(data.status);
      return hasEnded && { id: created.id, status: data.status, code: data.error?.code };
    });
  }
}
