import './sync-leftovers.spec.js';
