import './sync-swap.spec.js';
