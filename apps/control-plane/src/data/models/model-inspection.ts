import { Injectable } from '@nestjs/common';

import { ComputePool } from '../compute/compute-pool.js';
import type { CheckedModel } from '../compute/models/check-uploaded-model.js';
import type { BuiltinModelDescription } from '../compute/models/describe-builtin-models.js';

/** Reads model files in worker threads, so that parsing does not block the event loop. */
@Injectable()
export class ModelInspection {
  private builtin: Promise<readonly BuiltinModelDescription[]> | undefined;

  constructor(private readonly compute: ComputePool) {}

  /** @throws ApiError as `ComputePool.run` does */
  check(organizationId: string, file: Uint8Array<SharedArrayBuffer>): Promise<CheckedModel> {
    return this.compute.run('check-model', file, { organizationId });
  }

  /**
   * Returns the built-in models, which are read once.
   * @throws ApiError as `check` does; after a failure, the next call reads them again
   */
  builtinModels(organizationId: string): Promise<readonly BuiltinModelDescription[]> {
    this.builtin ??= this.compute
      .run('describe-builtin-models', undefined, { organizationId })
      .catch((error: unknown) => {
        this.builtin = undefined;
        throw error;
      });
    return this.builtin;
  }
}
