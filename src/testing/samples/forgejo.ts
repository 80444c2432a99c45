// A fork of Gitea, which sends what Gitea sends.
export { samples } from './gitea.ts'
