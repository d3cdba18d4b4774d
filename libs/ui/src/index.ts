export { Button, type ButtonProps } from './controls/button.js';
