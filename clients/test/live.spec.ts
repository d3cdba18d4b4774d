import { describeLiveClients } from './live/live-clients.js';
import { firstOfEachLanguage, VARIANTS } from './support/languages.js';

jest.setTimeout(600_000); // before its tests, the clients call every operation

// The scenarios and the code blocks of the API page test the clients in all languages.
describeLiveClients(firstOfEachLanguage(VARIANTS).slice(0, 2), 100);
