export { samples } from './hmac.ts'
