import { execFileSync } from 'node:child_process';

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** Creates an authority (`ca.crt`) and a certificate of it for a name (`understudy.crt`, `understudy.key`). */
export function makeServerCertificate(folder: string, name: string): void {
  const openssl = (command: string, ...args: string[]): void =>
    void execFileSync('openssl', [...command.split(' '), ...args], { cwd: folder, stdio: 'pipe' });
  openssl('req -x509 -days 2 -keyout ca.key -out ca.crt -subj /CN=Authority', ...KEY);
  openssl(
    `req -keyout understudy.key -out request -subj /CN=${name} -addext subjectAltName=DNS:${name}`,
    ...KEY,
  );
  openssl(
    'x509 -req -in request -copy_extensions copy -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -out understudy.crt',
  );
}
