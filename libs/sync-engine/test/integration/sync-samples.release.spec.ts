import './sync-samples.spec.js';
