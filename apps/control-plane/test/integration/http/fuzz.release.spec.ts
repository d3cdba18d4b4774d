import { describeFuzz } from './fuzz-requests.js';

// A third invalid part reaches no further code.
describeFuzz({ maxUnwantedParts: 2, ofAKind: 2 });
