import './key-equality.spec.js';
