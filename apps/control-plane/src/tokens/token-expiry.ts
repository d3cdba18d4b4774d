export const DEFAULT_EXPIRY_DAYS = 90;
export const MAX_EXPIRY_DAYS = 365;

export function expiryOf(now: Date, days = DEFAULT_EXPIRY_DAYS): Date {
  return new Date(now.getTime() + days * 86_400_000);
}
