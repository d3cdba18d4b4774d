/**
 * Keeps an instant of an agent, whose clock may be wrong, within what is possible here. `latest` decides when the two bounds contradict
 * each other.
 */
export function inOurTime(at: Date, { earliest, latest }: { earliest: Date; latest: Date }): Date {
  if (!(at <= latest) || earliest > latest) return latest; // `at` may be no date at all
  return at < earliest ? earliest : at;
}
