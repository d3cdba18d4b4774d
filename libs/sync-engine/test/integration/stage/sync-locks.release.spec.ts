import './sync-locks.spec.js';
