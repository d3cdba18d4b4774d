import type { Logger } from '@nestjs/common';

const EVERY_MS = 60_000;
/** The texts contain names and codes of errors, so there are few. This limits them in any case. */
const MAX_TEXTS = 100;

/** Logs warnings that return every second while a service is away, each text at most once a minute. */
export class RepeatedWarning {
  private readonly loggedAt = new Map<string, number>();

  constructor(
    private readonly logger: Pick<Logger, 'warn'>,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  warn(text: string): void {
    const now = this.nowMs();
    if (now - (this.loggedAt.get(text) ?? -Infinity) < EVERY_MS) return;
    if (this.loggedAt.size >= MAX_TEXTS) this.loggedAt.clear();
    this.loggedAt.set(text, now);
    this.logger.warn(text);
  }
}
