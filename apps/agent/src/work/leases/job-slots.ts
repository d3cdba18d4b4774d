/** How many jobs run at once. */
export class JobSlots {
  private taken = 0;

  constructor(readonly total: number) {}

  get free(): number {
    return this.total - this.taken;
  }

  /** @returns false when all are taken */
  take(): boolean {
    if (this.free <= 0) return false;
    this.taken += 1;
    return true;
  }

  giveBack(): void {
    this.taken -= 1;
  }
}
