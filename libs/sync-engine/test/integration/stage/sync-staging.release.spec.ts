import './sync-staging.spec.js';
