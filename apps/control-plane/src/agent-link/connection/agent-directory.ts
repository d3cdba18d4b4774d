/** What the link has to know of enrolled agents; the agents feature answers from Postgres. */
export interface AgentDirectory {
  /** Ids of all agents that are not revoked. */
  enrolledAgentIds(): Promise<readonly string[]>;
  /**
   * Calls `push` with the revoked keys whose JWTs may not have expired yet, and lets nobody else read the list before `push` has ended.
   * @param push gets NATS public key → the second (since the Unix epoch) up to which its JWTs are refused
   */
  withRevokedKeys(push: (revoked: ReadonlyMap<string, number>) => Promise<void>): Promise<void>;
}
