import { networkFault } from '@understudy/connection-fault';
import { type ConnectionTarget, DatabaseError } from '@understudy/postgres';

import { CheckFailure } from '@understudy/operator-commands';

/** Explains why a database cannot be connected to. The text contains no password. */
export async function connectionFailure(error: unknown, target: ConnectionTarget): Promise<CheckFailure> {
  const { host, port, database, user } = target;
  const where = host.startsWith('/') ? host : `${host}:${port}`;
  if (!(error instanceof DatabaseError))
    return new CheckFailure(where, 'the connection failed for an unknown reason');
  switch (error.code) {
    case 'authentication_failed':
      return new CheckFailure(
        `${where} refuses the role "${user}"`,
        'check the user and the password in the URL of the policy, and pg_hba.conf of the server',
      );
    case 'database_not_found':
      return new CheckFailure(
        `${where} has no database "${database}"`,
        'correct the name in the URL of the policy, or create the database',
      );
    case 'permission_denied':
      return new CheckFailure(
        `the role "${user}" may not connect to the database "${database}"`,
        `run GRANT CONNECT ON DATABASE for the role`,
      );
    default:
      return networkFailure(error, where);
  }
}

function networkFailure({ cause }: DatabaseError, where: string): CheckFailure {
  const message = (cause as { message?: unknown } | undefined)?.message;
  if (message === 'The server does not support SSL connections')
    return new CheckFailure(
      `${where} does not offer TLS`,
      'turn ssl on at the server; in a trusted network, permit plain text with sslmode=disable and allow_plaintext',
    );
  const code = String((cause as { code?: unknown } | undefined)?.code ?? '');
  if (CERTIFICATE_CODES.test(code))
    return new CheckFailure(
      `the certificate of ${where} is not accepted (${code})`,
      'set NODE_EXTRA_CA_CERTS to a file with the certificate of its issuer, or use a host name of the certificate',
    );
  return CheckFailure.from(`${where}: ${networkFault(cause).message}`);
}

const CERTIFICATE_CODES = /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/;
