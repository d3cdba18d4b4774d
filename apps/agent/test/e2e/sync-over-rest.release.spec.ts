import './sync-over-rest.spec.js';
