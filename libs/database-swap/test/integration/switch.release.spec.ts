import './switch.spec.js';
