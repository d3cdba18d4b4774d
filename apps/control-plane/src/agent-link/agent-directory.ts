/** What the link has to know of enrolled agents; the agents feature answers from Postgres. */
export interface AgentDirectory {
  /** Ids of all agents that are not revoked. */
  enrolledAgentIds(): Promise<readonly string[]>;
  /** NATS public key → the second (since the Unix epoch) up to which its JWTs are refused. */
  revokedKeys(): Promise<ReadonlyMap<string, number>>;
}
