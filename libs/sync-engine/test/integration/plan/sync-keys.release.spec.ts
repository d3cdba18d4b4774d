import './sync-keys.spec.js';
