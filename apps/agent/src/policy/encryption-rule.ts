import {
  type ConnectionTarget,
  isEncryptedAsIn,
  isPlaintextRemote,
  SSL_MODES,
  type SslMode,
} from '@understudy/postgres';
import { type Entry, readBoolean, readChoice } from './policy-reader.js';

/** The minimum encryption of connections to other machines. */
export interface EncryptionRule {
  readonly minSslMode: SslMode;
  /** Whether a URL may contain `sslmode=disable`. */
  readonly allowPlaintext: boolean;
}

/** Returns whether a connection to this database is encrypted as the policy requires. */
export function isEncryptedEnough(target: ConnectionTarget, rule: EncryptionRule): boolean {
  return isEncryptedAsIn(rule.minSslMode, target) || (rule.allowPlaintext && isPlaintextRemote(target));
}

export function readEncryptionRule(root: Entry, problems: string[]): EncryptionRule {
  const named = readChoice(root, 'min_sslmode', SSL_MODES, problems);
  const allowPlaintext = readBoolean(root, 'allow_plaintext', false, problems);
  if (allowPlaintext && named !== undefined)
    problems.push('allow_plaintext: contradicts min_sslmode; leave one of them out');
  return { minSslMode: named ?? 'require', allowPlaintext };
}
