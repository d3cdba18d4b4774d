import { describeLiveClients } from './live/live-clients.js';
import { VARIANTS } from './support/languages.js';

jest.setTimeout(600_000); // before its tests, the clients of all languages call every operation

describeLiveClients(VARIANTS, 1_000);
