/**
 * What an agent signs with its NATS key to get its next JWT.
 * @param issuedAt as sent, ISO 8601
 */
export function renewalMessage(renewal: { agentId: string; issuedAt: string; nonce: string }): string {
  return ['understudy agent renewal v1', renewal.agentId, renewal.issuedAt, renewal.nonce].join('\n');
}
