import './sync-abort.spec.js';
