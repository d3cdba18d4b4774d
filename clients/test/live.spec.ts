import { describeLiveClients } from './live/live-clients.js';
import { firstOfEachLanguage, VARIANTS } from './support/languages.js';

jest.setTimeout(600_000); // before its tests, the clients of all languages call every operation

describeLiveClients(firstOfEachLanguage(VARIANTS), 200);
