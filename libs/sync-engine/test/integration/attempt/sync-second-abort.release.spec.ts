import './sync-second-abort.spec.js';
