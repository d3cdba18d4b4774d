/** Counts the jobs that run concurrently, up to a limit. */
export class JobSlots {
  private taken = 0;

  constructor(readonly total: number) {}

  get free(): number {
    return this.total - this.taken;
  }

  /**
   * Takes a slot.
   * @returns false if no slot is free
   */
  take(): boolean {
    if (this.free <= 0) return false;
    this.taken += 1;
    return true;
  }

  giveBack(): void {
    this.taken -= 1;
  }
}
