/** The agent's clock may be wrong: its instants are kept within what is possible here. */
export function inOurTime(at: Date, { earliest, latest }: { earliest: Date; latest: Date }): Date {
  if (!(at <= latest)) return latest; // later, or no date at all
  return at < earliest ? earliest : at;
}
