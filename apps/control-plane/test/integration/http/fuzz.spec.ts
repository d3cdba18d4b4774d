import { describeFuzz } from './fuzz-requests.js';

// Each invalid part of a request has its own checks, so each of them reaches its code beside valid parts.
describeFuzz({ maxUnwantedParts: 1, ofAKind: 1 });
