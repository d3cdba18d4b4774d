export interface UploadAllowance {
  /** @returns false when the memory is not to be had now; what was taken before stays taken */
  take(bytes: number): boolean;
  /** Gives everything back. */
  release(): void;
}

/**
 * How much memory files may take that are on their way in. It is counted as the bytes arrive, so that who sends slowly holds
 * little; one organisation gets half of it.
 */
export class UploadMemory {
  private readonly ofOrganization = new Map<string, number>();
  private used = 0;

  constructor(private readonly bytes: number) {}

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
