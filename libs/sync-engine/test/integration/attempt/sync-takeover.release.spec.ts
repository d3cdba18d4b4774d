import './sync-takeover.spec.js';
