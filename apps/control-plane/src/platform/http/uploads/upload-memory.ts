import { ApiError } from '../errors/api-error.js';

const MEMORY_BYTES = 256 * 1024 * 1024;
const RETRY_AFTER_S = 5;

export interface UploadAllowance {
  /**
   * Reserves memory.
   * @returns false if the memory is not available now; bytes that were reserved earlier stay reserved
   */
  take(bytes: number): boolean;
  /** Releases all reserved memory. */
  release(): void;
}

/**
 * Limits the memory of files and large bodies that are being uploaded. It counts bytes as they arrive, so that a
 * slow client reserves little memory. One organisation can use half of the memory.
 */
export class UploadMemory {
  private readonly ofOrganization = new Map<string, number>();
  private used = 0;

  constructor(private readonly bytes = MEMORY_BYTES) {}

  open(organizationId: string): UploadAllowance {
    let taken = 0;
    return {
      take: (bytes) => {
        if (!this.hasRoom(organizationId, bytes)) return false;
        taken += bytes;
        this.add(organizationId, bytes);
        return true;
      },
      release: () => {
        this.add(organizationId, -taken);
        taken = 0;
      },
    };
  }

  private hasRoom(organizationId: string, bytes: number): boolean {
    const own = this.ofOrganization.get(organizationId) ?? 0;
    return this.used + bytes <= this.bytes && own + bytes <= this.bytes / 2;
  }

  private add(organizationId: string, bytes: number): void {
    this.used += bytes;
    const own = (this.ofOrganization.get(organizationId) ?? 0) + bytes;
    if (own === 0) this.ofOrganization.delete(organizationId);
    else this.ofOrganization.set(organizationId, own);
  }
}

/** Returns the error for an upload whose memory is not available now. */
export function uploadsBusy(): ApiError {
  const message = 'Too many large requests are being uploaded at the moment. Try again shortly.';
  return new ApiError('unavailable', message, { retryAfterSeconds: RETRY_AFTER_S });
}
