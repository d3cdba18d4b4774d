import './verification.spec.js';
