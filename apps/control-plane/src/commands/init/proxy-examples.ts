import type { CertificatePaths } from './deployment.js';

/** The values that the examples of reverse proxies contain. */
export interface ProxySettings {
  /** Name and port of the public URL, such as `understudy.example.com`. The default port is 443. */
  readonly host: string;
  readonly apiPort: number;
  /** The port of the WebSocket listener of NATS. If absent, agents connect to NATS directly. */
  readonly webSocketPort?: number;
  readonly certificate: CertificatePaths;
  /** Whether Caddy requests a public certificate by itself. */
  readonly requestsCertificate: boolean;
}

/** Returns a server block of nginx for `/etc/nginx/conf.d`. */
export function nginxExample({ host, apiPort, webSocketPort, certificate }: ProxySettings): string {
  const [name = '', port = '443'] = splitPort(host);
  return linesOf([
    'server {',
    `  listen ${port} ssl;`,
    `  server_name ${name};`,
    `  ssl_certificate ${certificate.certFile};`,
    `  ssl_certificate_key ${certificate.keyFile};`,
    '  ssl_protocols TLSv1.2 TLSv1.3;',
    '  client_max_body_size 64m; # uploaded models are larger than the default of 1 MB',
    '',
    '  location / {',
    `    proxy_pass http://127.0.0.1:${apiPort};`,
    '    proxy_http_version 1.1;',
    '    proxy_set_header Connection "";',
    '    proxy_set_header Host $host;',
    '    proxy_set_header X-Forwarded-For $remote_addr;',
    '    proxy_buffering off;',
    '    proxy_read_timeout 300s;',
    '  }',
    '',
    ...(webSocketPort === undefined ? [] : nginxNats(webSocketPort)),
    '  error_page 502 504 = @away; # an error in the format of the API instead of a page',
    '  location @away {',
    '    default_type application/json;',
    '    add_header Retry-After 5 always;',
    `    return 503 '{${ERROR},"meta":{"request_id":"$request_id","timestamp":"$time_iso8601"}}';`,
    '  }',
    '}',
  ]);
}

function nginxNats(webSocketPort: number): string[] {
  return [
    '  location = /nats { # only for agents that use port 443 for everything',
    `    proxy_pass http://127.0.0.1:${webSocketPort};`,
    '    proxy_http_version 1.1;',
    '    proxy_set_header Upgrade $http_upgrade;',
    '    proxy_set_header Connection "upgrade";',
    '    proxy_set_header Host $host;',
    '    proxy_read_timeout 1h;',
    '    proxy_send_timeout 1h;',
    '  }',
    '',
  ];
}

/** Returns a complete Caddyfile. */
export function caddyExample(settings: ProxySettings): string {
  const { host, apiPort, webSocketPort, certificate, requestsCertificate } = settings;
  return linesOf([
    `${host} {`,
    ...(requestsCertificate ? [] : [`  tls ${certificate.certFile} ${certificate.keyFile}`]),
    ...(webSocketPort === undefined
      ? []
      : [
          '  handle /nats { # only for agents that use port 443 for everything',
          `    reverse_proxy 127.0.0.1:${webSocketPort}`,
          '  }',
        ]),
    '  handle {',
    '    request_body {',
    '      max_size 64MB',
    '    }',
    `    reverse_proxy 127.0.0.1:${apiPort}`,
    '  }',
    '  handle_errors { # an error in the format of the API instead of an empty response',
    '    header Content-Type application/json',
    '    header Retry-After 5',
    `    respond \`{${ERROR},"meta":{"request_id":"{http.request.uuid}"}}\` 503`,
    '  }',
    '}',
  ]);
}

const ERROR = '"error":{"code":"unavailable","message":"The service is not ready. Try again shortly."}';

function linesOf(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}

/** @returns the name and the port, if the host has one. An IPv6 address keeps its brackets. */
function splitPort(host: string): string[] {
  return host.split(/:(?=\d+$)/);
}
