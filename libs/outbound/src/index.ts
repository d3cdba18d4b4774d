export { ProxyError } from './connections/open-socket.js';
export type { FetchOptions } from './connections/fetch.js';
export { connectNats, PINGS, type NatsOptions } from './nats/connect-nats.js';
export { NoTlsError, openNats } from './nats/open-nats.js';
export { type NatsInfo, NotNatsError, readInfo } from './nats/read-info.js';
export { Outbound, serverOf } from './outbound.js';
export { type OutboundSettings, readOutboundSettings } from './settings/outbound-settings.js';
export type { Proxy } from './settings/proxy.js';
export type { TrustOptions } from './settings/trusted-authorities.js';
