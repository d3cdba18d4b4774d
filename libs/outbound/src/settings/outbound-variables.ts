/**
 * Describes the variables that `readOutboundSettings` reads, as docs/reference/configuration.md lists them.
 * @param trusted the peers other than the proxy to which the program makes TLS connections
 * @param proxied the connections that use the proxy
 * @param exceptions a clause about connections that do not use it
 */
export const outboundVariables = (trusted: string, proxied: string, exceptions = '') => ({
  caFile: {
    name: 'UNDERSTUDY_CA_FILE',
    fallback: 'none',
    meaning: `PEM file with certificate authorities to trust for ${trusted} and the proxy, in addition to those of Node.js; a change takes effect without a restart`,
  },
  extraCertificates: {
    name: 'NODE_EXTRA_CA_CERTS',
    fallback: 'none',
    meaning: 'PEM file with certificate authorities to trust for each connection; read once at the start',
  },
  proxy: {
    name: 'HTTPS_PROXY',
    fallback: 'none',
    meaning: `HTTP proxy for ${proxied}: \`http://\` or \`https://\`, with \`user:password@\` if it requires credentials${exceptions}`,
  },
  lowerCaseProxy: {
    name: 'https_proxy',
    fallback: '`HTTPS_PROXY`',
    meaning: 'the same; precedes `HTTPS_PROXY`',
  },
  noProxy: {
    name: 'NO_PROXY',
    fallback: 'none',
    meaning:
      'hosts to reach without the proxy, separated by commas: names with their subdomains, addresses, networks, or `*`',
  },
  lowerCaseNoProxy: { name: 'no_proxy', fallback: '`NO_PROXY`', meaning: 'the same; precedes `NO_PROXY`' },
});
